// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// operation is what one apply does to a job.
type operation struct {
	name string
	// kind is the resource's type, empty for a job from a jar. Other kinds run on
	// the fake alone: on a real engine they differ in what they submit.
	kind string
	// setUp are the configurations that were applied before.
	setUp []job
	// stopFails makes the last apply of setUp fail for a directory that cannot
	// be written, which is mended then.
	stopFails bool
	// do is what is applied, nil to destroy.
	do job
	// doomed lets do itself fail for such a directory, which is mended before next.
	doomed bool
	// next are the configurations that are applied afterwards, one by one.
	next map[configuration][]job
	// unowned leaves owner out of the provider's configuration.
	unowned bool
	// adaptive runs on the adaptive scheduler.
	adaptive bool
	// flink114 runs on Flink 1.14, and on the fake alone: there the cluster takes
	// no configuration with a job. retains is one that keeps checkpoints.
	flink114, retains bool
	// unmarked lets the jobs of others there have no marker, as the job itself:
	// then nothing tells which jar they need.
	unmarked bool
}

// further tells whether the operation is one of those that share most of their
// way with those of a job from a jar.
func (o operation) further() bool { return o.kind != "" || o.flink114 }

// configuration is which one the next apply comes with.
type configuration int

const (
	same configuration = iota
	changed
	reverted
)

var configurations = []configuration{same, changed, reverted}

func (c configuration) String() string {
	return [...]string{"the same", "a changed", "the reverted"}[c]
}

// Which jar a configuration names; a bench puts the file in.
const (
	oldJar = "old.jar"
	newJar = "new.jar"
	// otherJar is what the jobs of others run.
	otherJar = "other.jar"
)

// labelled is a counting job whose label can be seen on the cluster. A program
// with arguments registers its own global parameters, which overwrites the
// marker, unless told --plain.
func labelled(label string, plain bool) job {
	args := []string{"--label", label, "--rate", "100"}
	if plain {
		args = append(args, "--plain")
	}
	return job{
		"jar": map[string]any{"source": oldJar}, "entry_class": entryClass, "args": args, "parallelism": 1,
		"configuration": map[string]any{
			"execution.checkpointing.interval": "1 s",
			"pipeline.global-job-parameters":   "label:" + label,
		},
	}
}

var (
	first, second, third = labelled("a", true), labelled("b", true), labelled("c", true)

	suspended = map[string]any{"state": "suspended"}
	lastState = map[string]any{"upgrade": map[string]any{"mode": "last_state"}}
)

func nextOf(same, changed, reverted job) map[configuration][]job {
	return map[configuration][]job{0: {same}, 1: {changed}, 2: {reverted}}
}

// operations are all that a job's life consists of, and for each further kind of
// job those that go another way there: a start, and what begins with a stop.
var operations = slices.Concat(jarOperations,
	operationsOf(pythonJobType, "Python: ", pythonJob("a"), pythonJob("b"), pythonJob("c")),
	operationsOf(sqlJobType, "SQL: ", sqlJob("a"), sqlJob("b"), sqlJob("c")),
	operationsOf(grootJobType, "Groot Stream: ", grootJob("a"), grootJob("b"), grootJob("c")),
	operationsOf(streamparkJobType, "StreamPark: ", streamparkJob("a"), streamparkJob("b"), streamparkJob("c")),
	flink114Operations(),
	on114(operationsOf(daggerJobType, "Dagger: ", daggerJob("a"), daggerJob("b"), daggerJob("c"))),
)

// operationsOf are those of a kind of job, with three versions of one.
func operationsOf(kind, prefix string, first, second, third job) []operation {
	off, again := first.with(suspended), first.with(map[string]any{"restart_trigger": "1"})
	all := []operation{
		{name: "create", do: first, next: map[configuration][]job{same: {first}, changed: {second}, reverted: {nil, first}}},
		{name: "create without owner", do: first, unowned: true, next: map[configuration][]job{same: {first}, changed: {second}, reverted: {nil, first}}},
		{name: "upgrade", setUp: []job{first}, do: second, next: nextOf(second, third, first)},
		{name: "suspend", setUp: []job{first}, do: off, next: nextOf(off, second.with(suspended), first)},
		{name: "resume", setUp: []job{first, off}, do: first, next: nextOf(first, second, off)},
		{name: "restart", setUp: []job{first}, do: again, next: nextOf(again, first.with(map[string]any{"restart_trigger": "2"}), first)},
		{name: "destroy", setUp: []job{first}, do: nil, next: nextOf(nil, second, first)},
		{name: "upgrade whose stop fails", setUp: []job{first}, do: second, doomed: true, next: nextOf(second, third, first)},
	}
	for i := range all {
		all[i].name, all[i].kind = prefix+all[i].name, kind
	}
	return all
}

// pythonJob is a Python program, whose bundle a bench puts in.
func pythonJob(label string) job {
	return job{
		"jar": map[string]any{"source": oldJar}, "module": bundleModule, "args": []string{"--label", label, "--rate", "100"}, "parallelism": 1,
		"configuration": map[string]any{"execution.checkpointing.interval": "1 s", "pipeline.global-job-parameters": "label:" + label},
	}
}

