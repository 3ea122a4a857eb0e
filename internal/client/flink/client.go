// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package flink is a client of the Flink JobManager's REST API, for Flink 1.14
// to 2.3.
package flink

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/serial"
)

// Client talks to one JobManager. It is safe for concurrent use.
type Client struct {
	rest *rest.Client
	// uploads keeps equal contents from being uploaded side by side.
	uploads serial.Locks
	release release
}

// New returns a client over the transport.
func New(transport *rest.Client) *Client { return &Client{rest: transport} }

// Endpoint is the JobManager's base URL without user info and trailing slash.
func (c *Client) Endpoint() string { return c.rest.Endpoint() }

// IsNotFound tells whether Flink itself says that the thing does not exist. A
// 404 of a proxy says nothing about a job.
func IsNotFound(err error) bool {
	var answer *rest.Error
	return errors.As(err, &answer) && answer.Status == http.StatusNotFound && answer.Engine
}

// IsDuplicate tells whether a submission was refused because its job id is, or
// once was, in use.
func IsDuplicate(err error) bool {
	var answer *rest.Error
	return errors.As(err, &answer) &&
		(answer.HasClass("DuplicateJobSubmissionException") || answer.HasClass("DuplicateApplicationSubmissionException"))
}

// Cluster is what GET /config and GET /overview tell.
type Cluster struct {
	Version            string
	Revision           string
	WebSubmit          bool
	WebRescale         bool
	TaskManagers       int64
	SlotsTotal         int64
	SlotsAvailable     int64
	JobsRunning        int64
	JobsFinished       int64
	JobsCancelled      int64
	JobsFailed         int64
	SavepointDirectory string
	CheckpointDir      string
}

type configAnswer struct {
	Refresh  int64  `json:"refresh-interval"`
	Version  string `json:"flink-version"`
	Revision string `json:"flink-revision"`
	Features struct {
		WebSubmit  bool `json:"web-submit"`
		WebRescale bool `json:"web-rescale"`
	} `json:"features"`
}

type overviewAnswer struct {
	TaskManagers   int64  `json:"taskmanagers"`
	SlotsTotal     int64  `json:"slots-total"`
	SlotsAvailable int64  `json:"slots-available"`
	Running        int64  `json:"jobs-running"`
	Finished       int64  `json:"jobs-finished"`
	Cancelled      int64  `json:"jobs-cancelled"`
	Failed         int64  `json:"jobs-failed"`
	Version        string `json:"flink-version"`
}

// config reads GET /config, and remembers the version.
func (c *Client) config(ctx context.Context) (configAnswer, error) {
	var config configAnswer
	err := c.rest.Get(ctx, &config, "config")
	c.release.learn(config.Version)
	return config, err
}

// Version is the version of Flink.
func (c *Client) Version(ctx context.Context) (string, error) {
	config, err := c.config(ctx)
	return config.Version, err
}

// RefreshInterval is how old the JobManager's answers about one job may be.
func (c *Client) RefreshInterval(ctx context.Context) (time.Duration, error) {
	config, err := c.config(ctx)
	return time.Duration(config.Refresh) * time.Millisecond, err
}

// CanRescale tells whether the cluster's scheduler can change the parallelism of
// a job that runs.
func (c *Client) CanRescale(ctx context.Context) (bool, error) {
	config, err := c.config(ctx)
	return config.Features.WebRescale, err
}

// Cluster reads the version, the slots and the default directories.
func (c *Client) Cluster(ctx context.Context) (*Cluster, error) {
	config, err := c.config(ctx)
	if err != nil {
		return nil, err
	}
	if config.Version == "" {
		return nil, &rest.NotAPIError{Where: "GET /config", Status: http.StatusOK, ContentType: "JSON without flink-version"}
	}
	var overview overviewAnswer
	if err := c.rest.Get(ctx, &overview, "overview"); err != nil {
		return nil, err
	}
	directories, err := c.Directories(ctx)
	if err != nil {
		return nil, err
	}
	return &Cluster{
		Version: config.Version, Revision: config.Revision,
		WebSubmit: config.Features.WebSubmit, WebRescale: config.Features.WebRescale,
		TaskManagers: overview.TaskManagers, SlotsTotal: overview.SlotsTotal, SlotsAvailable: overview.SlotsAvailable,
		JobsRunning: overview.Running, JobsFinished: overview.Finished, JobsCancelled: overview.Cancelled, JobsFailed: overview.Failed,
		SavepointDirectory: directories.Savepoints, CheckpointDir: directories.Checkpoints,
	}, nil
}

// Directories are where a cluster keeps the state of jobs that name no
// directories of their own; empty where it has none.
type Directories struct {
	Savepoints, Checkpoints string
}

// Directories reads them from the cluster's configuration, under their present
// and their earlier names.
func (c *Client) Directories(ctx context.Context) (Directories, error) {
	settings, err := c.JobManagerConfig(ctx)
	if err != nil {
		return Directories{}, err
	}
	return Directories{
		Savepoints:  cmp.Or(settings["execution.checkpointing.savepoint-dir"], settings["state.savepoints.dir"]),
		Checkpoints: cmp.Or(settings["execution.checkpointing.dir"], settings["state.checkpoints.dir"]),
	}, nil
}

// JobManagerConfig reads the cluster's configuration. Flink masks passwords.
func (c *Client) JobManagerConfig(ctx context.Context) (map[string]string, error) {
	var answer []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	if err := c.rest.Get(ctx, &answer, "jobmanager", "config"); err != nil {
		return nil, err
	}
	settings := make(map[string]string, len(answer))
	for _, entry := range answer {
		settings[entry.Key] = entry.Value
	}
	return settings, nil
}
