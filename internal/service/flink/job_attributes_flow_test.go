// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fwresource "github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/flink"
)

// attributeCase is a change of one attribute; what it does is in the table of
// changes.
type attributeCase struct {
	attribute     string
	before, after string
	// same is the value before the change in another spelling.
	same string
	// at is where the value after the change is in state, and what it is.
	at    string
	value knownvalue.Check
	// reason is how deployment.change names it, if not as the attribute.
	reason string
	// seen checks the job that runs after the change.
	seen func(job flinkfake.JobSnapshot) error
	// adaptive is a case of a cluster with the adaptive scheduler.
	adaptive bool
}

func attributeCases(w *world, files caseFiles) []attributeCase {
	text := func(s string) knownvalue.Check { return knownvalue.StringExact(s) }
	upgrade := func(name, before, after string, value knownvalue.Check) attributeCase {
		c := attributeCase{attribute: "upgrade." + name, after: "upgrade = { " + name + " = " + after + " }", at: "upgrade." + name, value: value}
		if before != "" {
			c.before = "upgrade = { " + name + " = " + before + " }"
		}
		return c
	}
	timeout := func(name string) attributeCase {
		return attributeCase{
			attribute: "timeouts." + name, before: "timeouts = { " + name + ` = "5 min" }`, same: "timeouts = { " + name + ` = "300s" }`,
			after: "timeouts = { " + name + ` = "6 min" }`, at: "timeouts." + name, value: text("6 min"),
		}
	}
	interval := func(value string) string { return configuration("execution.checkpointing.interval", value) }
	restore := fmt.Sprintf("restore_from = %q", files.savepoint)
	return []attributeCase{
		{
			attribute: "name", before: named, after: `name = "renamed"`, at: "name", value: text("renamed"),
			seen: func(j flinkfake.JobSnapshot) error { return equal(j.Name, "renamed") },
		},
		{
			attribute: "jar.sha256", before: source(files.v1), after: source(files.v2), at: "jar.source", value: text(files.v2), reason: "jar",
			seen: func(j flinkfake.JobSnapshot) error { return w.noOtherJar(j.JarID) },
		},
		{attribute: "jar.source", before: source(files.v1), after: source(files.copied), at: "jar.source", value: text(files.copied)},
		{attribute: "jar.url", before: files.byURL("/v1.jar"), after: files.byURL("/mirror/v1.jar"), at: "jar.url", value: text(files.url + "/mirror/v1.jar")},
		{attribute: "jar.id", before: files.byID(0), after: files.byID(1), at: "jar.id", value: text(files.ids[1])},
		{
			attribute: "entry_class", before: "", after: fmt.Sprintf("entry_class = %q", counter), at: "entry_class", value: text(counter),
			seen: func(j flinkfake.JobSnapshot) error { return equal(j.EntryClass, counter) },
		},
		{
			attribute: "args", before: args("--plain"), after: args("--plain", "--label", `a="b c";`, "", "é", "line1\nline2"),
			at: "args", value: knownvalue.ListSizeExact(6),
			seen: func(j flinkfake.JobSnapshot) error {
				return equal(strings.Join(j.Args, "|"), "--plain|--label|a=\"b c\";||é|line1\nline2")
			},
		},
		{
			attribute: "parallelism", before: "parallelism = 1", after: "parallelism = 2", at: "parallelism", value: knownvalue.Int64Exact(2),
			seen: func(j flinkfake.JobSnapshot) error { return equal(fmt.Sprint(j.Parallelism), "2") },
		},
		{
			attribute: "parallelism", adaptive: true, before: "parallelism = 1\n  " + frequent, after: "parallelism = 2\n  " + frequent,
			at: "parallelism", value: knownvalue.Int64Exact(2),
		},
		{
			attribute: "max_parallelism", before: "", after: "max_parallelism = 128", at: "max_parallelism", value: knownvalue.Int64Exact(128),
			seen: func(j flinkfake.JobSnapshot) error { return equal(fmt.Sprint(j.MaxParallelism), "128") },
		},
		{
			attribute: "configuration", before: interval("10 s"), same: interval("PT10S"), after: interval("20 s"),
			at: "configuration", value: knownvalue.MapExact(map[string]knownvalue.Check{"execution.checkpointing.interval": text("20 s")}),
			seen: func(j flinkfake.JobSnapshot) error {
				return equal(j.FlinkConfiguration["execution.checkpointing.interval"], "20 s")
			},
		},
		{attribute: "state", before: `state = "running"`, after: `state = "suspended"`, at: "state", value: text("suspended")},
		{attribute: "restart_trigger", before: "", after: `restart_trigger = "2"`, at: "restart_trigger", value: text("2")},
		{attribute: "restore_from", before: "", after: restore, at: "restore_from", value: text(files.savepoint)},
		{
			attribute: "restore_trigger", before: restore, after: restore + "\n  restore_trigger = \"1\"", at: "restore_trigger", value: text("1"),
			seen: func(j flinkfake.JobSnapshot) error { return equal(j.RestoredFrom, files.savepoint) },
		},
		{
			attribute: "bundle.sha256", before: files.bundle(0), after: files.bundle(1), at: "bundle.sha256", value: text(bundleHashes[1]), reason: "bundle",
			seen: func(j flinkfake.JobSnapshot) error {
				return equal(j.FlinkConfiguration["python.files"], "/fake/flink-web-upload/"+files.bundles[1])
			},
		},
		{attribute: "bundle.id", before: files.bundle(1), after: files.bundle(2), at: "bundle.id", value: text(files.bundles[1])},
		upgrade("mode", "", `"stateless"`, text("stateless")),
		upgrade("savepoint_directory", "", `"file:///fake/other"`, text("file:///fake/other")),
		upgrade("keep_savepoints", "3", "1", knownvalue.Int64Exact(1)),
		upgrade("savepoint_format", "", `"NATIVE"`, text("NATIVE")),
		upgrade("drain", "", "true", knownvalue.Bool(true)),
		upgrade("allow_non_restored_state", "", "true", knownvalue.Bool(true)),
		upgrade("rollback_on_failure", "", "false", knownvalue.Bool(false)),
		{attribute: "on_destroy", before: cancel, after: `on_destroy = "detach"`, at: "on_destroy", value: text("detach")},
		{attribute: "on_finished", before: "", after: `on_finished = "rerun"`, at: "on_finished", value: text("rerun")},
		{attribute: "adopt_existing", before: "", after: `adopt_existing = true`, at: "adopt_existing", value: knownvalue.Bool(true)},
		{attribute: "cluster_moved", before: "", after: `cluster_moved = true`, at: "cluster_moved", value: knownvalue.Bool(true)},
		timeout("create"), timeout("update"), timeout("delete"),
	}
}

