// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// Severity is what is to become of a finding.
type Severity int

// The severities.
const (
	// Refused is what fails, runs in another way, loses data, or leaves a job
	// that nobody knows of.
	Refused Severity = iota
	// Warned is what the client or Flink ignores, or what may fail.
	Warned
)

// Finding is what is wrong with an attribute.
type Finding struct {
	Severity Severity
	// Attribute is a path with points. Key is that of a map, Index that of a
	// list, -1 without one.
	Attribute string
	Key       string
	Index     int
	// Summary is one line; Detail says why, and what to do.
	Summary, Detail string
}

// Situation is what is known beside the document.
type Situation struct {
	// FlinkVersion is the cluster's, empty where it is not known.
	FlinkVersion string
	// Configuration are Flink's options that go to the cluster beside the file.
	Configuration map[string]string
}

type findings []Finding

func (f *findings) add(severity Severity, attribute, summary, detail string) {
	*f = append(*f, Finding{Severity: severity, Attribute: attribute, Index: -1, Summary: summary, Detail: detail})
}

func (f *findings) extra(severity Severity, key, summary, detail string) {
	*f = append(*f, Finding{Severity: severity, Attribute: Extra, Key: key, Index: -1, Summary: summary, Detail: detail})
}

// checker is a document that is looked at.
type checker struct {
	Document
	Situation
	findings
	// bad are the attributes whose values are not what they should be.
	bad map[string]bool
}

// Check finds what the client or Flink would take and regret. What is not known
// yet is taken to be right.
func Check(d Document, situation Situation) []Finding {
	c := &checker{Document: d, Situation: situation, bad: map[string]bool{}}
	c.layouts()
	if d.Name == "" && !d.Unknown[Name] {
		c.add(Refused, Name, "The job has no name", "StreamPark's client fails over it when the job is already running, and the job goes on as one that nobody knows of.")
	}
	for _, row := range table {
		if value, ok := d.Values[row.Attribute]; ok && row.Elsewhere == "" {
			c.value(row, value)
		}
	}
	c.options()
	c.checkpoints()
	c.state()
	c.restarts()
	c.tables()
	c.memory()
	c.extras()
	c.arguments()
	c.sql()
	c.variables()
	return c.findings
}

func (c *checker) layouts() {
	switch c.Layout {
	case "", Current:
	case Deployment:
		c.add(Warned, LayoutName, "StreamPark 2 reads nothing of this layout",
			"With layout = \"deployment\" all of option and property is below flink.deployment, which StreamPark 2 ignores without a word: the job would run without checkpoints. Keep it only for a client from before version 2.")
	default:
		c.add(Refused, LayoutName, fmt.Sprintf("%q is no layout", c.Layout), "There are \"2.x\" and \"deployment\".")
	}
}

// value checks what concerns one value alone.
func (c *checker) value(row Option, value string) {
	at, text := row.Attribute, flinkvalue.Trim(value)
	fail := func(detail string) {
		c.bad[at] = true
		c.add(Refused, at, fmt.Sprintf("Not a value for %s", at), detail)
	}
	if text == "" {
		c.bad[at] = true
		c.add(Warned, at, at+" is empty", "The client drops it, so that it is the same as not set. Remove it.")
		return
	}
	switch row.Kind {
	case Flag:
		if !strings.EqualFold(text, "true") && !strings.EqualFold(text, "false") {
			fail(fmt.Sprintf("It is %q; Flink takes true and false.", text))
		}
	case Count:
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < row.Min || n > row.Max {
			fail(fmt.Sprintf("It is %q; allowed is a whole number, %s.", text, row.Limits()))
		}
	case Fraction:
		if n, err := strconv.ParseFloat(text, 64); err != nil || !(n >= 0 && n < 1) {
			fail(fmt.Sprintf("It is %q; Flink takes a number from 0 to below 1.", text))
		}
	case Duration:
		c.duration(row, text, fail)
	case Size:
		if _, err := flinkvalue.BareMemory(text); err != nil {
			fail(fmt.Sprintf("Flink cannot read %q: it takes one whole number and one unit, such as \"128 mb\", or a number of bytes; no decimals, and no \"MiB\".", text))
		}
	case Text:
		c.word(row, text, fail)
	}
}

