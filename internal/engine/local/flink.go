// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// running reports whether all processes of the cluster live and answer.
func (f *Flink) running(ctx context.Context) bool {
	if f == nil || !f.JobManager.Alive() || !f.TaskManager.Alive() {
		return false
	}
	if flinkengine.TaskManagerReady(ctx, f.Endpoint, nil) != nil {
		return false
	}
	return f.GatewayEndpoint == "" || f.Gateway.Alive() && flinkengine.GatewayReady(ctx, f.GatewayEndpoint) == nil
}

// startFlink installs Flink and the jobs, and starts the cluster.
func (u *up) startFlink(ctx context.Context) error {
	home, err := flinkengine.Install(ctx, u.cache, u.config.FlinkVersion)
	if err != nil {
		return err
	}
	python := ""
	if u.config.Python {
		if python, err = flinkengine.InstallPython(ctx, u.cache, u.config.FlinkVersion); err != nil {
			return err
		}
	}
	cluster := flinkengine.Cluster{
		Home: home, RunDir: u.config.Dir, Slots: u.config.Slots, Conf: u.config.FlinkConf, Python: python,
		Port: u.config.Ports.Flink, RPCPort: u.config.Ports.FlinkRPC, GatewayPort: u.config.Ports.Gateway,
	}
	if err := cluster.Prepare(); err != nil {
		return err
	}
	jar, err := jobs.Jar(ctx, u.cache, u.jdk, home)
	if err != nil {
		return fmt.Errorf("building the test jobs: %w", err)
	}
	var jobManager, taskManager process.Spec
	err = together(ctx,
		func(ctx context.Context) (err error) {
			jobManager, err = cluster.JobManagerSpec(ctx, u.jdk)
			return err
		},
		func(ctx context.Context) (err error) {
			taskManager, err = cluster.TaskManagerSpec(ctx, u.jdk)
			return err
		})
	if err != nil {
		return err
	}
	flink := &Flink{
		Version: home.Version, Home: home.Dir, Endpoint: cluster.Endpoint(), GatewayEndpoint: cluster.GatewayEndpoint(),
		CheckpointDir: cluster.CheckpointDir(), SavepointDir: cluster.SavepointDir(), UploadDir: cluster.UploadDir(),
		TaskManagerOut: taskManager.OutFile, Python: python, PythonJar: home.PythonJar(),
	}
	if err := u.state.update(func() { u.state.Flink, u.state.JobsJar = flink, jar }); err != nil {
		return err
	}
	if err := u.begin(jobManager, &flink.JobManager); err != nil {
		return err
	}
	if err := u.begin(taskManager, &flink.TaskManager); err != nil {
		return err
	}
	if cluster.GatewayEndpoint() != "" {
		if err := u.begin(cluster.GatewaySpec(u.jdk), &flink.Gateway); err != nil {
			return err
		}
	}
	return u.flinkReady(ctx, flink)
}

// flinkReady waits for all processes at once, so that the first to die is
// reported at once.
func (u *up) flinkReady(ctx context.Context, flink *Flink) error {
	err := together(ctx,
		func(ctx context.Context) error {
			return waitReady(ctx, flink.JobManager, func(ctx context.Context) error {
				return flinkengine.JobManagerReady(ctx, flink.Endpoint)
			})
		},
		func(ctx context.Context) error {
			return waitReady(ctx, flink.TaskManager, func(ctx context.Context) error {
				return flinkengine.SlotsReady(ctx, flink.Endpoint)
			})
		},
		func(ctx context.Context) error {
			if flink.Gateway == nil {
				return nil
			}
			return waitReady(ctx, flink.Gateway, func(ctx context.Context) error {
				return flinkengine.GatewayReady(ctx, flink.GatewayEndpoint)
			})
		})
	if err != nil {
		return err
	}
	u.say("Flink %s is ready at %s", flink.Version, flink.Endpoint)
	if flink.GatewayEndpoint != "" {
		u.say("its SQL gateway is ready at %s", flink.GatewayEndpoint)
	}
	return nil
}

// KillJobManager ends the JobManager as a crash would (SIGKILL).
func (s *State) KillJobManager(ctx context.Context) error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	return flink.JobManager.Kill(ctx)
}

// StartJobManager starts a JobManager that does not run, and waits until it
// answers and a TaskManager, if one lives, has registered again.
func (s *State) StartJobManager(ctx context.Context) error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	if err := s.restart(&flink.JobManager); err != nil {
		return err
	}
	return waitReady(ctx, flink.JobManager, func(ctx context.Context) error {
		if !flink.TaskManager.Alive() {
			return flinkengine.JobManagerReady(ctx, flink.Endpoint)
		}
		return flinkengine.TaskManagerReady(ctx, flink.Endpoint, nil)
	})
}

// KillTaskManager ends the TaskManager as a crash would (SIGKILL).
func (s *State) KillTaskManager(ctx context.Context) error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	return flink.TaskManager.Kill(ctx)
}

// HaltTaskManager makes the TaskManager stand still until it is killed.
func (s *State) HaltTaskManager() error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	return flink.TaskManager.Halt()
}

// StartTaskManager starts a TaskManager that does not run, and waits until it
// has registered.
func (s *State) StartTaskManager(ctx context.Context) error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	// The JobManager may not have missed the old one yet.
	known, err := flinkengine.TaskManagers(ctx, flink.Endpoint)
	if err != nil {
		return err
	}
	if err := s.restart(&flink.TaskManager); err != nil {
		return err
	}
	return waitReady(ctx, flink.TaskManager, func(ctx context.Context) error {
		return flinkengine.TaskManagerReady(ctx, flink.Endpoint, known)
	})
}

// KillGateway ends the SQL gateway as a crash would (SIGKILL).
func (s *State) KillGateway(ctx context.Context) error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	return flink.Gateway.Kill(ctx)
}

// StartGateway starts an SQL gateway that does not run, and waits until it
// answers.
func (s *State) StartGateway(ctx context.Context) error {
	flink, err := s.flink()
	if err != nil {
		return err
	}
	if flink.Gateway == nil {
		return fmt.Errorf("Flink %s has no SQL gateway", flink.Version)
	}
	if err := s.restart(&flink.Gateway); err != nil {
		return err
	}
	return waitReady(ctx, flink.Gateway, func(ctx context.Context) error {
		return flinkengine.GatewayReady(ctx, flink.GatewayEndpoint)
	})
}

func (s *State) flink() (*Flink, error) {
	if s.Flink == nil {
		return nil, errors.New("no Flink was started in " + s.Dir)
	}
	return s.Flink, nil
}

// restart starts a process again exactly as it was started before.
func (s *State) restart(slot **process.Process) error {
	if (*slot).Alive() {
		return fmt.Errorf("%s (pid %d) runs already", (*slot).Name, (*slot).PID)
	}
	started, err := process.Start((*slot).Spec)
	if err != nil {
		return err
	}
	return s.update(func() { *slot = started })
}
