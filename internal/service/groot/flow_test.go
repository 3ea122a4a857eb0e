// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	fwresource "github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/groot"
)

const (
	address  = "streaming_groot_job.test"
	counter  = "streaming.jobs.Counter"
	named    = `name = "clicks"`
	cancel   = `on_destroy = "cancel"`
	sections = `sections = yamlencode({ sources = { clicks = { type = "kafka", batch = 10 } }, sinks = { out = { type = "print" } } })`
)

// world is one fake cluster and the jar of an engine.
type world struct {
	*flinkfake.Server
	jar string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	fake := flinkfake.New()
	t.Cleanup(fake.Close)
	w := &world{Server: fake, jar: filepath.Join(t.TempDir(), "groot-stream.jar")}
	if err := os.WriteFile(w.jar, flinkfake.Jar(counter), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// config is a job with these attributes, and what every job needs.
func (w *world) config(attributes ...string) string {
	provider := acctest.Config{Owner: "team-a/test", Flink: w.URL()}.String()
	all := append([]string{named, cancel, fmt.Sprintf("jar = { source = %q }", filepath.ToSlash(w.jar))}, attributes...)
	return provider + fmt.Sprintf("resource \"streaming_groot_job\" \"test\" {\n  %s\n}\n", strings.Join(all, "\n  "))
}

// only returns the arguments of the one live job.
func (w *world) only() (flinkfake.JobSnapshot, error) {
	live := w.Live()
	if len(live) != 1 {
		return flinkfake.JobSnapshot{}, fmt.Errorf("%d live jobs instead of one", len(live))
	}
	return live[0], nil
}

// file is the job file that the program was given in base64.
func (w *world) file() (string, error) {
	job, err := w.only()
	if err != nil {
		return "", err
	}
	at := slices.Index(job.Args, "--config")
	if at < 0 || at+2 != len(job.Args) {
		return "", fmt.Errorf("there is no job file in %q", job.Args)
	}
	text, err := base64.StdEncoding.DecodeString(job.Args[at+1])
	return string(text), err
}

// reads checks that the program reads exactly this file.
func (w *world) reads(want string) func() error {
	return func() error {
		got, err := w.file()
		if err == nil && got != want {
			err = fmt.Errorf("the program reads\n%s\ninstead of\n%s", got, want)
		}
		return err
	}
}

// given checks the program's arguments.
func (w *world) given(want ...string) func() error {
	return func() error {
		job, err := w.only()
		if err == nil && !slices.Equal(job.Args, want) {
			err = fmt.Errorf("the program was given %q instead of %q", job.Args, want)
		}
		return err
	}
}

const plainFile = "env:\n  name: clicks\nsinks:\n  out:\n    type: print\nsources:\n  clicks:\n    batch: 10\n    type: kafka\n"

func TestFlow_GrootJob_IsCreatedUpgradedWithStateAndImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.config(sections)
	acctest.RunFake(t,
		acctest.Apply(first,
			acctest.Is(address, "rendered", knownvalue.StringExact(plainFile)),
			acctest.Is(address, "status", knownvalue.StringExact("RUNNING")),
			acctest.Outside(w.reads(plainFile))),
		acctest.Noop(first),
		acctest.Change(w.config(sections, `env = { execution_buffer_timeout = "200 ms" }`), address, plancheck.ResourceActionUpdate,
			acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (env)")),
			acctest.Is(address, "restored_from", knownvalue.NotNull()),
			acctest.Outside(w.reads(strings.Replace(plainFile, "env:\n", "env:\n  execution.buffer-timeout: 200\n", 1)))),
		resource.TestStep{
			ResourceName: address, ImportState: true, ImportStateId: "name:clicks", ImportStateVerify: true,
			// Flink cannot tell what a job was started with.
			ImportStateVerifyIgnore: []string{
				"id", "jar", "env", "sections", "rendered", "upgrade", "on_destroy", "on_finished", "adopt_existing", "cluster_moved",
				"savepoint_path", "last_checkpoint_path", "deployment", "started_at",
			},
		},
	)
}

// options has each attribute of the env object with two values and what the
// job file has for them.
var options = []struct{ attribute, first, second, key, firstLine, secondLine string }{
	{"parallelism", "2", "3", "parallelism", "2", "3"},
	{"execution_buffer_timeout", `"1 s"`, `"0"`, "execution.buffer-timeout", "1000", "0"},
	{"execution_runtime_mode", `"STREAMING"`, `"BATCH"`, "execution.runtime-mode", "STREAMING", "BATCH"},
	{"shade_identifier", `"default"`, `"base64"`, "shade.identifier", "default", "base64"},
	{"pipeline_object_reuse", "true", "false", "pipeline.object-reuse", "true", "false"},
	{"jars", `["file:///a.jar"]`, `["file:///a.jar", "file:///b.jar"]`, "jars", `"file:///a.jar"`, `"file:///a.jar;file:///b.jar"`},
	{"pipeline_jars", `["file:///a.jar"]`, `["file:///b.jar"]`, "pipeline.jars", `"file:///a.jar"`, `"file:///b.jar"`},
	{"pipeline_classpaths", `["http://h/a"]`, `["http://h/b"]`, "pipeline.classpaths", `"http://h/a"`, `"http://h/b"`},
	{"pipeline_max_parallelism", "128", "256", "pipeline.max-parallelism", "128", "256"},
	{"execution_restart_strategy", `"fixed-delay"`, `"failure-rate"`, "execution.restart.strategy", "fixed-delay", "failure-rate"},
	{"execution_restart_attempts", "3", "4", "execution.restart.attempts", "3", "4"},
	{"execution_restart_delay_between_attempts", `"10 s"`, `"1 min"`, "execution.restart.delayBetweenAttempts", "10000", "60000"},
	{"execution_restart_failure_rate", "3", "4", "execution.restart.failure-rate", "3", "4"},
	{"execution_restart_failure_interval", `"5 min"`, `"60000"`, "execution.restart.failureInterval", "300000", "60000"},
	{"execution_restart_delay_interval", `"1 s"`, `"2 s"`, "execution.restart.delayInterval", "1000", "2000"},
	{"flink", `{ "state.backend.type" = "rocksdb" }`, `{ "state.backend.type" = "hashmap" }`, "flink.state.backend.type", "rocksdb", "hashmap"},
}

// every is an env object with all options, and the job file with it.
func every(second bool) (attribute, file string) {
	var lines, keys []string
	for _, option := range options {
		value, line := option.first, option.firstLine
		if second {
			value, line = option.second, option.secondLine
		}
		lines = append(lines, "    "+option.attribute+" = "+value)
		keys = append(keys, "  "+option.key+": "+line+"\n")
	}
	keys = append(keys, "  name: clicks\n", "  own.key: x\n")
	slices.Sort(keys)
	return "env = {\n" + strings.Join(lines, "\n") + "\n  }", "a: 1\nenv:\n" + strings.Join(keys, "")
}

func TestFlow_GrootJob_EachOptionReachesTheProgram(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	extra := `extra_configuration = { "own.key" = "x" }` + "\n  sections = \"a: 1\""
	firstEnv, firstFile := every(false)
	secondEnv, secondFile := every(true)
	acctest.RunFake(t,
		acctest.Apply(w.config(extra, firstEnv), acctest.Outside(w.reads(firstFile))),
		acctest.Noop(w.config(extra, firstEnv)),
		acctest.Change(w.config(extra, secondEnv), address, plancheck.ResourceActionUpdate,
			acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (env)")),
			acctest.Outside(w.reads(secondFile))),
		acctest.Noop(w.config(extra, secondEnv)),
	)
	for _, row := range groot.Changes().Settable() {
		name, isEnv := strings.CutPrefix(row.Attribute, "env.")
		if tried := slices.ContainsFunc(options, func(one struct{ attribute, first, second, key, firstLine, secondLine string }) bool {
			return one.attribute == name
		}); isEnv && !tried {
			t.Errorf("env.%s is not tried", name)
		}
	}
}

// ownCases are the other attributes of the kind's own.
var ownCases = []struct {
	attribute, before, after string
	// reason is why the job restarts, empty for no restart; noop is true when nothing is planned.
	reason string
	noop   bool
}{
	{attribute: "entry_class", before: sections, after: sections + "\n  entry_class = \"" + counter + "\"", reason: "entry_class"},
	{attribute: "args", before: sections, after: sections + "\n  args = [\"--verbose\"]", reason: "args"},
	{attribute: "extra_configuration", before: sections, after: sections + "\n  extra_configuration = { \"own.key\" = \"5\" }", reason: "extra_configuration"},
	{attribute: "sections", before: sections, after: `sections = "sources: {}"`, reason: "sections"},
	{attribute: "secrets", before: sections + "\n  secrets = \"a: {b: 1}\"", after: sections + "\n  secrets = \"a: {b: 2}\"", reason: "secrets"},
	{attribute: "secrets_wo", before: sections + "\n  secrets_wo = \"a: b\"\n  secrets_wo_version = 1", after: sections + "\n  secrets_wo = \"a: {c: d}\"\n  secrets_wo_version = 1", noop: true},
	{attribute: "secrets_wo_version", before: sections + "\n  secrets_wo = \"a: b\"\n  secrets_wo_version = 1", after: sections + "\n  secrets_wo = \"a: c\"\n  secrets_wo_version = 2", reason: "secrets_wo_version"},
	{attribute: "delivery.form", before: sections, after: sections + "\n  delivery = { form = \"inline\" }", reason: "delivery"},
	{attribute: "delivery.argument", before: sections, after: sections + "\n  delivery = { argument = \"\" }", reason: "delivery"},
	{attribute: "delivery.path", before: sections + "\n  delivery = { form = \"path\", path = \"/a.yaml\" }", after: sections + "\n  delivery = { form = \"path\", path = \"/b.yaml\" }", reason: "delivery"},
	{attribute: "delivery.form", before: sections, after: sections + "\n  delivery = { form = \"base64\", argument = \"--config\" }"},
}

func TestFlow_GrootJob_EachAttributeOfItsOwnDoesWhatThePlanSays(t *testing.T) {
	t.Parallel()
	for _, test := range ownCases {
		t.Run(test.attribute+" "+test.reason, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			last := acctest.Noop(w.config(test.after))
			if !test.noop {
				checked := acctest.Is(address, "deployment.generation", knownvalue.Int64Exact(1))
				if test.reason != "" {
					checked = acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it ("+test.reason+")"))
				}
				last = acctest.Change(w.config(test.after), address, plancheck.ResourceActionUpdate, checked)
			}
			acctest.RunFake(t, acctest.Apply(w.config(test.before)), last)
		})
	}
}