func (c *checker) duration(row Option, text string, fail func(string)) {
	d, err := flinkvalue.BareDuration(text)
	switch {
	case err != nil:
		fail(fmt.Sprintf("Flink cannot read %q: it takes one whole number and one unit (d, h, min, s, ms), such as \"30 s\", or a number of milliseconds.", text))
	case d.Milliseconds() < row.Min:
		fail(fmt.Sprintf("It is %q; Flink takes %s.", text, row.Limits()))
	case c.minuteIsNew() && strings.EqualFold(strings.TrimLeft(text, "0123456789 \t"), "m"):
		fail(fmt.Sprintf("Flink %s does not know the unit in %q. Write \"min\".", c.FlinkVersion, text))
	}
}

// minuteIsNew is true for a Flink that does not know m for minutes.
func (c *checker) minuteIsNew() bool {
	major, rest, _ := strings.Cut(c.FlinkVersion, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	return err == nil && major == "1" && n < 15
}

func (c *checker) word(row Option, text string, fail func(string)) {
	if len(row.Words) == 0 || (row.Attribute == backend || row.Attribute == storage) && strings.Contains(text, ".") {
		return // The class of a factory has points in its name.
	}
	if known := row.word(text); !known || row.Exact && !slices.Contains(row.Words, text) && !slices.Contains(row.Also, text) {
		detail := fmt.Sprintf("It is %q; known are %s.", text, strings.ReplaceAll(row.Limits(), "`", "\""))
		if row.Attribute == backend || row.Attribute == strategy {
			detail += " With anything else the job fails, and stays in Flink's list as failed."
		}
		fail(detail)
	}
}

// options checks what the client ignores, unless it comes out the same.
func (c *checker) options() {
	same := map[string]string{
		detached: "true", allowNonRestored: "false", shutdownOnExit: "false", target: "remote",
	}
	for _, row := range table {
		value, ok := c.Values[row.Attribute]
		memory := strings.HasPrefix(row.Attribute, "memory.")
		if !ok || row.Void == "" || c.bad[row.Attribute] || memory || strings.EqualFold(flinkvalue.Trim(value), same[row.Attribute]) {
			continue
		}
		c.add(Warned, row.Attribute, row.Attribute+" has no effect", row.Void)
	}
	for _, group := range []string{managers, workers} {
		var given []string
		for _, row := range table {
			name, within := strings.CutPrefix(row.Attribute, group+".")
			if _, ok := c.Values[row.Attribute]; ok && within {
				given = append(given, name)
			}
		}
		if len(given) > 0 {
			c.add(Warned, group, group+" has no effect", ofSession+" This goes for "+strings.Join(given, ", ")+".")
		}
	}
}

func (c *checker) checkpoints() {
	if c.flag(unaligned) {
		if c.chosen(mode) == "at_least_once" {
			c.add(Refused, unaligned, "Unaligned checkpoints need EXACTLY_ONCE", "With checkpoint.mode = \"AT_LEAST_ONCE\" each task fails. Remove one of them.")
		}
		if most, ok := c.property("execution.checkpointing.max-concurrent-checkpoints"); ok && flinkvalue.Trim(most) != "1" {
			c.add(Refused, unaligned, "Unaligned checkpoints are taken one at a time",
				"execution.checkpointing.max-concurrent-checkpoints is "+strconv.Quote(flinkvalue.Trim(most))+", over which Flink refuses the job. Remove one of them.")
		}
	}
	if kept := c.chosen(retention); kept == "delete_on_cancellation" || kept == "no_externalized_checkpoints" {
		c.add(Warned, retention, "Checkpoints are lost when the job is cancelled",
			"It cannot go on from one then: upgrade.mode = \"last_state\" does not work, and a job that somebody cancels begins anew. Use RETAIN_ON_CANCELLATION, or leave it out.")
	}
	if c.chosen(tableMode) == "batch" && c.set(interval) {
		c.add(Warned, interval, "A batch job takes no checkpoints", "table.mode is \"batch\": Flink ignores the interval. Remove it.")
	}
}

// chosen is a word that Flink compares without its case, empty for a bad one.
func (c *checker) chosen(attribute string) string {
	if c.bad[attribute] {
		return ""
	}
	return flinkvalue.Trim(strings.ToLower(c.Values[attribute]))
}

func (c *checker) state() {
	kind := c.chosen(backend)
	if kind == "jobmanager" || kind == "filesystem" {
		c.add(Warned, backend, fmt.Sprintf("%q is a word of Flink 1.12", kind), "Later versions take hashmap for it, and Flink 2 may not know it at all. Write \"hashmap\", and state_backend.checkpoint_storage = "+strconv.Quote(kind)+".")
	}
	if c.flag(incremental) && kind != "rocksdb" && kind != "" && !strings.Contains(kind, ".") {
		c.add(Warned, incremental, incremental+" has no effect", "Flink takes incremental checkpoints with state_backend.backend = \"rocksdb\" alone.")
	}
	if c.chosen(storage) == "jobmanager" {
		c.add(Warned, storage, "Checkpoints are lost with the JobManager", "They are kept in its memory, 5 mb for each task at the most. Use \"filesystem\" and state_backend.checkpoints_dir.")
	}
	if directory := flinkvalue.Trim(c.Values[checkpointsDir]); strings.HasPrefix(directory, "file:") || strings.HasPrefix(directory, "/") {
		c.add(Warned, checkpointsDir, "The path is on the cluster's own disks", "It has to be one that each JobManager and TaskManager reaches as the same, such as a shared volume.")
	}
}

// strategies are the words that stand for one strategy.
var strategies = map[string]string{
	"fixed-delay": "fixed_delay", "fixeddelay": "fixed_delay", "failure-rate": "failure_rate", "failurerate": "failure_rate",
}

func (c *checker) restarts() {
	if c.bad[strategy] || c.Unknown[strategy] {
		return
	}
	chosen := strategies[c.chosen(strategy)]
	for _, group := range []string{"fixed_delay", "failure_rate"} {
		prefix := "restart_strategy." + group
		given := slices.ContainsFunc(table, func(o Option) bool {
			_, ok := c.Values[o.Attribute]
			return ok && strings.HasPrefix(o.Attribute, prefix+".")
		})
		switch {
		case !given || chosen == group:
		case c.Values[strategy] == "":
			c.add(Warned, prefix, prefix+" has no effect without a strategy",
				"Flink takes the strategy of the cluster, or its default. Set restart_strategy.strategy = \""+strings.ReplaceAll(group, "_", "-")+"\".")
		default:
			c.add(Warned, prefix, prefix+" has no effect", "restart_strategy.strategy is "+strconv.Quote(c.Values[strategy])+". Remove it.")
		}
	}
}

func (c *checker) tables() {
	const never = "The client looks for it under another name and never finds it: "
	if name := flinkvalue.Trim(c.Values[catalog]); name != "" && name != "default_catalog" {
		c.add(Refused, catalog, catalog+" has no effect", never+"the SQL would run in default_catalog. Write USE CATALOG "+name+"; into the SQL instead.")
	}
	if name := flinkvalue.Trim(c.Values[database]); name != "" && name != "default_database" {
		c.add(Refused, database, database+" has no effect", never+"the SQL would run in default_database. Write USE "+name+"; into the SQL instead.")
	}
	if c.Values[planner] == "old" {
		c.add(Refused, planner, "There is no old planner", never+"the planner is always blink. Remove it, and try whether the SQL means the same.")
	}
}

// extras checks keys that are no attributes.
func (c *checker) extras() {
	for _, key := range slices.Sorted(maps.Keys(c.Extra)) {
		value := c.Extra[key]
		if c.modelled(key) {
			continue
		}
		if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' }) || key == "" {
			c.extra(Refused, key, fmt.Sprintf("%q is no key", key), "Keys are full ones without blanks, such as "+propertyPrefix+"state.backend.rocksdb.localdir.")
			continue
		}
		if flinkvalue.Trim(value) == "" {
			c.extra(Warned, key, key+" is empty", "The client drops it, so that it is the same as not set. Remove it.")
			continue
		}
		name, isProperty := strings.CutPrefix(key, propertyPrefix)
		switch {
		case isProperty:
			c.extraProperty(key, name, value)
		case strings.HasPrefix(key, optionPrefix):
			c.extraOption(key)
		case strings.HasPrefix(key, tablePrefix):
			option := strings.TrimPrefix(key, tablePrefix)
			if !strings.HasPrefix(option, "table.") {
				option = "table." + option
			}
			c.extra(Refused, key, key+" has no effect", "StreamPark reads nothing of flink.table but the mode. Write "+propertyPrefix+option+", or SET '"+option+"' in the SQL.")
		case !strings.HasPrefix(key, appPrefix):
			c.extra(Warned, key, key+" is no key that StreamPark reads",
				"It only shows among the parameters of the job, where the program itself may look for it. Options of Flink begin with "+propertyPrefix+", those of the program with "+appPrefix+".")
		}
	}
}

