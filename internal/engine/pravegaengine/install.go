// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package pravegaengine installs standalone Pravega, starts it, and reads and
// writes its streams.
//
// Its controller listens on all interfaces, for REST and for clients: the
// address is fixed in Pravega's code. All else listens on loopback.
package pravegaengine

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

// Version is the Pravega that is installed; pom.xml names it too.
const Version = "0.13.0"

//go:embed pom.xml
var pom []byte

// Install returns the directory of Pravega's jars, with the data client among
// them, downloaded and built if it is not in the cache yet.
func Install(ctx context.Context, cache install.Cache, jdk javabuild.JDK) (string, error) {
	key, err := javabuild.Key(clientSources())
	if err != nil {
		return "", err
	}
	jars, err := cache.Once(ctx, "pravega-"+Version, func(ctx context.Context, dir string) error {
		_, _ = fmt.Fprintf(cache.Log, "installing Pravega %s\n", Version)
		project := filepath.Join(dir, "pom.xml")
		if err := os.WriteFile(project, pom, 0o644); err != nil {
			return err
		}
		return install.MavenClosure(ctx, filepath.Join(dir, "lib"), project)
	})
	if err != nil {
		return "", fmt.Errorf("installing Pravega %s: %w", Version, err)
	}
	_, err = cache.Once(ctx, clientKey(key), func(ctx context.Context, dir string) error {
		build := javabuild.Build{Sources: []fs.FS{clientSources()}, Classpath: libraries(jars), Release: 11}
		jar, err := build.Jar(ctx, jdk)
		if err != nil {
			return err
		}
		return errors.Join(
			javabuild.WriteFile(filepath.Join(dir, clientJar), jar),
			javabuild.WriteFile(filepath.Join(dir, clientLogging), []byte(quiet)),
		)
	})
	if err != nil {
		return "", fmt.Errorf("building the Pravega client: %w", err)
	}
	return jars, nil
}

func libraries(home string) []string {
	// The pattern is well formed, which is all that Glob can complain of.
	jars, _ := filepath.Glob(filepath.Join(home, "lib", "*.jar"))
	slices.Sort(jars)
	return jars
}

func classpath(jars ...string) string { return strings.Join(jars, string(os.PathListSeparator)) }
