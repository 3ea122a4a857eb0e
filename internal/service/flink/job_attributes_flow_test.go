// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// class is what a change of an attribute does to the job.
type class int

const (
	none class = iota
	restart
	suspend
)

// attributeCase is one attribute, its value before and after a change, and
// what the server must have seen.
type attributeCase struct {
	attribute     string
	before, after string
	class         class
	// at is where the value after the change is in state, and what it is.
	at    string
	value knownvalue.Check
	// seen checks the job that runs after the change.
	seen func(job flinkfake.JobSnapshot) error
}

func attributeCases(w *world, v1, v2, savepoint string) []attributeCase {
	text := func(s string) knownvalue.Check { return knownvalue.StringExact(s) }
	return []attributeCase{
		{
			attribute: "name", before: `name = "counter"`, after: `name = "renamed"`, class: restart, at: "name", value: text("renamed"),
			seen: func(j flinkfake.JobSnapshot) error { return equal(j.Name, "renamed") },
		},
		{
			attribute: "jar", before: source(v1), after: source(v2), class: restart, at: "jar.source", value: text(v2),
			seen: func(j flinkfake.JobSnapshot) error { return w.noOtherJar(j.JarID) },
		},
		{
			attribute: "jar.sha256", before: source(v1), after: fmt.Sprintf("jar = {\n    source = %q\n    sha256 = filesha256(%q)\n  }", v2, v2), class: restart, at: "jar.source", value: text(v2),
			seen: func(j flinkfake.JobSnapshot) error { return w.noOtherJar(j.JarID) },
		},
		{
			attribute: "entry_class", before: "", after: `entry_class = "` + counter + `"`, class: restart, at: "entry_class", value: text(counter),
			seen: func(j flinkfake.JobSnapshot) error { return equal(j.EntryClass, counter) },
		},
		{
			attribute: "args", before: `args = ["--plain"]`, after: `args = ["--plain", "--label", "a=\"b c\";", "", "é", "line1\nline2"]`, class: restart,
			at: "args", value: knownvalue.ListSizeExact(6),
			seen: func(j flinkfake.JobSnapshot) error {
				return equal(strings.Join(j.Args, "|"), "--plain|--label|a=\"b c\";||é|line1\nline2")
			},
		},
		{
			attribute: "parallelism", before: "parallelism = 1", after: "parallelism = 2", class: restart, at: "parallelism", value: knownvalue.Int64Exact(2),
			seen: func(j flinkfake.JobSnapshot) error { return equal(fmt.Sprint(j.Parallelism), "2") },
		},
		{
			attribute: "max_parallelism", before: "", after: "max_parallelism = 128", class: restart, at: "max_parallelism", value: knownvalue.Int64Exact(128),
			seen: func(j flinkfake.JobSnapshot) error { return equal(fmt.Sprint(j.MaxParallelism), "128") },
		},
		{
			attribute: "configuration", before: `configuration = { "execution.checkpointing.interval" = "10 s" }`, after: `configuration = { "execution.checkpointing.interval" = "20 s" }`, class: restart,
			at: "configuration", value: knownvalue.MapExact(map[string]knownvalue.Check{"execution.checkpointing.interval": text("20 s")}),
			seen: func(j flinkfake.JobSnapshot) error {
				return equal(j.FlinkConfiguration["execution.checkpointing.interval"], "20 s")
			},
		},
		{attribute: "state", before: `state = "running"`, after: `state = "suspended"`, class: suspend, at: "state", value: text("suspended")},
		{attribute: "restart_trigger", before: "", after: `restart_trigger = "2"`, class: restart, at: "restart_trigger", value: text("2")},
		{attribute: "restore_from", before: "", after: `restore_from = "` + savepoint + `"`, class: none, at: "restore_from", value: text(savepoint)},
		{
			attribute: "restore_trigger", before: `restore_from = "` + savepoint + `"`, after: `restore_from = "` + savepoint + "\"\n  restore_trigger = \"1\"", class: restart, at: "restore_trigger", value: text("1"),
			seen: func(j flinkfake.JobSnapshot) error { return equal(j.RestoredFrom, savepoint) },
		},
		{attribute: "upgrade.mode", before: "", after: `upgrade = { mode = "stateless" }`, class: none, at: "upgrade.mode", value: text("stateless")},
		{attribute: "upgrade.savepoint_directory", before: "", after: `upgrade = { savepoint_directory = "file:///fake/other" }`, class: none, at: "upgrade.savepoint_directory", value: text("file:///fake/other")},
		{attribute: "upgrade.keep_savepoints", before: "upgrade = { keep_savepoints = 3 }", after: "upgrade = { keep_savepoints = 1 }", class: none, at: "upgrade.keep_savepoints", value: knownvalue.Int64Exact(1)},
		{attribute: "upgrade.savepoint_format", before: "", after: `upgrade = { savepoint_format = "NATIVE" }`, class: none, at: "upgrade.savepoint_format", value: text("NATIVE")},
		{attribute: "upgrade.drain", before: "", after: `upgrade = { drain = true }`, class: none, at: "upgrade.drain", value: knownvalue.Bool(true)},
		{attribute: "upgrade.allow_non_restored_state", before: "", after: `upgrade = { allow_non_restored_state = true }`, class: none, at: "upgrade.allow_non_restored_state", value: knownvalue.Bool(true)},
		{attribute: "upgrade.rollback_on_failure", before: "", after: `upgrade = { rollback_on_failure = false }`, class: none, at: "upgrade.rollback_on_failure", value: knownvalue.Bool(false)},
		{attribute: "on_destroy", before: cancel, after: `on_destroy = "detach"`, class: none, at: "on_destroy", value: text("detach")},
		{attribute: "on_finished", before: "", after: `on_finished = "rerun"`, class: none, at: "on_finished", value: text("rerun")},
		{attribute: "adopt_existing", before: "", after: `adopt_existing = true`, class: none, at: "adopt_existing", value: knownvalue.Bool(true)},
		{attribute: "cluster_moved", before: "", after: `cluster_moved = true`, class: none, at: "cluster_moved", value: knownvalue.Bool(true)},
		{attribute: "timeouts", before: `timeouts = { create = "5 min" }`, after: `timeouts = { create = "6 min", update = "30m", delete = "5m" }`, class: none, at: "timeouts.create", value: text("6 min")},
	}
}