// modelled refuses keys that an attribute sets.
func (c *checker) modelled(key string) bool {
	section := strings.TrimPrefix(key, "flink.")
	if row, ok := byKey(section); ok && (section != key) != (row.Attribute == SQL) {
		attribute := row.Attribute
		c.extra(Refused, key, key+" has an attribute", "Set "+attribute+" instead.")
		return true
	}
	switch {
	case strings.HasPrefix(key, deploymentPrefix):
		c.extra(Refused, key, "Keys are those of the current layout", "Write flink."+strings.TrimPrefix(key, deploymentPrefix)+"; layout = \"deployment\" puts it where versions before 2 look for it.")
	case strings.HasPrefix(key, sqlPrefix):
		c.extra(Refused, key, key+" has an attribute", "Set sql_by_id instead.")
	case key == "flink", key == "app", key == "flink.option", key == "flink.property", key == "flink.table", key == "flink.deployment":
		c.extra(Refused, key, key+" is a section", "Keys are full ones, such as "+propertyPrefix+"state.backend.rocksdb.localdir.")
	default:
		return false
	}
	return true
}

// Keys of Flink's that do not do in the file what they say.
var misplaced = map[string]string{
	"execution.runtime-mode":                          "It has no effect in the file: the job would run as streaming. Set table.mode instead.",
	"execution.savepoint.path":                        "Each start would begin with it, also one after an upgrade. Set restore_from instead.",
	"execution.state-recovery.path":                   "Each start would begin with it, also one after an upgrade. Set restore_from instead.",
	"execution.savepoint.ignore-unclaimed-state":      "Set upgrade.allow_non_restored_state instead.",
	"execution.state-recovery.ignore-unclaimed-state": "Set upgrade.allow_non_restored_state instead.",
	"pipeline.max-parallelism":                        "Set max_parallelism instead.",
}