// sqlJob is a pipeline.
func sqlJob(label string) job {
	return job{
		"setup_statements": []string{
			"CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '1000000000')",
			"CREATE TABLE results (n BIGINT) WITH ('connector' = 'blackhole')",
		},
		"parallelism":   1,
		"statement":     "INSERT INTO results SELECT n FROM numbers WHERE n <> CHAR_LENGTH('" + label + "')",
		"configuration": map[string]any{"execution.checkpointing.interval": "1 s", "pipeline.global-job-parameters": "label:" + label},
	}
}

// grootJob is a program with a job file.
func grootJob(label string) job {
	return labelled(label, true).with(job{"sections": "filters: { label: { value: " + label + " } }"})
}

// streamparkJob is what StreamPark's client runs. Like the client, the program
// overwrites the marker.
func streamparkJob(label string) job {
	return labelled(label, false).with(job{"sql": "INSERT INTO results SELECT n FROM numbers WHERE n <> CHAR_LENGTH('" + label + "')"})
}

// jarOperations are those of a job from a jar.
var jarOperations = []operation{
	{
		name: "create", do: first,
		// A create is reverted by taking the job out again; then it comes back.
		next: map[configuration][]job{same: {first}, changed: {second}, reverted: {nil, first}},
	},
	{
		name: "create, marker overwritten", do: labelled("a", false),
		next: map[configuration][]job{
			same: {labelled("a", false)}, changed: {labelled("b", false)}, reverted: {nil, labelled("a", false)},
		},
	},
	{name: "create without owner", do: first, unowned: true, next: map[configuration][]job{same: {first}, changed: {second}, reverted: {nil, first}}},
	{name: "upgrade", setUp: []job{first}, do: second, next: nextOf(second, third, first)},
	{
		name: "upgrade, marker overwritten", setUp: []job{labelled("a", false)}, do: labelled("b", false),
		next: nextOf(labelled("b", false), labelled("c", false), labelled("a", false)),
	},
	{
		name: "upgrade of the jar", setUp: []job{first}, do: first.with(jarOf(newJar)),
		next: nextOf(first.with(jarOf(newJar)), second.with(jarOf(newJar)), first),
	},
	{
		name: "upgrade from the last checkpoint", setUp: []job{first.with(lastState)}, do: second.with(lastState),
		next: nextOf(second.with(lastState), third.with(lastState), first.with(lastState)),
	},
	{name: "upgrade after a failed stop", setUp: []job{first, second}, stopFails: true, do: second, next: nextOf(second, third, first)},
	{name: "suspend", setUp: []job{first}, do: first.with(suspended), next: nextOf(first.with(suspended), second.with(suspended), first)},
	{name: "resume", setUp: []job{first, first.with(suspended)}, do: first, next: nextOf(first, second, first.with(suspended))},
	{name: "rescale", setUp: []job{first}, do: parallel(2), next: nextOf(parallel(2), parallel(3), first)},
	{name: "rescale in place", adaptive: true, setUp: []job{first}, do: parallel(2), next: nextOf(parallel(2), parallel(3), first)},
	{name: "restart", setUp: []job{first}, do: triggered("1"), next: nextOf(triggered("1"), triggered("2"), first)},
	{name: "destroy", setUp: []job{first}, do: nil, next: nextOf(nil, second, first)},
	{name: "upgrade whose stop fails", setUp: []job{first}, do: second, doomed: true, next: nextOf(second, third, first)},
}

func jarOf(file string) map[string]any { return map[string]any{"jar": map[string]any{"source": file}} }
func parallel(n int) job               { return first.with(map[string]any{"parallelism": n}) }
func triggered(text string) job        { return first.with(map[string]any{"restart_trigger": text}) }

// wants is what a configuration wants, as far as the cluster shows it.
type wants struct {
	label, jar  string
	parallelism int
	running     bool
}

func (j job) wants() wants {
	if j == nil {
		return wants{}
	}
	args, _ := j["args"].([]string)
	jar, _ := j["jar"].(map[string]any)
	source, _ := jar["source"].(string)
	parallelism, _ := j["parallelism"].(int)
	w := wants{jar: source, parallelism: parallelism, running: j["state"] != "suspended"}
	w.label = labelIn(args)
	if extra, ok := j["extra_configuration"].(map[string]any); ok {
		w.label, _ = extra["label"].(string)
	}
	if configuration, ok := j["configuration"].(map[string]any); ok && w.label == "" {
		parameters, _ := configuration["pipeline.global-job-parameters"].(string)
		w.label = strings.TrimPrefix(parameters, "label:")
	}
	return w
}

// labelIn is the label in a program's arguments, empty for none.
func labelIn(args []string) string {
	if at := slices.Index(args, "--label"); at >= 0 && at+1 < len(args) {
		return args[at+1]
	}
	return ""
}

// named puts what differs between benches into a configuration.
func (j job) named(name string, jars map[string]string, bundle lifecycle.Bundle) job {
	if j == nil {
		return nil
	}
	out := maps.Clone(j)
	out["name"] = name
	if file := j.wants().jar; file != "" {
		out["jar"] = map[string]any{"source": jars[file]}
	}
	if _, isPython := j["module"]; isPython {
		out["bundle"] = map[string]any{"id": bundle.ID, "sha256": bundle.SHA256}
	}
	return out
}