// name is the case's name as a subtest.
func (c attributeCase) name() string {
	if c.adaptive {
		return c.attribute + " on the adaptive scheduler"
	}
	return c.attribute
}

// TestChanges_EachAttributeHasARowAndACase fails for an attribute of which
// nothing says what its change does, and for one that no case changes.
func TestChanges_EachAttributeHasARowAndACase(t *testing.T) {
	t.Parallel()
	covered := map[string][]string{flink.JarType: jarCases, flink.SavepointType: savepointCases, flink.PythonJobType: append(sharedAttributes(), pythonJobCases...), flink.SQLJobType: append(sharedAttributes(), sqlJobCases...)}
	for _, c := range attributeCases(&world{}, caseFiles{}) {
		covered[flink.JobType] = append(covered[flink.JobType], c.attribute)
		row, ok := flink.Changes()[flink.JobType].Row(c.attribute)
		if !ok || row.Respelled != (c.same != "") {
			t.Errorf("the case of %s has no row, or not its spellings", c.attribute)
		}
	}
	for attribute := range pythonCases() {
		covered[flink.JobType] = append(covered[flink.JobType], attribute)
	}
	for _, kind := range kinds(t) {
		table, ok := flink.Changes()[kind]
		if !ok {
			t.Errorf("%s has no table of changes", kind)
		}
		for _, problem := range table.Check(schemaOf(t, kind)) {
			t.Errorf("%s: %s", kind, problem)
		}
		for _, row := range table.Settable() {
			if !slices.Contains(covered[kind], row.Attribute) {
				t.Errorf("%s: no case changes %s", kind, row.Attribute)
			}
		}
	}
}

