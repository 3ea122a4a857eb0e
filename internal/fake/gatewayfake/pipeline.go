// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// insert is a pipeline as far as its job needs it.
type insert struct {
	sink, source string
	rate         float64
	// keeps is true for a source with state: one that counts, or one that reads
	// from somewhere.
	keeps bool
	// narrows is true where not every row and column of the source is used:
	// leaving some out is a step of its own.
	narrows bool
	// form is what its aggregation keeps, "" without one.
	form string
}

// pipeline checks all INSERTs and starts one job of them.
func (e *execution) pipeline(statements []sqlscript.Statement) (outcome, trace) {
	inserts := make([]insert, 0, len(statements))
	for _, s := range statements {
		one, cause := e.check(s)
		if cause != nil {
			return outcome{}, cause
		}
		inserts = append(inserts, one)
	}
	settings := e.settings()
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if cause := badInteger(name, settings[name]); cause != nil {
			return outcome{}, cause
		}
	}
	graph := graphOf(inserts)
	if settings["pipeline.name"] == "" {
		var sinks []string
		for _, one := range inserts {
			sinks = append(sinks, one.sink)
		}
		graph.Name = "insert-into_" + strings.Join(sinks, ",")
	}
	id, err := e.server.cluster.SubmitJob(graph, settings)
	if err != nil {
		return outcome{}, submissionFailed(flinkfake.Causes(err))
	}
	return outcome{jobID: id, columns: []string{"job id"}, rows: [][]any{{id}}}, nil
}

// graphOf makes the job. The ids of its operators come from the shape of the
// query, as those of the planner do: another condition keeps them, but whether
// anything is left out of the source does not. Another key or aggregate keeps
// them too, and what was kept under them does not fit then.
func graphOf(inserts []insert) flinkfake.Graph {
	graph := flinkfake.Graph{Rate: 1}
	for i, one := range inserts {
		n := strconv.Itoa(i)
		graph.Rate = max(graph.Rate, one.rate)
		source := flinkfake.Operator{Name: "Source: " + one.source, UID: "sql-source-" + n, Stateful: one.keeps, Counts: one.form == ""}
		if one.narrows {
			source.Name, source.UID = source.Name+" -> Calc", source.UID+"-calc"
		}
		graph.Operators = append(graph.Operators, source)
		if one.form != "" {
			graph.Operators = append(graph.Operators, flinkfake.Operator{Name: "GroupAggregate -> Calc", UID: "sql-aggregate-" + n, Stateful: true, Counts: true, Form: one.form})
		}
		graph.Operators = append(graph.Operators, flinkfake.Operator{Name: "Sink: " + path.Ext("." + one.sink)[1:], UID: "sql-sink-" + n, Chained: true})
	}
	return graph
}

// submissionFailed is what the cluster's refusal looks like from the gateway:
// what the JobManager answered to a request of its own is in one text.
func submissionFailed(causes []string) trace {
	failed := trace{tableException + "Failed to execute sql"}
	first, last := causes[0], causes[len(causes)-1]
	if strings.HasPrefix(first, argument) && !strings.Contains(first, "JobID") {
		return causes // The planner itself reads what is needed for the graph.
	}
	if !strings.Contains(last, "DuplicateJobSubmissionException") && !strings.Contains(last, "DuplicateApplicationSubmissionException") {
		return append(failed, causes...)
	}
	return append(failed,
		causes[0],
		"org.apache.flink.runtime.client.JobSubmissionException: Failed to submit ExecutionPlan.",
		"org.apache.flink.runtime.rest.util.RestClientException: [Internal server error., <Exception on server side:\n"+last+
			"\n\tat flinkfake.Server.handle(Server.java:1)\n\nEnd of exception on server side>]")
}

// check looks at what an INSERT names, as the planner does.
func (e *execution) check(s sqlscript.Statement) (insert, trace) {
	all := s.Words()
	r := &reader{all}
	_ = r.take("EXECUTE")
	if !r.takeAll("INSERT", "INTO") {
		return insert{}, encountered(all[0])
	}
	catalog, database, name := e.path(r.name())
	one := insert{sink: catalog + "." + database + "." + name, source: "values"}
	sources, cause := e.sources(r.words, &one)
	if cause != nil {
		return insert{}, cause
	}
	if cause := e.checkFunctions(r.words); cause != nil {
		return insert{}, cause
	}
	sink := e.find("TABLE", catalog, database, name)
	if sink == nil {
		return insert{}, trace{validation + fmt.Sprintf("Cannot find table '`%s`.`%s`.`%s`' in any of the catalogs [%s], nor as a temporary table.",
			catalog, database, name, strings.Join(e.catalogs(), ", "))}
	}
	for _, table := range append(sources, sink) {
		if cause := e.checkConnector(table); cause != nil {
			return insert{}, cause
		}
	}
	mentions := func(name string) bool {
		return slices.ContainsFunc(r.words, func(word string) bool { return strings.EqualFold(strings.Trim(word, "`"), name) })
	}
	one.narrows = mentions("WHERE")
	for _, table := range sources {
		one.narrows = one.narrows || slices.ContainsFunc(table.columns, func(name string) bool { return !mentions(name) })
	}
	one.form = formOf(r.words)
	return one, nil
}

