// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/pravegaengine"
)

// running reports whether Pravega lives and answers.
func (p *Pravega) running(ctx context.Context) bool {
	return p != nil && p.Process.Alive() && p.ready(ctx) == nil
}

func (p *Pravega) ready(ctx context.Context) error { return p.Ready(ctx) }

// startPravega installs and starts Pravega.
func (u *up) startPravega(ctx context.Context) error {
	home, err := pravegaengine.Install(ctx, u.cache, u.jdk)
	if err != nil {
		return err
	}
	server := pravegaengine.Server{
		Home: home, RunDir: u.config.Dir,
		Port: u.config.Ports.Pravega, ControllerPort: u.config.Ports.PravegaController,
		ZooKeeperPort: u.config.Ports.ZooKeeper, SegmentStorePort: u.config.Ports.SegmentStore,
		AdminPort: u.config.Ports.Admin, ListenerPort: u.config.Ports.SegmentListener,
		Properties: u.config.PravegaConf,
	}
	if u.config.PravegaSecure {
		if server.Secure, err = pravegaengine.MakeSecure(ctx, home, filepath.Join(u.config.Dir, "pravega", "secure"), u.jdk); err != nil {
			return err
		}
	}
	spec, err := server.Prepare(u.jdk)
	if err != nil {
		return err
	}
	pravega := &Pravega{Version: pravegaengine.Version, Home: home, Access: server.Access()}
	if err := u.state.update(func() { u.state.Pravega = pravega }); err != nil {
		return err
	}
	if err := u.begin(spec, &pravega.Process); err != nil {
		return err
	}
	if err := waitReady(ctx, pravega.Process, pravega.ready); err != nil {
		return err
	}
	u.say("Pravega %s is ready at %s", pravega.Version, pravega.Endpoint)
	return nil
}

// PravegaClient returns a client of the running Pravega's data.
func (s *State) PravegaClient() (*pravegaengine.Client, error) {
	if s.Pravega == nil {
		return nil, fmt.Errorf("no Pravega was started in %s", s.Dir)
	}
	return pravegaengine.NewClient(s.Pravega.Home, s.Pravega.Access, s.JDK)
}
