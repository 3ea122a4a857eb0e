// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

// options is a parsed command line.
type options struct {
	config local.Config
	out    string
}

// parse reads the flags; what the command line leaves open is taken from the
// environment.
func parse(command string, args []string, getenv func(string) string, stderr io.Writer) (options, error) {
	parsed := options{config: local.Config{FlinkConf: map[string]string{}, PravegaConf: map[string]string{}}}
	c := &parsed.config
	flags := flag.NewFlagSet("engine "+command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.Dir, "dir", "", "run directory (default: run/default in the cache)")
	flags.StringVar(&c.FlinkVersion, "flink-version", flinkengine.DefaultVersion, "one of "+strings.Join(flinkengine.Versions(), ", "))
	flags.StringVar(&c.Only, "only", "", "start this engine alone: flink or pravega")
	flags.BoolVar(&c.Python, "python", false, "let Flink run Python: makes an environment with PyFlink once, and sets it up")
	flags.IntVar(&c.Slots, "slots", 8, "task slots of the TaskManager")
	flags.Func("flink-conf", "`key=value` for Flink's configuration; may be repeated", pairs(c.FlinkConf))
	flags.Func("pravega-conf", "`key=value`, a Java system property for Pravega; may be repeated", pairs(c.PravegaConf))
	flags.BoolVar(&c.PravegaSecure, "pravega-secure", false, "let Pravega ask for TLS and passwords; env exports what it takes")
	portMode := flags.String("ports", "", "auto: take free ports where none is given")
	for _, p := range c.Ports.Flags() {
		flags.IntVar(p.Port, p.Name, 0, fmt.Sprintf("port (default %d)", p.Usual))
	}
	if command == "jobs" {
		flags.StringVar(&parsed.out, "out", "", "file to write the jar of test jobs to")
	}
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	if flags.NArg() > 0 {
		return options{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err := fromEnvironment(flags, getenv); err != nil {
		return options{}, err
	}
	switch *portMode {
	case "":
	case "auto":
		c.AutoPorts = true
	default:
		return options{}, fmt.Errorf("-ports %q is unknown: it can only be auto", *portMode)
	}
	if c.Slots < 1 {
		return options{}, fmt.Errorf("-slots %d: at least one slot is needed", c.Slots)
	}
	return parsed, flinkengine.CheckVersion(c.FlinkVersion)
}

// pairs collects what a flag gives.
func pairs(into map[string]string) func(string) error {
	return func(text string) error {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" {
			return errors.New("must be key=value")
		}
		into[key] = value
		return nil
	}
}

// fromEnvironment sets the flags that were not given from their variables.
func fromEnvironment(flags *flag.FlagSet, getenv func(string) string) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var problems []error
	flags.VisitAll(func(f *flag.Flag) {
		name := variable(f.Name)
		value := getenv(name)
		if given[f.Name] || value == "" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			problems = append(problems, fmt.Errorf("%s=%q: %w", name, value, err))
		}
	})
	return errors.Join(problems...)
}

// variable is the environment variable of a flag.
func variable(flagName string) string {
	return "STREAMING_ENGINE_" + strings.ToUpper(strings.ReplaceAll(flagName, "-", "_"))
}
