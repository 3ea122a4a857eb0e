// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
)

// SQLClient is the client's own main class.
const SQLClient = "org.apache.streampark.flink.cli.SqlClient"

// supported are the statements that StreamPark's parser knows.
var supported = regexp.MustCompile(`(?is)^(?:` +
	`CREATE\s+(?:TEMPORARY\s+)?TABLE\s.+` +
	`|(?:CREATE|DROP)\s+(?:CATALOG|DATABASE)\s.+` +
	`|CREATE\s+(?:TEMPORARY\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?\S+\s+AS\s+SELECT\s.+` +
	`|CREATE\s+(?:TEMPORARY\s+(?:SYSTEM\s+)?)?FUNCTION\s+(?:IF\s+NOT\s+EXISTS\s+)?\S+\s+AS\s.*` +
	`|DROP\s+(?:TEMPORARY\s+)?(?:TABLE|VIEW)\s.+` +
	`|(?:DROP|ALTER)\s+(?:TEMPORARY\s+(?:SYSTEM\s+)?)?FUNCTION\s.+` +
	`|ALTER\s+(?:TABLE|VIEW|DATABASE)\s.+` +
	`|INSERT\s+(?:INTO|OVERWRITE)\s.+` +
	`|(?:DESC|DESCRIBE|EXPLAIN|USE)\s.+` +
	`|SHOW\s+(?:CATALOGS|CURRENT\s+CATALOG|DATABASES|CURRENT\s+DATABASE|VIEWS|(?:USER\s+)?FUNCTIONS|(?:FULL\s+)?MODULES)` +
	`|SHOW\s+TABLES.*|SHOW\s+(?:CREATE\s+TABLE|CREATE\s+VIEW|COLUMNS)\s.+` +
	`|(?:LOAD|UNLOAD)\s+MODULE\s.+` +
	`|SET(?:\s+\S+\s*=.*)?|RESET\s+'.*'` +
	`)$`)

// setForm is how StreamPark reads a SET.
var setForm = regexp.MustCompile(`(?is)^SET\s+(\S+?)\s*=(.*)$`)

// setting is the key and the value of a SET, as StreamPark takes them.
func setting(text string) (key, value string, ok bool) {
	match := setForm.FindStringSubmatch(text)
	if match == nil {
		return "", "", false
	}
	clean := func(part string) string {
		part = flinkvalue.Trim(part)
		if part != "" && strings.ContainsRune(`'"`, rune(part[0])) {
			part = part[1:]
		}
		if n := len(part); n > 0 && strings.ContainsRune(`'"`, rune(part[n-1])) {
			part = part[:n-1]
		}
		return part
	}
	return clean(match[1]), clean(match[2]), true
}

// script is one text of SQL.
type script struct {
	*checker
	attribute, key string
	inserts        int
}

func (s *script) refuse(summary, detail string) { s.note(Refused, summary, detail) }

func (s *script) note(severity Severity, summary, detail string) {
	s.findings = append(s.findings, Finding{Severity: severity, Attribute: s.attribute, Key: s.key, Index: -1, Summary: summary, Detail: detail})
}

func (c *checker) sql() {
	switch {
	case c.Unknown[SQL] || c.Unknown[Statements]:
	case c.SQL == "" && c.EntryClass == SQLClient:
		c.add(Refused, SQL, "There is no SQL", "StreamPark's own main class runs nothing else, and takes it from sql alone.")
	case c.SQL != "" && c.EntryClass != "" && c.EntryClass != SQLClient:
		c.add(Warned, SQL, "The program is not StreamPark's own main class", "Whether "+c.EntryClass+" runs sql is known to it alone; the client's context.sql() without an id does.")
	case len(c.Statements) > 0 && c.EntryClass == SQLClient:
		c.add(Warned, Statements, "StreamPark's own main class runs sql alone", "Another main class can run statements by their ids, with context.sql(id). Put them into sql.")
	}
	if c.SQL != "" {
		s := script{checker: c, attribute: SQL}
		s.check(c.SQL)
	}
	for _, id := range slices.Sorted(maps.Keys(c.Statements)) {
		s := script{checker: c, attribute: Statements, key: id}
		if strings.ContainsAny(id, ". \t\n") || id == "" {
			s.refuse(fmt.Sprintf("%q is no id", id), "An id is one word, under which the program finds its SQL.")
			continue
		}
		s.check(c.Statements[id])
	}
}

// check looks at each statement.
func (s *script) check(text string) {
	statements, err := sqlscript.Split(text)
	if err != nil {
		place := err.Error()
		if fault, ok := errors.AsType[*sqlscript.Error](err); ok {
			place = fault.Error()
		}
		s.refuse("The SQL cannot be read", strings.ToUpper(place[:1])+place[1:]+".")
		return
	}
	if len(statements) == 0 {
		s.refuse("There is no statement", "StreamPark fails over SQL without any, also over one of comments alone.")
		return
	}
	unfit := false
	for i, statement := range statements {
		where := fmt.Sprintf("Statement %d (line %d)", i+1, statement.Line)
		if summary, detail, refused := s.statement(statement); refused {
			unfit = true
			s.refuse(where+": "+summary, detail)
		}
		s.secret(where, statement)
	}
	if s.inserts == 0 && !unfit {
		s.refuse("The SQL has no INSERT", "Nothing would start the job: StreamPark fails over it. Write what is found to a table with INSERT INTO.")
	}
}

