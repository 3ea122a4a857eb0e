// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlscript

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// texts splits a script that has no fault.
func texts(t *testing.T, script string) []string {
	t.Helper()
	statements, err := Split(script)
	if err != nil {
		t.Fatalf("%q: %v", script, err)
	}
	var all []string
	for _, s := range statements {
		all = append(all, s.Text)
	}
	return all
}

func TestASemicolonEndsAStatementOnlyWhereFlinkSeesOne(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		script string
		want   []string
	}{
		"nothing":                     {"", nil},
		"only comments":               {"-- a;\n/* b; */ ;; // c;", nil},
		"no semicolon at the end":     {"USE a; USE b", []string{"USE a", "USE b"}},
		"several semicolons":          {"USE a;;\n;USE b;", []string{"USE a", "USE b"}},
		"in a text":                   {"INSERT INTO s SELECT 'a;b';USE c", []string{"INSERT INTO s SELECT 'a;b'", "USE c"}},
		"behind a doubled quote":      {"SET 'k' = 'it''s; a';USE c", []string{"SET 'k' = 'it''s; a'", "USE c"}},
		"a backslash escapes nothing": {`SET 'k' = '\';USE c`, []string{`SET 'k' = '\'`, "USE c"}},
		"but in an E text it does":    {`SELECT E'\';', e'\\';USE c`, []string{`SELECT E'\';', e'\\'`, "USE c"}},
		"in a quoted name":            {"USE `a;``b`;USE c", []string{"USE `a;``b`", "USE c"}},
		"double quotes are none":      {"SET \"k;\" = v", []string{"SET \"k", "\" = v"}},
		"in line comments":            {"USE a -- ; '\n, b // ; `\n;USE c", []string{"USE a -- ; '\n, b", "USE c"}},
		"in a comment":                {"USE a /* ; ' /* */ ;USE c", []string{"USE a", "USE c"}},
		"in a text in a hint":         {"SELECT /*+ x('*/;') */ 1;USE c", []string{"SELECT /*+ x('*/;') */ 1", "USE c"}},
		"comments around":             {"-- head\nUSE a /* tail */;\n-- end", []string{"USE a"}},
		"a value with slashes":        {"SET x.jars = hdfs://n/a;USE c", []string{"SET x.jars = hdfs://n/a", "USE c"}},
		"a value with a comment sign": {"set k = a--b/*c;USE c", []string{"set k = a--b/*c", "USE c"}},
		"a mark at the start":         {"\ufeffUSE a;", []string{"USE a"}},
	} {
		if got := texts(t, test.script); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestAStatementSetIsOneStatement(t *testing.T) {
	t.Parallel()
	const body = "\n  INSERT INTO a SELECT CASE WHEN x > 1 THEN 1 ELSE 2 END FROM s;\n  INSERT INTO b SELECT `END` FROM s; -- ;\n"
	for _, script := range []string{
		"EXECUTE STATEMENT SET BEGIN" + body + "END",
		"execute statement /* ; */ set\nbegin" + body + "end",
		"BEGIN STATEMENT SET;" + body + "END",
	} {
		statements, err := Split("USE c;" + script + ";\nUSE d;")
		if err != nil {
			t.Fatal(err)
		}
		if len(statements) != 3 || statements[1].Text != script || statements[1].Kind != StatementSet {
			t.Errorf("%q is split into %+v", script, statements)
		}
	}
}

func TestTheClientsStatementSetIsSentAsOneThatTheGatewayTakes(t *testing.T) {
	t.Parallel()
	s, err := ParsePipeline("BEGIN STATEMENT SET;\nINSERT INTO a SELECT 1;\nEND;")
	if err != nil {
		t.Fatal(err)
	}
	const want = "EXECUTE STATEMENT SET BEGIN\nINSERT INTO a SELECT 1;\nEND"
	if got := s.Executable(); got != want {
		t.Errorf("sent is %q, want %q", got, want)
	}
	same, err := ParsePipeline(want)
	if err != nil {
		t.Fatal(err)
	}
	if same.Executable() != want || same.Normal() != s.Normal() {
		t.Errorf("%q and %q are not the same", same.Normal(), s.Normal())
	}
}

func TestEachStatementIsOfItsKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Kind{
		"SET 'k' = 'v'": Set, "set": Set, "RESET 'k'": Reset, "RESET": Reset,
		"CREATE TABLE t (a INT, b AS a + 1) WITH ('x'='y')": Definition, "create view v as select 1": Definition,
		"CREATE TEMPORARY FUNCTION f AS 'x.Y' LANGUAGE PYTHON": Definition, "ALTER TABLE t SET ('a'='b')": Definition,
		"DROP TABLE t": Definition, "USE CATALOG c": Definition, "LOAD MODULE core": Definition,
		"UNLOAD MODULE core": Definition, "ADD JAR '/a.jar'": Definition,
		"INSERT INTO s SELECT 1": Insert, "INSERT OVERWRITE s VALUES (1)": Insert, "EXECUTE INSERT INTO s SELECT 1": Insert,
		"EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT 1; END": StatementSet,
		"SELECT 1": Query, "WITH x AS (SELECT 1) SELECT * FROM x": Query, "VALUES (1)": Query, "(SELECT 1)": Query, "EXECUTE SELECT 1": Query, "TABLE t": Query,
		"CREATE TABLE t WITH ('a'='b') AS SELECT 1": CreateAs, "CREATE OR REPLACE TABLE t AS SELECT 1": CreateAs,
		"SHOW TABLES": Other, "EXPLAIN INSERT INTO s SELECT 1": Other, "DELETE FROM s": Other, "UPDATE s SET a = 1": Other,
		"CALL a.b()": Other, "EXECUTE PLAN 'p'": Other, "BEGIN": Other, "END": Other, "REMOVE JAR 'x'": Other, "'x'": Other,
		"EXPLAIN STATEMENT SET BEGIN INSERT INTO s SELECT 1; END": Other,
	} {
		statements, err := Split("/* head */ " + text + ";")
		if err != nil || len(statements) != 1 {
			t.Errorf("%q: %+v, %v", text, statements, err)
			continue
		}
		if got := statements[0].Kind; got != want {
			t.Errorf("%q is of kind %d, want %d", text, got, want)
		}
	}
}