func TestChanges_OfAGrootJobHaveACaseEach(t *testing.T) {
	t.Parallel()
	var resp fwresource.SchemaResponse
	groot.NewJobResource().Schema(t.Context(), fwresource.SchemaRequest{}, &resp)
	for _, problem := range groot.Changes().Check(resp.Schema) {
		t.Error(problem)
	}
	own := []string{"entry_class", "args"}
	for _, row := range groot.Changes().Settable() {
		for _, prefix := range []string{"extra_", "sections", "secrets", "delivery."} {
			if strings.HasPrefix(row.Attribute, prefix) {
				own = append(own, row.Attribute)
			}
		}
	}
	for _, attribute := range own {
		if !slices.ContainsFunc(ownCases, func(c struct {
			attribute, before, after string
			reason                   string
			noop                     bool
		},
		) bool {
			return c.attribute == attribute
		}) {
			t.Errorf("no case changes %s", attribute)
		}
	}
}

func TestFlow_GrootJob_C44_AnotherSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.config(`sections = "sources: {clicks: {batch: 10, type: kafka}}\nn: 12345678901234567890\n"`, `env = { execution_buffer_timeout = "1 s" }`)
	acctest.RunFake(t,
		acctest.Apply(first),
		// JSON, keys in another order, 10.0, a comment, milliseconds.
		acctest.Noop(w.config(`sections = jsonencode({ n = 12345678901234567890, sources = { clicks = { type = "kafka", batch = 10 } } })`, `env = { execution_buffer_timeout = "1 s" }`)),
		acctest.Noop(w.config(`sections = "# why\nn: 12345678901234567890\nsources:\n  clicks:\n    type: 'kafka'\n    batch: 10.0\n"`, `env = { execution_buffer_timeout = "1 s" }`)),
		acctest.Noop(w.config(`sections = "sources: {clicks: {batch: 10, type: kafka}}\nn: 12345678901234567890\n"`, `env = { execution_buffer_timeout = "1000" }`)),
		// The last digit of a large number counts.
		acctest.Change(w.config(`sections = "sources: {clicks: {batch: 10, type: kafka}}\nn: 12345678901234567891\n"`, `env = { execution_buffer_timeout = "1 s" }`), address, plancheck.ResourceActionUpdate,
			acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (sections)"))),
	)
}

func TestFlow_GrootJob_TheFileIsDeliveredAsItIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	encoded := base64.StdEncoding.EncodeToString([]byte(plainFile))
	acctest.RunFake(t,
		acctest.Apply(w.config(sections, `args = ["--verbose", ""]`), acctest.Outside(w.given("--verbose", "", "--config", encoded))),
		acctest.Apply(w.config(sections, `delivery = { form = "inline", argument = "-c" }`), acctest.Outside(w.given("-c", plainFile))),
		acctest.Apply(w.config(sections, `delivery = { argument = "" }`), acctest.Outside(w.given(encoded))),
		acctest.Apply(w.config(sections, `delivery = { form = "path", path = "/opt/groot/job.yaml" }`), acctest.Outside(w.given("--config", "/opt/groot/job.yaml")),
			acctest.Is(address, "rendered", knownvalue.StringExact(plainFile))),
		// What the file has to be is what the program is.
		acctest.Change(w.config(`sections = "a: b"`, `delivery = { form = "path", path = "/opt/groot/job.yaml" }`), address, plancheck.ResourceActionUpdate,
			acctest.Is(address, "deployment.change", knownvalue.StringExact("stop with savepoint, start from it (sections)"))),
	)
}
