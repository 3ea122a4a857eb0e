// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkengine

import (
	"context"
	"fmt"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
)

// pythonReleases are the releases of Python that each version's package is
// made for. It ships compiled modules for these alone; with another one, pip
// would try to build Beam and Arrow from their sources.
var pythonReleases = map[string]install.PythonRange{
	"2.3.0":  {First: 9, Last: 12},
	"1.20.5": {First: 8, Last: 11},
	"1.14.3": {First: 6, Last: 8},
}

// InstallPython returns the interpreter of a virtual environment with PyFlink
// of the given version, made if it is not in the cache yet.
func InstallPython(ctx context.Context, cache install.Cache, version string) (string, error) {
	if err := CheckVersion(version); err != nil {
		return "", err
	}
	python, err := install.FindPython(ctx, pythonReleases[version])
	if err != nil {
		return "", fmt.Errorf("PyFlink %s: %w", version, err)
	}
	dir, err := cache.Once(ctx, "pyflink-"+version+"-python"+python.Version.String(), func(ctx context.Context, dir string) error {
		_, _ = fmt.Fprintf(cache.Log, "installing PyFlink %s for Python %s, some minutes\n", version, python.Version)
		// Its jars are those of the installed Flink, which are never read here: a
		// program that the JobManager starts only talks to it.
		return python.VirtualEnvironment(ctx, dir, "apache-flink", version, "apache-flink-libraries")
	})
	if err != nil {
		return "", fmt.Errorf("installing PyFlink %s: %w", version, err)
	}
	interpreter := install.VirtualPython(dir)
	// An environment ends with the Python that it was made from.
	if err := install.RunPython(ctx, interpreter, "import pyflink"); err != nil {
		return "", fmt.Errorf("the Python environment in %s does not work any more; delete that directory to have it made again: %w", dir, err)
	}
	return interpreter, nil
}

// PythonJar is the jar whose PythonDriver starts a Python program, "" if this
// version has none.
func (h Home) PythonJar() string {
	if jars := h.pythonJars(); len(jars) > 0 {
		return jars[0]
	}
	return ""
}

// pythonSettings lets JobManager, TaskManager and gateway run Python.
func (c Cluster) pythonSettings() map[string]string {
	if c.Python == "" {
		return nil
	}
	return map[string]string{
		"python.executable":        c.Python,
		"python.client.executable": c.Python,
		// Each Python job loads flink-python's 42 MB of classes anew, and its
		// workers talk to the TaskManager through direct memory.
		"taskmanager.memory.process.size":       "3600m",
		"taskmanager.memory.jvm-metaspace.size": "768m",
		"taskmanager.memory.task.off-heap.size": "768m",
	}
}