// statement says why StreamPark does not run one.
func (s *script) statement(statement sqlscript.Statement) (summary, detail string, refused bool) {
	words := statement.Words()
	first := strings.ToUpper(words[0])
	switch {
	case statement.Kind == sqlscript.StatementSet && first == "EXECUTE":
		return "StreamPark does not know EXECUTE STATEMENT SET", "All INSERTs of the SQL are one job as they are. Write them one after the other, or between BEGIN STATEMENT SET; and END;.", true
	case statement.Kind == sqlscript.StatementSet:
		return s.statementSet(words)
	case statement.Kind == sqlscript.CreateAs:
		return "CREATE TABLE ... AS starts a job of its own", "It would run beside this one, and nobody would know of it. Write CREATE TABLE, and INSERT INTO behind it.", true
	case first == "SELECT":
		return "StreamPark does not run a SELECT", "Nobody would read its result. Write it to a table with INSERT INTO.", true
	case first == "DELETE" || first == "UPDATE":
		return first + " is not run", "StreamPark's client passes over it without a word, and starts the job. Run it by other means, such as Flink's SQL client.", true
	case first == "RESET" && len(words) == 1:
		return "RESET without a key takes everything back", "Also what the configuration file and this provider have set, such as the job's name. Write RESET 'key'.", true
	case !supported.MatchString(statement.Text):
		return "StreamPark does not know this statement", unknownAdvice(first), true
	case statement.Kind == sqlscript.Insert:
		s.inserts++
	case first == "SET":
		return s.setting(statement.Text)
	}
	return "", "", false
}

func unknownAdvice(first string) string {
	switch first {
	case "WITH":
		return "Its parser wants INSERT at the beginning: write INSERT INTO ... WITH ... SELECT."
	case "CREATE":
		return "Its parser knows CREATE TABLE, VIEW (with AS SELECT right behind a name without columns), FUNCTION ... AS, CATALOG and DATABASE, each without OR REPLACE."
	}
	return "It fails with \"unsupported sql\". It knows CREATE, ALTER, DROP, USE, SHOW, DESCRIBE, EXPLAIN, LOAD and UNLOAD MODULE, SET, RESET, INSERT, and BEGIN STATEMENT SET; ... END;."
}

// statementSet looks at what is between BEGIN STATEMENT SET; and END.
func (s *script) statementSet(words []string) (summary, detail string, refused bool) {
	begins := true
	for _, word := range words[min(4, len(words)):] {
		if begins {
			switch strings.ToUpper(word) {
			case "INSERT":
				s.inserts++
			case "END", ";":
			default:
				return "The statement set has something else than INSERT", "Put it before BEGIN STATEMENT SET;.", true
			}
		}
		begins = word == ";"
	}
	if s.inserts == 0 {
		return "The statement set is empty", "Nothing would start the job.", true
	}
	return "", "", false
}

// setting looks at the option that a SET is about.
func (s *script) setting(text string) (summary, detail string, refused bool) {
	key, value, ok := setting(text)
	if !ok {
		return "", "", false
	}
	if key == "pipeline.name" {
		return "The name of the job cannot be set here", "It would count more than name, by which the job is found again.", true
	}
	if instead, ok := misplaced[key]; ok && key != "execution.runtime-mode" {
		return key + " cannot be set here", instead, true
	}
	given, twice := s.property(key)
	attribute := Extra
	if row, known := byKey(sectionProperty + key); known {
		attribute = row.Attribute
	}
	counts := "Which of them counts was not tried."
	if mode := s.chosen(tableMode); key == "execution.runtime-mode" && mode != "" {
		given, twice, attribute, counts = mode, true, tableMode, "The SQL counts more."
	}
	for _, spelling := range Spellings(key) {
		if other, also := s.Configuration[spelling]; also && !twice {
			given, twice, attribute = other, true, "configuration"
		}
	}
	if key == "parallelism.default" && s.Parallelism > 0 {
		given, twice = fmt.Sprint(s.Parallelism), true
	}
	if twice && !strings.EqualFold(flinkvalue.Trim(given), value) {
		s.note(Warned, key+" is set twice", "The SQL sets it beside "+attribute+". "+counts+" Remove one of them.")
	}
	return "", "", false
}

// secretKeys are options of tables whose values nobody else is to read.
var secretKeys = regexp.MustCompile(`(?i)password|secret|token|apikey|api-key|access-key|access\.key|jaas\.config|auth-params|service-key`)

// secret warns of a literal that is readable for all who see the job.
func (s *script) secret(where string, statement sqlscript.Statement) {
	words := statement.Words()
	for i := 0; i+2 < len(words); i++ {
		key, value := words[i], words[i+2]
		if len(key) < 3 || key[0] != '\'' || words[i+1] != "=" || len(value) < 3 || value[0] != '\'' || !secretKeys.MatchString(key) || placeholder.MatchString(value) {
			continue
		}
		s.note(Warned, fmt.Sprintf("%s has a secret in it: %q", where, strings.Trim(key, "'")),
			"It shows in plans and in the state. Write a variable in its place, such as ${"+"password"+"}, and set it in variables or variables_wo. Flink's REST API shows the SQL of a job in clear all the same, to everyone who can reach it.")
		return
	}
}
