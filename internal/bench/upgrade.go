// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

// upgradeLimit is how much longer than a plain script's a job's pause may be.
const upgradeLimit = 1.15

// Both sides run the same program in the same way.
const checkpointInterval = "1 s"

var programArgs = []string{"--plain", "--rate", "200"}

type upgradeOptions struct {
	pairs, warmUp int
	flinkVersion  string
}

// benchUpgrade measures how long a job is down while it is upgraded to another
// jar: through terraform apply, and through a script. Each side has a job of
// its own on one cluster, and they take turns in being first.
func benchUpgrade(ctx context.Context, options upgradeOptions, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "bench-upgrade-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	engine, err := local.Up(ctx, local.Config{
		Dir: filepath.Join(dir, "engine"), FlinkVersion: options.flinkVersion, Slots: 4, Only: local.EngineFlink, AutoPorts: true,
	}, stderr)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, local.Down(context.WithoutCancel(ctx), engine.Dir, io.Discard))
	}()
	bench, err := newUpgrades(ctx, dir, engine)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, `Downtime of a job's upgrade to another jar, on Flink %s: from the end of the old job until the last part of
the new one ran, both by the engine's own clock. Each pair is one terraform apply and one script, which uploads,
stops with a savepoint, looks every %d ms until that is complete, and runs the new jar from it. %d pairs ran before.

  pair  first    provider    script   ratio
`, engine.Flink.Version, scriptPoll.Milliseconds(), options.warmUp)
	var pairs []pair
	for i := range options.warmUp + options.pairs {
		measured, err := bench.pair(ctx, i)
		if err != nil {
			return err
		}
		if i < options.warmUp {
			continue
		}
		pairs = append(pairs, measured)
		_, _ = fmt.Fprintf(stdout, "  %4d  %-8s %5d ms  %5d ms    %.2f\n", len(pairs), firstOf(i),
			measured.provider.Milliseconds(), measured.script.Milliseconds(), float64(measured.provider)/float64(measured.script))
	}
	return report(stdout, compare(pairs))
}

func firstOf(i int) string {
	if i%2 == 0 {
		return "provider"
	}
	return "script"
}

func report(stdout io.Writer, c comparison) error {
	_, _ = fmt.Fprintf(stdout, "\nprovider: %s\nscript:   %s\nratio of medians: %.2f (95%% of resamples: %.2f to %.2f), at most %.2f\n",
		c.provider, c.script, c.ratio, c.low, c.high, upgradeLimit)
	if c.ratio > upgradeLimit {
		return fmt.Errorf("an upgrade through the provider takes %.2f times as long as through a script; at most %.2f is allowed", c.ratio, upgradeLimit)
	}
	return nil
}

// upgrades are the two jobs that are upgraded.
type upgrades struct {
	dir string
	jar []byte
	api
	terraform *terraform
	script    *script
}

func newUpgrades(ctx context.Context, dir string, engine *local.State) (*upgrades, error) {
	jar, err := os.ReadFile(engine.JobsJar)
	if err != nil {
		return nil, err
	}
	side, err := newTerraform(ctx, dir, engine.Flink.Endpoint, "through-terraform")
	if err != nil {
		return nil, err
	}
	u := &upgrades{
		dir: dir, jar: jar, api: api(engine.Flink.Endpoint), terraform: side,
		script: &script{api: api(engine.Flink.Endpoint), job: "through-a-script"},
	}
	// The first start of each.
	if _, err := u.throughTerraform(ctx, "first"); err != nil {
		return nil, err
	}
	_, err = u.throughScript(ctx, "first")
	return u, err
}

// pair upgrades both jobs once.
func (u *upgrades) pair(ctx context.Context, i int) (pair, error) {
	var p pair
	var err, second error
	name := fmt.Sprintf("edition-%d", i)
	if firstOf(i) == "provider" {
		p.provider, err = u.throughTerraform(ctx, name)
		p.script, second = u.throughScript(ctx, name)
	} else {
		p.script, err = u.throughScript(ctx, name)
		p.provider, second = u.throughTerraform(ctx, name)
	}
	return p, errors.Join(err, second)
}

func (u *upgrades) throughTerraform(ctx context.Context, name string) (time.Duration, error) {
	jar, err := jobs.Edition(u.jar, "provider "+name)
	if err != nil {
		return 0, err
	}
	file := filepath.Join(u.dir, name+".jar")
	if err := os.WriteFile(file, jar, 0o600); err != nil {
		return 0, err
	}
	return u.measure(ctx, func() (string, string, error) { return u.terraform.next(ctx, file) })
}

func (u *upgrades) throughScript(ctx context.Context, name string) (time.Duration, error) {
	jar, err := jobs.Edition(u.jar, "script "+name)
	if err != nil {
		return 0, err
	}
	return u.measure(ctx, func() (string, string, error) { return u.script.next(ctx, jar, name+".jar") })
}

// measure is the downtime of one upgrade, 0 of a first start.
func (u *upgrades) measure(ctx context.Context, next func() (before, after string, err error)) (time.Duration, error) {
	before, after, err := next()
	if err != nil || before == "" {
		return 0, err
	}
	return u.downtime(ctx, before, after)
}