// formOf is the key of an aggregation and its functions: what goes into its
// state. What is made of their results does not.
func formOf(all []string) string {
	group := slices.IndexFunc(all, func(word string) bool { return strings.EqualFold(word, "GROUP") })
	if group < 0 {
		return ""
	}
	form := slices.Clone(all[group:])
	for i, word := range all[:group] {
		if end := slices.Index(all[i:], ")"); end > 0 && aggregates[strings.ToUpper(word)] && all[i+1] == "(" {
			form = append(form, strings.ToUpper(strings.Join(all[i:i+end+1], "")))
		}
	}
	return strings.Join(form, " ")
}

var aggregates = map[string]bool{"COUNT": true, "SUM": true, "MIN": true, "MAX": true, "AVG": true}

// sources finds the tables behind FROM and JOIN.
func (e *execution) sources(all []string, one *insert) ([]*object, trace) {
	var found []*object
	for i, word := range all {
		if !strings.EqualFold(word, "FROM") && !strings.EqualFold(word, "JOIN") || i+1 >= len(all) || all[i+1] == "(" || strings.EqualFold(all[i+1], "TABLE") {
			continue
		}
		catalog, database, name := e.path((&reader{slices.Clone(all[i+1:])}).name())
		table := e.find("TABLE", catalog, database, name)
		if table == nil {
			return nil, notValid("Object '" + name + "' not found")
		}
		one.source = name
		if rate, err := strconv.ParseFloat(table.options["rows-per-second"], 64); err == nil {
			one.rate = rate
		}
		one.keeps = one.keeps || table.keeps()
		found = append(found, table)
	}
	return found, nil
}

// keeps tells whether a source of the table has state: numbers drawn at random
// have none.
func (o *object) keeps() bool {
	for name, value := range o.options {
		if name == "connector" && value != "datagen" || strings.HasSuffix(name, ".kind") && value == "sequence" {
			return true
		}
	}
	return false
}

func (e *execution) checkConnector(table *object) trace {
	connector := table.options["connector"]
	if table.kind == "VIEW" || e.server.set.connectors[connector] {
		return nil
	}
	if connector == "" {
		return trace{validation + "Table options do not contain an option key 'connector' for discovering a connector."}
	}
	return trace{
		validation + "Unable to create a sink for writing table.",
		validation + "Cannot discover a connector using option: 'connector'='" + connector + "'",
		validation + "Could not find any factory for identifier '" + connector +
			"' that implements 'org.apache.flink.table.factories.DynamicTableFactory' in the classpath.\n\nAvailable factory identifiers are:\n\nblackhole\ndatagen\nprint",
	}
}

// checkFunctions imports the Python functions that are called. The gateway does
// so itself, with python.files of the session: that of the statement's own
// settings comes too late for it.
func (e *execution) checkFunctions(all []string) trace {
	for i := range all {
		if i+1 >= len(all) || all[i+1] != "(" {
			continue
		}
		function := e.find("FUNCTION", e.session.catalog, e.session.database, strings.Trim(all[i], "`"))
		if function == nil || function.python == "" {
			continue
		}
		if cause := e.importPython(function.python); cause != nil {
			return append(trace{
				validation + "SQL validation failed. Cannot instantiate user-defined function '" + all[i] + "'.",
				"java.lang.IllegalStateException: Instantiating python function '" + function.python + "' failed.",
			}, cause...)
		}
	}
	return nil
}

func (e *execution) importPython(function string) trace {
	module, _, _ := strings.Cut(function, ".")
	files := e.session.properties["python.files"]
	for file := range strings.SplitSeq(files, ",") {
		if file == "" {
			continue
		}
		if !e.server.cluster.HasUpload(file) || e.server.set.ownFiles {
			return trace{"java.nio.file.NoSuchFileException: " + file}
		}
	}
	if e.server.cluster.HasPythonModule(files, module) {
		return nil
	}
	return trace{
		"org.apache.flink.api.python.shaded.py4j.Py4JException: An exception was raised by the Python Proxy. Return Message: " +
			"Traceback (most recent call last):\n  File \"java_gateway.py\", line 181, in getPythonFunction\nModuleNotFoundError: No module named '" + module + "'\n",
	}
}
