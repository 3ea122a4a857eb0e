// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/jobs"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// bench is the place of one cell: a cluster, a proxy before it, somebody with
// Terraform, and the jobs of others.
type bench struct {
	cluster
	proxy  *proxy
	driver driver
	client *flink.Client
	closes []func()

	dir string
	// kind is the resource's type.
	kind        string
	name, owner string
	// jars are the files by their names in configurations, hashes their contents.
	jars, hashes map[string]string
	// bundle is what Python jobs run on.
	bundle lifecycle.Bundle
	// others are the jobs that are nobody's business here.
	others []string
}

// begin is how a driver is made for a bench.
type begin func(ctx context.Context, b *bench) (driver, error)

// newBench makes a bench on a cluster. template is the jar that is run, of
// which each bench has its own editions.
func newBench(ctx context.Context, c cluster, template []byte, name string, op operation, start begin) (b *bench, err error) {
	b = &bench{cluster: c, kind: cmp.Or(op.kind, jobType), name: name, owner: "team/" + name, jars: map[string]string{}, hashes: map[string]string{}}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if op.unowned {
		b.owner = ""
	}
	if b.dir, err = os.MkdirTemp("", "faults"); err != nil {
		return b, err
	}
	if b.proxy, err = newProxy(ctx, c); err != nil {
		return b, err
	}
	client, stop, err := newClient(b.proxy.direct)
	if err != nil {
		return b, err
	}
	b.client, b.closes = client, append(b.closes, stop)
	for _, jar := range []string{oldJar, newJar, otherJar} {
		content, err := jobs.Edition(template, name+"/"+jar)
		if err != nil {
			return b, err
		}
		file := filepath.Join(b.dir, jar)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return b, err
		}
		sum := sha256.Sum256(content)
		b.jars[jar], b.hashes[jar] = file, hex.EncodeToString(sum[:])
	}
	if err := b.uploadBundle(ctx); err != nil {
		return b, fmt.Errorf("the bundle: %w", err)
	}
	if err := b.startOthers(ctx, op); err != nil {
		return b, fmt.Errorf("the jobs of others: %w", err)
	}
	if b.driver, err = start(ctx, b); err != nil {
		return b, err
	}
	return b, b.prepare(ctx, op)
}

// entryClass is the class that all jobs here run.
const entryClass = "streaming.jobs.Counter"

// bundleModule is the module of a bundle, which Python jobs run.
const bundleModule = "counter_job"

// uploadBundle brings a bundle to the cluster, for Python jobs.
func (b *bench) uploadBundle(ctx context.Context) error {
	if b.kind != pythonJobType {
		return nil
	}
	source := bundle.Source{Files: map[string]string{bundleModule + ".py": "# " + b.name}}
	built, err := bundle.Build(ctx, source, bundle.Planned{})
	if err != nil {
		return err
	}
	defer func() { _ = built.Close() }()
	b.bundle.SHA256 = built.Manifest.SHA256()
	b.bundle.ID, err = lifecycle.UploadBundle(ctx, b.client, lifecycle.BundleUpload{Name: "udfs", SHA256: b.bundle.SHA256, Size: built.Size, Open: built.Open})
	return err
}

// startOthers starts a job of the same name and of another owner, and one that
// has nothing to do with it.
func (b *bench) startOthers(ctx context.Context, op operation) error {
	id, file, _, err := lifecycle.UploadJar(ctx, b.client, b.jars[otherJar], "", "")
	if err != nil {
		return err
	}
	names := []string{b.name + "-unrelated"}
	// Without an owner two jobs of one name cannot be told apart, and are an error.
	if !op.unowned {
		names = append(names, b.name)
	}
	for _, name := range names {
		request, err := otherRequest(op, name, file.SHA256)
		if err != nil {
			return err
		}
		job, err := b.client.RunJar(ctx, id, request)
		if err != nil {
			return err
		}
		b.others = append(b.others, job)
	}
	return nil
}

// otherRequest starts a job of others, which has a marker where it can have one.
func otherRequest(op operation, name, jar string) (flink.RunRequest, error) {
	marker := lifecycle.Marker{Owner: "others", Name: name, Spec: lifecycle.Hash(name), Jar: jar}
	request := flink.RunRequest{EntryClass: entryClass}
	if op.flink114 {
		request.ProgramArgsList = []string{"--name", name, "--checkpoint", "1000"}
		if op.unmarked {
			request.ProgramArgsList = append(request.ProgramArgsList, "--plain")
			return request, nil
		}
		for _, entry := range marker.Entries() {
			request.ProgramArgsList = append(request.ProgramArgsList, "--"+entry.Key, entry.Value)
		}
		return request, nil
	}
	merged, err := lifecycle.MergeMarker("", marker)
	request.ProgramArgsList = []string{"--plain"}
	request.FlinkConfiguration = map[string]string{
		"pipeline.name": name, "pipeline.global-job-parameters": merged, "execution.checkpointing.interval": "1 s",
	}
	return request, err
}

// prepare brings the job to where the operation begins.
func (b *bench) prepare(ctx context.Context, op operation) error {
	for i, config := range op.setUp {
		fails := op.stopFails && i == len(op.setUp)-1
		if fails {
			if err := b.deny(b.uid(), true); err != nil {
				return err
			}
		}
		out := b.driver.apply(ctx, b.config(config))
		if out.failed() != fails {
			return fmt.Errorf("setting up, configuration %d: %s", i, out)
		}
		if fails {
			if err := b.deny(b.uid(), false); err != nil {
				return err
			}
		}
		b.run(5 * time.Second)
	}
	if op.doomed {
		return b.deny(b.uid(), true)
	}
	return nil
}

// at moves the bench to another cluster, which has what this one had.
func (b *bench) at(c cluster) {
	b.cluster = c
	b.proxy.use(c)
}

func (b *bench) config(j job) job { return j.named(b.name, b.jars, b.bundle) }

// settings is the provider's block.
func (b *bench) settings() map[string]any {
	block := map[string]any{"flink": map[string]any{"endpoint": b.proxy.url, "sql_gateway_endpoint": b.proxy.url}}
	if b.owner != "" {
		block["owner"] = b.owner
	}
	return block
}

func (b *bench) uid() string {
	return lifecycle.UID(b.owner, b.proxy.url, b.kind, b.name)
}

// generationLimit is more than any cell starts.
const generationLimit = 60

// generation is which generation of the bench's job an id is, 0 for none.
func (b *bench) generation(id string) int64 {
	uid := b.uid()
	for n := int64(1); n <= generationLimit; n++ {
		if lifecycle.JobID(uid, n) == id {
			return n
		}
	}
	return 0
}

func (b *bench) close() {
	if b.driver != nil {
		b.driver.close()
	}
	if b.proxy != nil {
		b.proxy.close()
	}
	for _, stop := range b.closes {
		stop()
	}
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