// kinds are the types of the package's resources.
func kinds(t *testing.T) []string {
	t.Helper()
	var types []string
	for _, constructor := range flink.Resources() {
		var meta fwresource.MetadataResponse
		constructor().Metadata(t.Context(), fwresource.MetadataRequest{}, &meta)
		types = append(types, meta.TypeName)
	}
	return types
}

func schemaOf(t *testing.T, kind string) schema.Schema {
	t.Helper()
	for _, constructor := range flink.Resources() {
		var meta fwresource.MetadataResponse
		one := constructor()
		one.Metadata(t.Context(), fwresource.MetadataRequest{}, &meta)
		if meta.TypeName == kind {
			var resp fwresource.SchemaResponse
			one.Schema(t.Context(), fwresource.SchemaRequest{}, &resp)
			return resp.Schema
		}
	}
	t.Fatalf("there is no resource %s", kind)
	return schema.Schema{}
}

// TestFlow_FlinkJob_C25_C26_EachAttributeDoesWhatItsPlanSays creates a job with
// a value, changes the value and, if that does something, back, and compares the table of
// changes, what the plan said, and what the server saw. Nothing replaces a job.
func TestFlow_FlinkJob_C25_C26_EachAttributeDoesWhatItsPlanSays(t *testing.T) {
	t.Parallel()
	for i, c := range attributeCases(&world{}, caseFiles{}) {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			w, c := caseWorld(t, i)
			before, after := w.config(t, c.before), w.config(t, c.after)
			row, _ := flink.Changes()[flink.JobType].Row(c.attribute)
			steps := []resource.TestStep{
				acctest.Apply(before, acctest.Is(jobAddress, "state", knownvalue.StringExact("running")), acctest.Outside(func() error { w.ForgetRequests(); return nil })),
			}
			if c.same != "" {
				steps = append(steps, acctest.Noop(w.config(t, c.same)))
			}
			if row.Class == changes.Ignored {
				acctest.RunFake(t, append(steps, acctest.Noop(after))...)
				return
			}
			there := w.change(after, c.expected(row, false))
			there.ConfigStateChecks = append(there.ConfigStateChecks, acctest.Is(jobAddress, c.at, c.value), acctest.Outside(func() error {
				if row.Class == changes.Suspend {
					return nil
				}
				job, err := w.only()
				if err != nil || c.seen == nil {
					return err
				}
				return c.seen(job)
			}))
			steps = append(steps, there)
			// The earlier bundle is gone then; its own resource would upload it again.
			if row.Class != changes.None && c.attribute != "bundle.sha256" {
				steps = append(steps, w.change(before, c.expected(row, true)))
			}
			acctest.RunFake(t, steps...)
		})
	}
}

// TestFlow_FlinkJob_EachAttributeIsImported imports a job that was started
// with the value: what Flink cannot tell is taken over without a restart.
func TestFlow_FlinkJob_EachAttributeIsImported(t *testing.T) {
	t.Parallel()
	for i, c := range attributeCases(&world{}, caseFiles{}) {
		switch c.attribute {
		case "state":
			continue // TestFlow_FlinkJob_AStoppedJobIsImportedAsSuspended
		case "bundle.id":
			continue // bundle.sha256 comes with one
		}
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			w, c := caseWorld(t, i)
			name := "counter"
			if c.attribute == "name" {
				name = "renamed"
			}
			id := w.start(t, name)
			w.ForgetRequests()
			config := w.config(t, c.after)
			acctest.RunFake(t,
				resource.TestStep{Config: config, ResourceName: jobAddress, ImportState: true, ImportStateId: id, ImportStatePersist: true},
				acctest.Change(config, jobAddress, plancheck.ResourceActionUpdate, acctest.Is(jobAddress, c.at, c.value),
					acctest.Is(jobAddress, "job_id", knownvalue.StringExact(id)), acctest.Outside(func() error {
						if writes := w.writes(); len(writes) > 0 {
							return fmt.Errorf("the import and its take-over sent %v", writes)
						}
						return nil
					})),
			)
		})
	}
}

