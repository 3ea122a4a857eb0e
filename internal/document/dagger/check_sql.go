// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
)

var (
	comments = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/`)
	// notCode is what is text and no code, in the order in which it may begin.
	notCode = regexp.MustCompile(`(?s)'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/`)

	longbowKey = regexp.MustCompile(`\blongbow\w*key\b`)
	dartCall   = regexp.MustCompile(`(?i)\b(DartGet|DartContains)\s*\(`)
)

// code is the query without comments and literals, empty when it is not known.
func (n node) code() string {
	query, _ := n.text(atQuery)
	return notCode.ReplaceAllString(query, " ")
}

// query checks that the SQL is one query, which is all that Dagger takes.
func (c *checker) query(root node) {
	query, known := root.text(atQuery)
	if !known || query == "" {
		return
	}
	statements, err := sqlscript.Split(query)
	if err != nil {
		message := err.Error()
		if fault, ok := errors.AsType[*sqlscript.Error](err); ok {
			message = fmt.Sprintf("line %d, column %d: %s", fault.Line, fault.Column, fault.Message)
		}
		root.refuse(atQuery, "The query cannot be read", "It is no SQL that Flink takes: "+message+".")
		return
	}
	switch {
	case len(statements) == 0:
		root.refuse(atQuery, "The query is empty", "There is nothing but comments in it.")
		return
	case len(statements) > 1:
		root.refuse(atQuery, "The query is more than one statement", "Dagger takes exactly one query, and writes its result to the sink itself.")
		return
	case statements[0].Kind != sqlscript.Query:
		root.refuse(atQuery, "The statement is no query", "Dagger takes SELECT, WITH and VALUES alone: streams are its tables, and it writes the result to the sink itself. It fails on DDL, INSERT and SET.")
		return
	}
	_, behind, _ := strings.Cut(query, statements[0].Text)
	if strings.Contains(comments.ReplaceAllString(behind, ""), ";") {
		root.refuse(atQuery, "The query ends with a semicolon", "Flink's parser fails on it here. Remove it.")
		return
	}
	c.unread(root)
}

// unread finds streams that the query does not name.
func (c *checker) unread(root node) {
	code := root.code()
	for _, stream := range root.each(atStreams) {
		table, known := stream.text(atTable)
		if known && table != "" && !strings.Contains(code, table) {
			stream.warn(atTable, fmt.Sprintf("The query does not read %s", table), "Its name does not occur in sql_query, where upper and lower case count.")
		}
	}
}

func (c *checker) parallelism(root node) {
	parallelism, known := root.number(atParallelism)
	most, mostKnown := root.number(atMaxParallelism)
	if known && mostKnown && parallelism > most && !c.faulty(root.at(atParallelism)) && !c.faulty(root.at(atMaxParallelism)) {
		root.refuse(atParallelism, "The parallelism is above its maximum",
			fmt.Sprintf("It is %d, and max_parallelism %d, which is Dagger's default where it is not set. The job fails. Raise max_parallelism, which a savepoint cannot be restored with.", parallelism, most))
	}
}

// factories checks the classes of functions.
func (c *checker) factories(root node) {
	v := root.v.fields[atFactories]
	if v.form == list && len(v.items) == 0 {
		root.refuse(atFactories, "There are no classes of functions", "Dagger tries to load a class without a name, and fails. Leave it out: the provider sets Dagger's own.")
	}
	texts := root.texts(atFactories)
	for i := range v.items {
		text, known := texts[i]
		if known {
			c.class(append(root.at(atFactories), i), text, "FunctionFactory")
		}
	}
}

// class checks a class that Dagger loads by its name.
func (c *checker) class(at Path, class, short string) {
	namespace, own := namespaceOf(class)
	switch {
	case !className.MatchString(class):
		c.add(Refused, at, fmt.Sprintf("%q is not the name of a class", class), "Write the class with its package, without blanks: Dagger fails on another.")
	case class == short:
		c.add(Refused, at, class+" has no package", fmt.Sprintf("Dagger cannot load it, although it is its default. Write %s, or leave it out.", FunctionFactory(c.Namespace)))
	case !strings.Contains(class, "."):
		c.add(Warned, at, class+" has no package", "Dagger loads classes by their whole names. Write it with its package.")
	case own && namespace != c.Namespace:
		c.add(Refused, at, "The class is of another Dagger", fmt.Sprintf("Its package is that of the namespace %q, and the job's is %q: the job fails for want of it. Set namespace, or write %s.", namespace, c.Namespace,
			strings.Replace(class, packageOf(namespace), packageOf(c.Namespace), 1)))
	}
}

func (c *checker) darts(root node) {
	call := dartCall.FindStringSubmatch(root.code())
	darts := root.inner(atDarts)
	if call == nil {
		return
	}
	for _, pair := range [][2]string{{"gcs_project_id", "project_id"}, {"gcs_bucket_id", "bucket_id"}} {
		if !darts.set(pair[0]) && !darts.set(pair[1]) {
			darts.refuse(pair[0], fmt.Sprintf("%s is missing", pair[0]), fmt.Sprintf("The query calls %s, which looks for its data there: the job fails when it runs.", call[1]))
		}
	}
}

var longbowDuration = regexp.MustCompile(`^[0-9]+[mhd]$`)

// longbow checks the store of events, which the query alone switches on.
func (c *checker) longbow(root node) {
	group := root.inner(atLongbow)
	if duration, known := group.text("document_duration"); known && !longbowDuration.MatchString(duration) {
		group.refuse("document_duration", fmt.Sprintf("%q is no duration of Longbow", duration), "Write a number and m, h or d, such as 90d. The job fails on another when it runs.")
	}
	code := root.code()
	if code == "" {
		return
	}
	key := longbowKey.FindString(code)
	if key == "" {
		if group.v.form == object && len(group.v.fields) > 0 {
			root.warn(atLongbow, "Longbow is not used", "It is switched on by a column of the query whose name begins with longbow and ends with key, such as longbow_key, and the query has none.")
		}
		return
	}
	for _, attribute := range []string{"gcp_project_id", "gcp_instance_id"} {
		if !group.set(attribute) {
			group.refuse(attribute, attribute+" is missing", fmt.Sprintf("The query has the column %s and uses Longbow so. Dagger's default is the placeholder default-gcp-project.", key))
		}
	}
	if key == "longbow_key" && !strings.Contains(code, "*") {
		longbowColumns(root, code)
	}
}

// longbowColumns finds columns that longbow_key wants beside it.
func longbowColumns(root node, code string) {
	var missing []string
	has := func(pattern string) bool { return regexp.MustCompile(`\b` + pattern + `\b`).MatchString(code) }
	for _, column := range []string{"longbow_data", "event_timestamp", "rowtime"} {
		if !has(column + `\w*`) {
			missing = append(missing, column)
		}
	}
	if !has("longbow_duration") && !(has("longbow_earliest") && has("longbow_latest")) {
		missing = append(missing, "longbow_duration (or longbow_earliest and longbow_latest)")
	}
	if len(missing) > 0 {
		root.refuse(atQuery, "Columns that Longbow needs are missing", "With longbow_key the query has to have "+strings.Join(missing, ", ")+" as well; the job fails.")
	}
}
