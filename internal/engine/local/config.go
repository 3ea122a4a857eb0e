// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package local runs real engines, Flink and Pravega, on this machine: it
// starts, finds, breaks and stops them for tests and for trying things out.
package local

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/ports"
)

// The engines that Config.Only may name.
const (
	EngineFlink   = "flink"
	EnginePravega = "pravega"
)

// Config says what Up starts.
type Config struct {
	// Dir is the run directory, which holds all files of one set of engines.
	Dir string
	// CacheDir is where software is installed; "" means the usual place.
	CacheDir string
	// FlinkVersion is one of flinkengine.Versions; "" means the default.
	FlinkVersion string
	// FlinkConf is added to Flink's configuration.
	FlinkConf map[string]string
	// Python lets Flink run Python programs and functions.
	Python bool
	// PravegaConf are Java system properties for Pravega.
	PravegaConf map[string]string
	// PravegaSecure makes Pravega ask for TLS and passwords.
	PravegaSecure bool
	// Slots is the number of task slots; 0 means 8.
	Slots int
	// Only restricts Up to one engine; "" means all.
	Only string
	// Ports are the ports to use; 0 means the usual one, or with AutoPorts one
	// that is free.
	Ports     Ports
	AutoPorts bool
}

// Ports names every port that is listened on.
type Ports struct {
	Flink, FlinkRPC, Gateway                        int
	Pravega, PravegaController                      int
	ZooKeeper, SegmentStore, Admin, SegmentListener int
}

// entry connects a port with its flag, its usual number and its engine.
type entry struct {
	flag   string
	engine string
	usual  int
	port   *int
}

func (p *Ports) entries() []entry {
	return []entry{
		{"flink-port", EngineFlink, 8081, &p.Flink},
		{"flink-rpc-port", EngineFlink, 6123, &p.FlinkRPC},
		{"gateway-port", EngineFlink, 8083, &p.Gateway},
		{"pravega-port", EnginePravega, 9091, &p.Pravega},
		{"pravega-controller-port", EnginePravega, 9090, &p.PravegaController},
		{"pravega-zookeeper-port", EnginePravega, 4000, &p.ZooKeeper},
		{"pravega-segmentstore-port", EnginePravega, 6000, &p.SegmentStore},
		{"pravega-admin-port", EnginePravega, 9999, &p.Admin},
		{"pravega-listener-port", EnginePravega, 6061, &p.SegmentListener},
	}
}

// PortFlag describes one port for the command line.
type PortFlag struct {
	Name  string
	Usual int
	Port  *int
}

// Flags lists the flags that set the ports.
func (p *Ports) Flags() []PortFlag {
	var flags []PortFlag
	for _, e := range p.entries() {
		flags = append(flags, PortFlag{Name: e.flag, Usual: e.usual, Port: e.port})
	}
	return flags
}

// DefaultDir is the run directory used when none is given.
func DefaultDir() (string, error) {
	cache, err := install.DefaultDir()
	return filepath.Join(cache, "run", "default"), err
}

// complete fills in what was left open, except the ports.
func (c Config) complete() (Config, error) {
	var err error
	if c.Dir == "" {
		if c.Dir, err = DefaultDir(); err != nil {
			return c, err
		}
	}
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return c, err
	}
	if c.CacheDir == "" {
		if c.CacheDir, err = install.DefaultDir(); err != nil {
			return c, err
		}
	}
	if c.FlinkVersion == "" {
		c.FlinkVersion = flinkengine.DefaultVersion
	}
	if c.Slots == 0 {
		c.Slots = 8
	}
	switch c.Only {
	case "", EngineFlink, EnginePravega:
	default:
		return c, fmt.Errorf("-only %q is unknown: it must be %s or %s", c.Only, EngineFlink, EnginePravega)
	}
	return c, flinkengine.CheckVersion(c.FlinkVersion)
}

// wants reports whether the given engine is asked for.
func (c Config) wants(engine string) bool { return c.Only == "" || c.Only == engine }

// withPorts fills in the ports that were left open.
func (c Config) withPorts(ctx context.Context) (Config, error) {
	entries := c.Ports.entries()
	var free []int
	if c.AutoPorts {
		var err error
		if free, err = ports.Free(ctx, len(entries)); err != nil {
			return c, err
		}
	}
	for i, e := range entries {
		switch {
		case *e.port != 0:
		case c.AutoPorts:
			*e.port = free[i]
		default:
			*e.port = e.usual
		}
	}
	return c, nil
}

// checkPorts fails if a port of the given engines is taken.
func (c Config) checkPorts(ctx context.Context, engines map[string]bool) error {
	var wanted []ports.Named
	for _, e := range c.Ports.entries() {
		if engines[e.engine] {
			wanted = append(wanted, ports.Named{Flag: e.flag, Port: *e.port})
		}
	}
	return ports.Check(ctx, wanted)
}