func TestAStatementKnowsItsPlace(t *testing.T) {
	t.Parallel()
	statements, err := Split("-- one\r\nUSE a;\n\n  USE `é`; USE\n b;")
	if err != nil {
		t.Fatal(err)
	}
	var places [][2]int
	for _, s := range statements {
		places = append(places, [2]int{s.Line, s.Column})
	}
	if want := [][2]int{{2, 1}, {4, 3}, {4, 12}}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	const told = "Encountered \"x\" at line 2, column 2, From line 1, column 5 to line 1, column 6"
	const want = "Encountered \"x\" at line 5, column 2, From line 4, column 16 to line 4, column 17"
	if got := statements[2].Relocate(told); got != want {
		t.Errorf("relocated to %q, want %q", got, want)
	}
}

func TestAScriptThatCannotBeSplitIsRefusedAtItsPlace(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"USE a;\n SET 'k' = 'geheim": "line 2, column 12: a text that begins with ' here has no end; a ' inside of it is written twice",
		"USE `a":                     "line 1, column 5: a name that begins with ` here has no end",
		"USE a /* b":                 "line 1, column 7: a comment that begins with /* here has no end",
		"USE a;\nEXECUTE STATEMENT SET BEGIN INSERT INTO a ;":  "statement 2 (line 2): this statement set has no END behind its last semicolon",
		"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT END": "statement 1 (line 1): this statement set has no END behind its last semicolon",
	} {
		_, err := Split(script)
		var fault *Error
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%q: error %v, want %q", script, err, want)
		}
	}
}

func FuzzSQLScript_splitting(f *testing.F) {
	for _, seed := range []string{
		"SET 'k' = 'v';\nCREATE TABLE t (a INT) WITH ('x'='y');\nINSERT INTO t SELECT 1;",
		"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE 1 WHEN 1 THEN 1 END; END;", "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END",
		"SET a.b=hdfs://x -- c\n;RESET;", "SELECT /*+ OPTIONS('a'='*/') */ U&'\\00e9', 1.5, `x``y` // c", "\ufeffUSE a\r;/* b */;-- c", "SET k = 'it''s';set k=a--b",
		"a\xff;\u00a0b", "BEGIN STATEMENT SET", "BEGIN STATEMENT SET;END", "\ufeff\ufeff;\ufeffa", "X'1' X '1' _utf8'a'", "1.2.3 . 4 <= < = */ /* */",
		"SET\xff=E'a b'", "SET+=E'a b'; USE c", "SET /* c */ k = E'a b'", "SET`k`=E'a b'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		statements, rest, err := split(script)
		if err != nil {
			if Normal(script) != script {
				t.Fatal("a script that cannot be split has another normal form")
			}
			return
		}
		var joined strings.Builder
		for _, s := range statements {
			joined.WriteString(s.raw)
			if !strings.Contains(s.raw, s.Text) || s.Line < 1 || s.Column < 1 {
				t.Fatalf("statement %+v of %q", s, script)
			}
		}
		if joined.String()+rest != script {
			t.Fatalf("the parts of %q are %q", script, joined.String()+rest)
		}
		normal := Normal(script)
		again, err := Split(normal)
		if err != nil || len(again) != len(statements) {
			t.Fatalf("the normal form %q of %q splits into %d of %d statements (%v)", normal, script, len(again), len(statements), err)
		}
		for i := range again {
			if again[i].Kind != statements[i].Kind || again[i].Normal() != statements[i].Normal() {
				t.Fatalf("statement %q came back as %q", statements[i].Text, again[i].Text)
			}
		}
	})
}

func TestALongScriptIsSplitInTime(t *testing.T) {
	t.Parallel()
	const n = 50_000
	statements, err := Split(strings.Repeat("USE a;\n", n))
	if err != nil || len(statements) != n || statements[n-1].Line != n {
		t.Fatalf("%d statements, the last %+v, error %v", len(statements), statements[len(statements)-1], err)
	}
}
