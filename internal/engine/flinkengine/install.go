// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package flinkengine installs Apache Flink and knows how its JobManager,
// TaskManager and SQL gateway are configured, started and found to be ready.
package flinkengine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
)

// DefaultVersion is the Flink that is started when none is named.
const DefaultVersion = "2.3.0"

// release is what tells one version from another.
type release struct {
	// extras are what it needs from Maven beside its Python package, which has no
	// gateway, and before Flink 2 no datagen source either.
	extras []extra
	// scala is the part of its jars' names that says which Scala they are for.
	scala string
	// earlier is true for the names and the file of the configuration that Flink
	// had before 1.19 and 1.20.
	earlier bool
}

var releases = map[string]release{
	"2.3.0":  {extras: []extra{{"opt", "org.apache.flink:flink-sql-gateway:2.3.0"}}},
	"1.20.5": {extras: []extra{{"bundle", "org.apache.flink:flink-connector-datagen:1.20.5"}}},
	// It has neither a gateway nor a datagen source.
	"1.14.3": {scala: "_2.11", earlier: true},
}

type extra struct{ dir, artifact string }

// Versions lists the versions that can be installed.
func Versions() []string { return slices.Sorted(maps.Keys(releases)) }

// CheckVersion returns an error that names the supported versions if the given
// one is none of them.
func CheckVersion(version string) error {
	if _, ok := releases[version]; !ok {
		return fmt.Errorf("Flink %q is not supported: -flink-version must be one of %s", version, strings.Join(Versions(), ", "))
	}
	return nil
}

// Home is an installed Flink.
type Home struct {
	Dir     string
	Version string
}

// Install returns the given version's home, downloaded if it is not in the
// cache yet.
func Install(ctx context.Context, cache install.Cache, version string) (Home, error) {
	if err := CheckVersion(version); err != nil {
		return Home{}, err
	}
	dir, err := cache.Once(ctx, "flink-"+version, func(ctx context.Context, dir string) error {
		_, _ = fmt.Fprintf(cache.Log, "installing Flink %s\n", version)
		return fill(ctx, dir, version)
	})
	if err != nil {
		return Home{}, fmt.Errorf("installing Flink %s: %w", version, err)
	}
	return Home{Dir: dir, Version: version}, nil
}

func fill(ctx context.Context, dir, version string) error {
	download := filepath.Join(dir, "download")
	if err := os.Mkdir(download, 0o755); err != nil {
		return err
	}
	if err := install.PipDownload(ctx, download, "apache-flink-libraries=="+version); err != nil {
		return err
	}
	archives, err := filepath.Glob(filepath.Join(download, "apache*flink*libraries*"))
	if err != nil || len(archives) != 1 {
		return errors.Join(err, fmt.Errorf("pip downloaded %d files, want one", len(archives)))
	}
	if err := install.Unpack(ctx, archives[0], func(name string) string { return place(dir, name) }); err != nil {
		return err
	}
	if err := os.RemoveAll(download); err != nil {
		return err
	}
	for _, e := range releases[version].extras {
		if err := install.MavenCopy(ctx, filepath.Join(dir, e.dir), e.artifact); err != nil {
			return err
		}
	}
	if _, err := os.Stat(Home{Dir: dir, Version: version}.dist()); err != nil {
		return fmt.Errorf("the package holds no Flink: %w", err)
	}
	return nil
}

// place keeps the distribution's own folders: they are under pyflink in a
// wheel, and under deps in a source archive.
func place(dir, name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		if part != "pyflink" && part != "deps" {
			continue
		}
		rest := parts[i+1:]
		if slices.Contains([]string{"lib", "opt", "bin", "plugins"}, rest[0]) && !slices.Contains(rest, "..") {
			return filepath.Join(append([]string{dir}, rest...)...)
		}
	}
	return ""
}

// Libraries lists the jars of the class path, in the order Flink's own scripts
// use: flink-dist last.
func (h Home) Libraries() []string {
	jars := h.jars("lib")
	jars = slices.DeleteFunc(jars, func(jar string) bool { return jar == h.dist() })
	return append(jars, h.dist())
}

// Earlier tells whether this version has the API that jobs were written for
// before Flink 1.15: no sources of numbers, and no sinks that outlived it.
func (h Home) Earlier() bool { return releases[h.Version].earlier }

// Bundled lists the connector jars that a job must bring along.
func (h Home) Bundled() []string { return h.jars("bundle") }

// HasGateway reports whether this version comes with a SQL gateway.
func (h Home) HasGateway() bool {
	return len(h.gatewayJars()) > 0
}

func (h Home) gatewayJars() []string {
	return slices.DeleteFunc(h.jars("opt"), func(jar string) bool {
		return !strings.HasPrefix(filepath.Base(jar), "flink-sql-gateway-")
	})
}

// pythonJars lets the gateway plan Python functions.
func (h Home) pythonJars() []string {
	return slices.DeleteFunc(h.jars("opt"), func(jar string) bool {
		return !strings.HasPrefix(filepath.Base(jar), "flink-python"+releases[h.Version].scala+"-")
	})
}

func (h Home) dist() string {
	return filepath.Join(h.Dir, "lib", "flink-dist"+releases[h.Version].scala+"-"+h.Version+".jar")
}

func (h Home) jars(folder string) []string {
	// The pattern is well formed, which is all that Glob can complain of.
	jars, _ := filepath.Glob(filepath.Join(h.Dir, folder, "*.jar"))
	slices.Sort(jars)
	return jars
}
