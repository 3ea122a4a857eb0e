// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/sqlscript"
)

func sqlProgram(t *testing.T, script string) *SQLProgram {
	t.Helper()
	job, err := sqlscript.Parse(script)
	if err != nil {
		t.Fatal(err)
	}
	return &SQLProgram{Setup: job.Setup, Pipeline: job.Pipeline}
}

func TestSQLProgram_ItsFingerprintTellsStatementsAndNoSecret(t *testing.T) {
	t.Parallel()
	const script = "CREATE TABLE t (a INT) WITH ('connector' = 'jdbc', 'password' = '%s', 'url'='jdbc:x'); INSERT INTO s SELECT a FROM t %s"
	fingerprint := func(password, where string) string {
		return strings.Join(sqlProgram(t, strings.NewReplacer("'%s'", "'"+password+"'", "%s", where).Replace(script)).Fingerprint(), "|")
	}
	one := fingerprint("s3cret it''s", "")
	if strings.Contains(one, "s3cret") || !strings.Contains(one, "'password' = (secret)") || !strings.Contains(one, "'connector' = 'jdbc'") {
		t.Errorf("the fingerprint is %s", one)
	}
	if other := fingerprint("another", ""); other != one {
		t.Errorf("another password is another program: %s", other)
	}
	if other := fingerprint("another", "WHERE a > 1"); other == one {
		t.Error("another condition is the same program")
	}
	if respelled := strings.Join(sqlProgram(t, "create table x (a int);\ninsert into s select 1").Fingerprint(), "|"); respelled != strings.Join(sqlProgram(t, "create table x (a  int) ; -- y\n insert into s\nselect 1;").Fingerprint(), "|") {
		t.Error("spaces and comments are another program")
	}
}

func TestPythonProgram_TheModuleComesBeforeTheDashes(t *testing.T) {
	t.Parallel()
	p := &PythonProgram{Module: "jobs.enrich", Args: []string{"-py", "x.txt", "--", ""}}
	if got := p.driverArgs(); !slices.Equal(got, []string{"-pym", "jobs.enrich", "--", "-py", "x.txt", "--", ""}) {
		t.Errorf("the launcher is given %q", got)
	}
}

func TestPythonProgram_OnlyAFlinkPythonOfItsOwnIsPartOfIt(t *testing.T) {
	t.Parallel()
	p := &PythonProgram{Module: "a", Jar: JarProgram{SHA256: "1"}}
	found := strings.Join(p.Fingerprint(), "|")
	p.Jar.SHA256 = "2"
	if again := strings.Join(p.Fingerprint(), "|"); again != found {
		t.Error("the cluster's own flink-python makes another program")
	}
	p.Chosen = true
	if chosen := strings.Join(p.Fingerprint(), "|"); chosen == found {
		t.Error("a flink-python that was chosen makes no other program")
	}
}

func TestPythonCause_IsOneLineOfWhatWasWritten(t *testing.T) {
	t.Parallel()
	for want, output := range map[string]string{
		"ValueError: no such table":                          "Traceback (most recent call last):\n  File \"job.py\", line 3, in main\n    raise ValueError(\"no such table\")\nValueError: no such table\nand more of it",
		"ConnectException: refused":                          "Traceback (most recent call last):\n  File \"job.py\", line 3\npy4j.protocol.Py4JJavaError: An error occurred while calling o8.execute.\n: java.lang.RuntimeException: x\n\tat a.B.c(D.java:1)\nCaused by: java.net.ConnectException: refused\n\tat a.B.c(D.java:1)",
		"python: No module named enrich_jobb":                "python: No module named enrich_jobb",
		"job.py: error: argument --count: invalid int value": "hello\nusage: job.py [-h] [--count COUNT]\njob.py: error: argument --count: invalid int value\n \n",
		"": "",
	} {
		if got := pythonCause(output); got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}

func TestSpec_ABundleIsPartOfItByContentAndComesFirst(t *testing.T) {
	t.Parallel()
	spec := Spec{Name: "a", Program: &JarProgram{SHA256: "1"}, Configuration: map[string]string{"python.files": "/lib/b.py", "python.requirements": "/lib/r.txt"}}
	plain := spec.Hash()
	spec.Bundle = Bundle{ID: "x_udfs.jar", SHA256: "2"}
	with := spec.Hash()
	spec.Bundle.ID = "y_udfs.jar"
	if with == plain || spec.Hash() != with {
		t.Error("a bundle is not told by its content")
	}
	configuration, err := spec.configuration(Marker{}, pyflink.Bundle{Archive: "/up/udfs.jar", Requirements: "/up/requirements.jar"})
	if err != nil {
		t.Fatal(err)
	}
	if got := configuration["python.files"]; got != "/up/udfs.jar,/lib/b.py" {
		t.Errorf("python.files is %q", got)
	}
	if got := configuration["python.requirements"]; got != "/lib/r.txt" {
		t.Errorf("the job's own requirements are replaced by %q", got)
	}
	spec.Python = pyflink.Options{Plain: map[string]string{"fn_execution_bundle_size": "5"}}
	if spec.Hash() == with {
		t.Error("an option of Python makes no difference")
	}
}
