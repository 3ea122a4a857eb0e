// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package sqlscript

import (
	"strings"
	"testing"
)

func TestAScriptOfAJobHasItsSetupAndOnePipelineAtItsEnd(t *testing.T) {
	t.Parallel()
	job, err := Parse("SET 'a' = 'b';\nCREATE TABLE t (x INT) WITH ('c'='d');\n-- the job\nINSERT INTO t SELECT 1;\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(job.Setup) != 2 || job.Setup[0].Kind != Set || job.Setup[1].Kind != Definition {
		t.Errorf("set-up %+v", job.Setup)
	}
	if job.Pipeline.Text != "INSERT INTO t SELECT 1" || job.Pipeline.Line != 4 || len(job.Statements()) != 3 {
		t.Errorf("pipeline %+v", job.Pipeline)
	}
}

func TestAScriptThatRunsNoJobOrTwoIsRefusedByStatementAndLine(t *testing.T) {
	t.Parallel()
	const insert = "INSERT INTO t SELECT 1"
	for script, want := range map[string]string{
		"":                                "line 1, column 1: the script has no pipeline",
		"USE a;\nUSE b;\n":                "line 3, column 1: the script has no pipeline; a job runs one INSERT INTO or one EXECUTE STATEMENT SET BEGIN ... END",
		insert + ";\n\n" + insert:         "statement 2 (line 3): this is a second pipeline, after statement 1 (line 1)",
		insert + ";\nSET 'a' = 'b';":      "statement 2 (line 2): this comes after the pipeline, statement 1 (line 1)",
		"USE a;\nSELECT * FROM t;":        "statement 2 (line 2): this is a query",
		"CREATE TABLE x AS SELECT 1":      "statement 1 (line 1): CREATE TABLE ... AS starts a job of its own",
		"SET k = 'it''s';" + insert:       "statement 1 (line 1): without quotes around the key",
		"SHOW TABLES;" + insert:           "statement 1 (line 1): this is neither SET, RESET, a definition",
		"SET 'a' = 'b;\n" + insert + ";'": "the script has no pipeline",
	} {
		if _, err := Parse(script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", script, err, want)
		}
	}
}

func TestASingleStatementIsCheckedForItsPlace(t *testing.T) {
	t.Parallel()
	setup := func(text string) error { _, err := ParseSetup(text); return err }
	pipeline := func(text string) error { _, err := ParsePipeline(text); return err }
	for _, text := range []string{"SET 'a' = 'b';", "-- x\nCREATE TABLE t (a INT)", "RESET"} {
		if err := setup(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"INSERT INTO a SELECT 1;", "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END"} {
		if err := pipeline(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, test := range []struct {
		check func(string) error
		text  string
		want  string
	}{
		{setup, " -- nothing", "there is no statement here"},
		{setup, "USE a;\nUSE b", "statement 2 (line 2): only one statement can be here"},
		{setup, "INSERT INTO a SELECT 1", "this starts a job"},
		{setup, "SELECT 1", "this is a query"},
		{setup, "SET k = 'it''s'", "write SET 'key' = 'value'"},
		{pipeline, "USE a", "starts no job"},
		{pipeline, "SELECT 1", "this is a query"},
		{pipeline, "USE 'a", "has no end"},
	} {
		if err := test.check(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.want)
		}
	}
}

func TestASettingIsReadAsFlinkReadsIt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"SET 'a.b' = 'c'": {"a.b", "c"}, "set a.b=c;": {"a.b", "c"}, "SET a.b = 'c d'": {"a.b", "c d"},
		"SET 'k' = 'it''s'": {"k", "it's"}, "SET 'k' = ' x\n y '": {"k", "x\n y"}, "SET 'k' /* c */ = ''": {"k", ""},
		"SET j = hdfs://n/x": {"j", "hdfs://n/x"}, "SET a=b=c": {"a=b", "c"}, "SET k = it's": {"k", "it's"}, "SET \"k\" = \"v\"": {`"k"`, `"v"`},
	} {
		s, err := ParseSetup(text)
		if err != nil {
			t.Fatal(err)
		}
		if key, value, ok := s.Setting(); !ok || key != want[0] || value != want[1] {
			t.Errorf("%q sets %q to %q (%v), want %q", text, key, value, ok, want)
		}
	}
	for _, text := range []string{"SET", "RESET 'k'", "SET 'k' = U&'\\0041'", "SET 'k' = v", "SET 'k' = 'a' 'b'", "USE a"} {
		s, err := ParseSetup(text)
		if err != nil {
			t.Fatal(err)
		}
		if key, value, ok := s.Setting(); ok {
			t.Errorf("%q sets %q to %q", text, key, value)
		}
	}
}

func TestScriptsThatFlinkReadsAlikeHaveOneNormalForm(t *testing.T) {
	t.Parallel()
	const script = "SET 'a' = 'b';\nINSERT INTO t SELECT /*+ h('x') */ a.b, 1.5 FROM s WHERE x >= 'p  q'"
	for name, same := range map[string]string{
		"a semicolon at the end": script + ";\n",
		"indents":                strings.ReplaceAll(script, "\n", "\n\t  "),
		"other line ends":        strings.ReplaceAll(script, "\n", "\r\n"),
		"spaces around signs":    strings.ReplaceAll(script, "a.b, 1.5", "a . b,1.5"),
		"comments":               strings.ReplaceAll(script, "\nINSERT", " -- c ;\n/* d */ INSERT // e\n"),
	} {
		if Normal(same) != Normal(script) {
			t.Errorf("%s make a change: %q", name, Normal(same))
		}
	}
	for name, other := range map[string]string{
		"a space in a text":     strings.ReplaceAll(script, "p  q", "p q"),
		"a line end in a text":  strings.ReplaceAll(script, "p  q", "p\nq"),
		"the hint":              strings.ReplaceAll(script, "h('x')", "h('y')"),
		"the case of a keyword": strings.ReplaceAll(script, "SELECT", "select"),
		"a split number":        strings.ReplaceAll(script, "1.5", "1 .5"),
		"a quoted name":         strings.ReplaceAll(script, "a.b", "`a`.b"),
		"a prefix":              strings.ReplaceAll(script, "'p  q'", "N'p  q'"),
		"less statements":       strings.ReplaceAll(script, ";", ""),
	} {
		if Normal(other) == Normal(script) {
			t.Errorf("%s makes no change", name)
		}
	}
	// To Flink these are no settings, and with a space in the gap they would be.
	for text, setting := range map[string]string{"SET+=v": "SET + = v", "SET /* c */ k=v": "SET k = v", "SET`k`=v": "SET `k` = v"} {
		if normal := Normal(text); normal != text || normal == Normal(setting) || Normal(normal) != normal {
			t.Errorf("%q became %q, beside %q", text, normal, Normal(setting))
		}
	}
	if a, b := Normal("SET'k'='v'"), Normal("SET 'k'  =  'v' ;"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if broken := "USE 'a  "; Normal(broken) != broken {
		t.Errorf("what cannot be split became %q", Normal(broken))
	}
}
