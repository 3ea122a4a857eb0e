// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle/stateprobe"
)

// ErrNoProbe means that the cluster runs no jars, so that its file systems
// cannot be asked.
var ErrNoProbe = errors.New("the cluster does not allow jars to be run through REST (web.submit.enable), so its file systems cannot be looked at")

// probeTimeout is the state probe's own limit: a file system that hangs blocks
// the JobManager's other requests about jars.
const probeTimeout = 10 * time.Second

// stateProbe asks through a jar of our own, whose main() starts nothing.
type stateProbe struct {
	client *flink.Client

	mu    sync.Mutex
	jarID string
}

// NewStateProbe returns the probe of a cluster. Nothing is uploaded before the
// first question.
func NewStateProbe(client *flink.Client) Prober { return &stateProbe{client: client} }

// IsProbe tells whether an uploaded file of this name is a state probe, of this
// version or another.
func IsProbe(name string) bool { return strings.HasPrefix(name, stateprobe.FilePrefix) }

// Exists tells whether a path exists.
func (p *stateProbe) Exists(ctx context.Context, path string) (bool, error) {
	result, err := p.ask(ctx, stateprobe.Exists(path))
	return result.Exists, err
}

// Newest finds the newest complete checkpoint or savepoint under a directory.
func (p *stateProbe) Newest(ctx context.Context, directory string) (string, time.Time, bool, error) {
	result, err := p.ask(ctx, stateprobe.Newest(directory))
	return result.Path, result.Modified, result.Path != "", err
}

func (p *stateProbe) ask(ctx context.Context, op stateprobe.Op) (stateprobe.Result, error) {
	return p.askFor(ctx, probeTimeout, op)
}

func (p *stateProbe) askFor(ctx context.Context, limit time.Duration, op stateprobe.Op) (stateprobe.Result, error) {
	request := flink.RunRequest{EntryClass: stateprobe.EntryClass, ProgramArgsList: stateprobe.Args(limit, op)}
	for try := 1; ; try++ {
		id, err := p.jar(ctx, try > 1)
		if err != nil {
			return stateprobe.Result{}, err
		}
		name, err := p.client.PlanJar(ctx, id, request)
		if flink.IsJarMissing(err) && try == 1 {
			continue
		}
		if err != nil {
			return stateprobe.Result{}, fmt.Errorf("state probe: %w", err)
		}
		results, err := stateprobe.Parse(name)
		if err != nil {
			return stateprobe.Result{}, err
		}
		if len(results) != 1 {
			return stateprobe.Result{}, fmt.Errorf("state probe: %d answers to one question", len(results))
		}
		return results[0], results[0].Err()
	}
}

// jar returns the id of the probe's jar, which is uploaded once per cluster
// and found again by its name.
func (p *stateProbe) jar(ctx context.Context, again bool) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.jarID != "" && !again {
		return p.jarID, nil
	}
	cluster, err := p.client.Cluster(ctx)
	if err != nil {
		return "", err
	}
	if !cluster.WebSubmit {
		return "", ErrNoProbe
	}
	jars, err := p.client.Jars(ctx)
	if err != nil {
		return "", err
	}
	for _, jar := range jars {
		if strings.HasSuffix(jar.ID, "_"+stateprobe.FileName()) {
			p.jarID = jar.ID
			return p.jarID, nil
		}
	}
	content := stateprobe.Jar()
	p.jarID, err = p.client.UploadJar(ctx, rest.Upload{
		FileName: stateprobe.FileName(), Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	})
	return p.jarID, err
}