func TestFlow_FlinkJob_AStoppedJobIsImportedAsSuspended(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.start(t, "counter")
	savepoint := w.outsider(t).stop(t, id, "file:///fake/theirs")
	w.ForgetRequests()
	config := w.job(named, source(w.jar(t, "app.jar")), cancel, `state = "suspended"`)
	acctest.RunFake(t,
		resource.TestStep{Config: config, ResourceName: jobAddress, ImportState: true, ImportStateId: id, ImportStatePersist: true},
		acctest.Change(config, jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "state", knownvalue.StringExact("suspended")),
			acctest.Is(jobAddress, "savepoint_path", knownvalue.StringExact(savepoint)),
			acctest.Outside(func() error {
				if writes := w.writes(); len(writes) > 0 {
					return fmt.Errorf("the import and its take-over sent %v", writes)
				}
				return nil
			})),
		acctest.Noop(config),
		acctest.Apply(w.job(named, source(w.jar(t, "app.jar")), cancel),
			acctest.Outside(w.expectLive(func(path string) bool { return path == savepoint }))),
	)
}

func equal(got, want string) error {
	if got != want {
		return fmt.Errorf("the server saw %q instead of %q", got, want)
	}
	return nil
}

// noOtherJar checks that the upload which the job moved off is gone.
func (w *world) noOtherJar(id string) error {
	for _, jar := range w.Jars() {
		if jar.ID != id && strings.HasPrefix(jar.Name, "v") {
			return fmt.Errorf("jar %s was left behind", jar.ID)
		}
	}
	return nil
}

// What an imported job was started from may be known to nobody any more.
func TestFlow_FlinkJob_AnImportedJobGoesOnWithoutItsJarUntilSomethingStartsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.start(t, "counter")
	w.ForgetRequests()
	bare := w.job(named, cancel, "adopt_existing = true")
	jar := source(w.jar(t, "app.jar"))
	untouched := acctest.Outside(func() error {
		if writes := w.writes(); len(writes) > 0 {
			return fmt.Errorf("the import and its take-over sent %v", writes)
		}
		return nil
	})
	acctest.RunFake(t,
		resource.TestStep{Config: bare, ResourceName: jobAddress, ImportState: true, ImportStateId: id, ImportStatePersist: true},
		acctest.Apply(bare, acctest.Is(jobAddress, "job_id", knownvalue.StringExact(id)), untouched),
		acctest.Noop(bare),
		acctest.Fails(w.job(named, cancel), "jar is missing", "No job can be started without it", "adopt_existing = true"),
		acctest.Change(w.job(named, cancel, jar, args("--plain")), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "job_id", knownvalue.StringExact(id)), untouched),
		acctest.Change(w.job(named, cancel, jar, args("--plain", "1")), jobAddress, plancheck.ResourceActionUpdate,
			acctest.Is(jobAddress, "deployment.change", knownvalue.StringExact(because("args")))),
		acctest.Fails(bare, "jar is missing", "This plan would do", "Set jar"),
		acctest.Apply(w.job(named, cancel, "adopt_existing = true", `state = "suspended"`)),
		acctest.Fails(bare, "jar is missing", "This plan would do", "Set jar"),
	)
}

func TestFlow_FlinkJob_WithoutAJarNothingIsCreated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(t, "counter")
	w.ForgetRequests()
	acctest.RunFake(t, acctest.Fails(w.job(named, "adopt_existing = true"), "jar is missing", "Only an imported job can do without it"))
	if writes := w.writes(); len(writes) > 0 {
		t.Errorf("sent %v", writes)
	}
}
