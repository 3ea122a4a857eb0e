// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestFlagsWinOverTheEnvironment(t *testing.T) {
	t.Parallel()
	got, err := parse("up",
		[]string{"-flink-port", "9", "-flink-conf", "a=b=c", "-flink-conf", "d=", "-pravega-conf", "e=1", "-pravega-secure", "-ports", "auto", "-only", "flink", "-python"},
		environment(map[string]string{
			"STREAMING_ENGINE_FLINK_PORT": "7", "STREAMING_ENGINE_DIR": "/d", "STREAMING_ENGINE_FLINK_VERSION": "1.20.5",
			"STREAMING_ENGINE_SLOTS": "3",
		}), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	want := local.Config{
		Dir: "/d", FlinkVersion: "1.20.5", Slots: 3, Only: "flink", Python: true, AutoPorts: true,
		FlinkConf: map[string]string{"a": "b=c", "d": ""}, PravegaConf: map[string]string{"e": "1"}, PravegaSecure: true, Ports: local.Ports{Flink: 9},
	}
	if !reflect.DeepEqual(got.config, want) {
		t.Fatalf("config\n%+v, want\n%+v", got.config, want)
	}
}

func TestBadArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		env  map[string]string
		want string
	}{
		{args: []string{"up", "-flink-version", "3.0"}, want: "1.20.5, 2.3.0"},
		{args: []string{"up", "-ports", "random"}, want: "it can only be auto"},
		{args: []string{"up", "-slots", "0"}, want: "at least one slot"},
		{args: []string{"up", "-flink-conf", "novalue"}, want: "must be key=value"},
		{args: []string{"up", "extra"}, want: `unexpected argument "extra"`},
		{args: []string{"up"}, env: map[string]string{"STREAMING_ENGINE_FLINK_PORT": "x"}, want: "STREAMING_ENGINE_FLINK_PORT"},
		{args: []string{"fly"}, want: `unknown command "fly"`},
		{args: []string{"jobs"}, want: "-out FILE"},
	} {
		var stderr bytes.Buffer
		if code := Run(t.Context(), test.args, environment(test.env), io.Discard, &stderr); code != 1 {
			t.Errorf("%v: exit code %d", test.args, code)
		}
		if !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%v: %q does not say %q", test.args, stderr.String(), test.want)
		}
	}
}

func TestNoCommandPrintsTheUsage(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	if code := Run(t.Context(), nil, environment(nil), io.Discard, &stderr); code != 2 || !strings.Contains(stderr.String(), "engine up") {
		t.Fatalf("exit code %d, output %q", code, stderr.String())
	}
}