func (c *checker) extraProperty(key, name, value string) {
	if instead, ok := misplaced[name]; ok {
		c.extra(Refused, key, name+" does not belong into the file", instead)
		return
	}
	switch version := c.FlinkVersion; {
	case !flinkoptions.Valid(version, name, value):
		c.extra(Refused, key, "Not a value for "+name, "Flink cannot read it, and the job fails. Write one whole number and one unit, such as \"30 s\" or \"64 mb\".")
	case flinkoptions.OfCluster(version, name):
		c.extra(Warned, key, name+" has no effect", "Flink reads it when its own processes start. Set it in the configuration of the session cluster.")
	case !flinkoptions.Declared(name):
		c.extra(Warned, key, name+" is no option of Flink's", "Flink declares none of this name, in the versions that are known, and takes it without a word. Make sure that it is spelled as it should be.")
	}
}

// extraOption checks an option of flink run that the document does not have.
func (c *checker) extraOption(key string) {
	switch name := strings.TrimPrefix(key, optionPrefix); name {
	case "fromSavepoint", "s":
		c.extra(Refused, key, key+" has no effect", ofCLI+" The job would begin without its state. Set restore_from instead.")
	case "t", "d", "n", "sae", "m", "p", "c":
		c.extra(Refused, key, key+" is a short name", "The document wants full names, and StreamPark's client ignores them too. Set the attribute instead, if there is one.")
	default:
		c.extra(Warned, key, key+" has no effect", ofCLI+" Remove it.")
	}
}

// Misplaced tells whether Check refuses a key of Flink's in the file.
func Misplaced(key string) bool {
	_, ok := misplaced[key]
	return ok
}
