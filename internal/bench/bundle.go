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

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// What a bundle is held to.
const (
	// bundleSpeed is how many times as fast as the archive provider it is at least.
	bundleSpeed = 3.0
	// bundleMemory is how much more than an idle process it takes at most.
	bundleMemory = 32 << 20
	// bundleSize is how much larger than the archive provider's the archive is at most.
	bundleSize = 1.01
)

type bundleOptions struct {
	archiveProvider string
	pairs           int
}

// made is one plan and apply.
type made struct {
	took time.Duration
	// idle is the process before the work, and peak the most that it took.
	idle, peak int64
	// size of the archive.
	size int64
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// side makes an archive of a directory: a plan, and the apply of that plan.
type side func(ctx context.Context, dir string) (made, error)

// benchBundle makes archives of the same tree on both sides, which take turns
// in being first, and then looks at the memory of larger ones.
func benchBundle(ctx context.Context, options bundleOptions, stdout io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "bench-bundle-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tree := filepath.Join(dir, "tree")
	if err := writeTree(ctx, tree); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, `Plan and apply of an archive of %d files, %d MB.
Both sides are terraform plan and apply of a provider, less what the same takes for one small file, and both leave the
archive in a file. The bundle's is before a cluster that has the content already, so that nothing is uploaded.

`, treeFiles, treeBytes/1_000_000)
	cluster := flinkfake.New()
	defer cluster.Close()
	provider, err := newBundleProvider(ctx, filepath.Join(dir, "bundle"), cluster.URL())
	if err != nil {
		return err
	}
	ours := side(provider.make)
	var speedErr error
	if options.archiveProvider == "" {
		_, _ = fmt.Fprintln(stdout, "There is nothing to compare with: -archive-provider names no program.")
		speedErr = alone(ctx, ours, tree, options.pairs, stdout)
	} else {
		theirs, err := newArchiveProvider(ctx, filepath.Join(dir, "archive"), options.archiveProvider)
		if err != nil {
			return err
		}
		speedErr = beside(ctx, ours, theirs.make, tree, options.pairs, stdout)
	}
	return errors.Join(speedErr, largeTrees(ctx, ours, dir, stdout))
}

// alone measures one side.
func alone(ctx context.Context, ours side, tree string, rounds int, stdout io.Writer) error {
	for range rounds {
		m, err := ours(ctx, tree)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(stdout, "  bundle %5d ms, %.1f MB, %.1f MiB above idle\n", m.took.Milliseconds(), float64(m.size)/1e6, mib(m.peak-m.idle))
		if err := withinMemory(m, "the tree"); err != nil {
			return err
		}
	}
	return nil
}

// beside measures both.
func beside(ctx context.Context, ours, theirs side, tree string, rounds int, stdout io.Writer) error {
	_, _ = io.WriteString(stdout, "  pair  first     bundle   archive provider   times as fast\n")
	var pairs []pair
	var a, b made
	for i := range rounds {
		var first, second error
		if i%2 == 0 {
			a, first = ours(ctx, tree)
			b, second = theirs(ctx, tree)
		} else {
			b, first = theirs(ctx, tree)
			a, second = ours(ctx, tree)
		}
		if err := errors.Join(first, second, withinMemory(a, "the tree")); err != nil {
			return err
		}
		pairs = append(pairs, pair{provider: a.took, script: b.took})
		_, _ = fmt.Fprintf(stdout, "  %4d  %-7s %5d ms           %5d ms            %.1f\n", i+1, []string{"bundle", "archive"}[i%2],
			a.took.Milliseconds(), b.took.Milliseconds(), float64(b.took)/float64(a.took))
	}
	return reportBundle(stdout, compare(pairs), a, b)
}

func reportBundle(stdout io.Writer, c comparison, a, b made) error {
	faster, larger := 1/c.ratio, float64(a.size)/float64(b.size)
	_, _ = fmt.Fprintf(stdout, `
bundle:           %s
archive provider: %s
times as fast:    %.1f (95%% of resamples: %.1f to %.1f), at least %.0f
size:             %.2f MB and %.2f MB, %.4f times as large, at most %.2f
memory:           %.1f MiB (%.1f idle) and %.1f MiB (%.1f idle)
`, c.provider, c.script, faster, 1/c.high, 1/c.low, bundleSpeed, float64(a.size)/1e6, float64(b.size)/1e6, larger, bundleSize,
		mib(a.peak), mib(a.idle), mib(b.peak), mib(b.idle))
	var err error
	if faster < bundleSpeed {
		err = fmt.Errorf("a bundle is made %.1f times as fast as by the archive provider; at least %.0f is wanted", faster, bundleSpeed)
	}
	if larger > bundleSize {
		err = errors.Join(err, fmt.Errorf("a bundle is %.4f times as large as the archive provider's; at most %.2f is allowed", larger, bundleSize))
	}
	return err
}

func withinMemory(m made, what string) error {
	if above := m.peak - m.idle; above > bundleMemory {
		return fmt.Errorf("%s takes %.1f MiB above idle; at most %d are allowed", what, mib(above), bundleMemory>>20)
	}
	return nil
}

// largeTrees looks at the memory that one large file and very many small ones
// take. For the many there is no limit, but a figure.
func largeTrees(ctx context.Context, ours side, dir string, stdout io.Writer) error {
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	if err := errors.Join(writeLarge(one), writeMany(ctx, many)); err != nil {
		return err
	}
	large, err := ours(ctx, one)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "\none file of %d MB: %d ms, %.1f MiB above idle, at most %d\n", largeBytes/1_000_000, large.took.Milliseconds(), mib(large.peak-large.idle), bundleMemory>>20)
	small, err := ours(ctx, many)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "%d files: %d ms, %.1f MiB above idle\n", manyFiles, small.took.Milliseconds(), mib(small.peak-small.idle))
	return withinMemory(large, "one large file")
}