// TestFlow_FlinkJob_EachAttributeIsCreatedKeptAndChanged creates a job with a
// value, plans nothing, changes the value, and compares what the plan said
// with what the server saw.
func TestFlow_FlinkJob_EachAttributeIsCreatedKeptAndChanged(t *testing.T) {
	t.Parallel()
	for _, c := range attributeCases(&world{}, "", "", "") {
		t.Run(c.attribute, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			savepoint := w.savepoint(t)
			c := w.attributeCase(t, c.attribute, savepoint)
			before, after := w.config(t, c.before), w.config(t, c.after)
			var first string
			acctest.RunFake(t,
				acctest.Apply(before, acctest.Is(jobAddress, "state", knownvalue.StringExact("running")), acctest.Outside(func() error {
					job, err := w.only()
					first = job.ID
					w.ForgetRequests()
					return err
				})),
				acctest.Noop(before),
				acctest.Change(after, jobAddress, plancheck.ResourceActionUpdate, acctest.Is(jobAddress, c.at, c.value), acctest.Outside(func() error {
					return w.changed(c, first)
				})),
			)
		})
	}
}

// TestFlow_FlinkJob_EachAttributeIsImported imports a job that was started
// with the value: what Flink cannot tell is taken over without a restart.
func TestFlow_FlinkJob_EachAttributeIsImported(t *testing.T) {
	t.Parallel()
	for _, c := range attributeCases(&world{}, "", "", "") {
		if c.attribute == "state" {
			continue // TestFlow_FlinkJob_AStoppedJobIsImportedAsSuspended
		}
		t.Run(c.attribute, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.attributeCase(t, c.attribute, w.savepoint(t))
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
				acctest.Noop(config),
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

// attributeCase is the case of this world's files.
func (w *world) attributeCase(t *testing.T, attribute, savepoint string) attributeCase {
	t.Helper()
	cases := attributeCases(w, w.jar(t, "v1.jar", "1"), w.jar(t, "v2.jar", "2"), savepoint)
	i := slices.IndexFunc(cases, func(c attributeCase) bool { return c.attribute == attribute })
	return cases[i]
}

// config is a job with the attribute, and what every job needs.
func (w *world) config(t *testing.T, attribute string) string {
	t.Helper()
	attributes := []string{attribute}
	for key, fallback := range map[string]string{"name": named, "jar": source(w.jar(t, "v1.jar", "1")), "on_destroy": cancel} {
		if !strings.HasPrefix(attribute, key+" ") {
			attributes = append(attributes, fallback)
		}
	}
	return w.job(attributes...)
}

// changed compares the class with what the server saw.
func (w *world) changed(c attributeCase, first string) error {
	switch c.class {
	case none:
		if writes := w.writes(); len(writes) > 0 {
			return fmt.Errorf("a change of class none sent %v", writes)
		}
		return nil
	case suspend:
		if jobs := w.live(); len(jobs) > 0 {
			return fmt.Errorf("still live: %+v", jobs)
		}
		return nil
	case restart:
	}
	job, err := w.only()
	if err != nil {
		return err
	}
	if job.ID == first {
		return fmt.Errorf("job %s was not restarted", first)
	}
	if job.RestoredFrom == "" {
		return fmt.Errorf("job %s was started without state", job.ID)
	}
	if c.seen != nil {
		return c.seen(job)
	}
	return nil
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
