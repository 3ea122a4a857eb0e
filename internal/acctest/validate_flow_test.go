// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// validated is what terraform validate -json says.
type validated struct {
	Valid       bool `json:"valid"`
	Errors      int  `json:"error_count"`
	Diagnostics []reported
}

type reported struct {
	Severity, Summary, Detail, Address string

	Range struct {
		Start struct{ Line int }
	}
}

func (r reported) String() string {
	return fmt.Sprintf("line %d, %s: %s\n%s", r.Range.Start.Line, r.Address, r.Summary, r.Detail)
}

// mistake is one of the configuration, as the end of its line says.
type mistake struct {
	line int
	// address is the resource's, line that of its block, and attribute where in it.
	address   string
	block     int
	attribute string
	// words are of what to do, and right is the line without the mistake.
	words, right string
}

var (
	blockStart  = regexp.MustCompile(`^(resource|data) "([^"]+)" "([^"]+)"`)
	mistakeMark = regexp.MustCompile(`# mistake: ([^ ]+): (.*) ->(?: (.*))?$`)
)

func mistakesOf(content string) []mistake {
	var all []mistake
	var address string
	var block int
	for i, line := range strings.Split(content, "\n") {
		if start := blockStart.FindStringSubmatch(line); start != nil {
			address, block = start[2]+"."+start[3], i+1
		}
		if mark := mistakeMark.FindStringSubmatch(line); mark != nil {
			all = append(all, mistake{line: i + 1, address: address, block: block, attribute: mark[1], words: mark[2], right: mark[3]})
		}
	}
	return all
}

// validate runs terraform validate without any environment to reach a cluster.
func (u *user) validate(t *testing.T, content string) validated {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), []byte(content))
	output, _ := u.try(t, dir, "validate", "-json")
	var answer validated
	if err := json.Unmarshal([]byte(output), &answer); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	// One warns that the provider is not an installed one.
	answer.Diagnostics = slices.DeleteFunc(answer.Diagnostics, func(r reported) bool { return r.Severity != "error" })
	return answer
}

func mistaken(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "mistakes.tf"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Each mistake is an error of its own, at its resource and with its attribute:
// by the line, or by the words where Terraform shows the resource alone.
func TestFlow_Validate_TwentyMistakesAreTwentyErrors(t *testing.T) {
	t.Parallel()
	content := mistaken(t)
	mistakes := mistakesOf(content)
	answer := newUser(t, repository(t)).validate(t, content)
	if len(mistakes) < 20 || answer.Errors != len(mistakes) || len(answer.Diagnostics) != len(mistakes) {
		t.Errorf("%d mistakes are %d errors", len(mistakes), answer.Errors)
	}
	most := 0
	for _, m := range mistakes {
		var found []string
		for _, d := range answer.Diagnostics {
			text := d.Summary + ": " + d.Detail
			here := d.Range.Start.Line == m.line || d.Range.Start.Line == m.block && strings.Contains(text, m.attribute)
			if d.Address == m.address && here && strings.Contains(text, m.words) {
				found = append(found, text)
			}
		}
		if len(found) != 1 {
			t.Errorf("line %d, %s.%s is reported by %q", m.line, m.address, m.attribute, found)
		}
		if m.address == "streaming_flink_job.orders" {
			most++
		}
	}
	if most < 5 {
		t.Errorf("the resource with the most mistakes has %d", most)
	}
	if t.Failed() {
		t.Logf("%v", answer.Diagnostics)
	}
}

// without has another line for each mistake.
func without(t *testing.T, line func(m mistake, wrong string) string) string {
	t.Helper()
	content := mistaken(t)
	lines := strings.Split(content, "\n")
	for _, m := range mistakesOf(content) {
		lines[m.line-1] = line(m, lines[m.line-1])
	}
	return strings.Join(lines, "\n")
}

func (v validated) want(t *testing.T) {
	t.Helper()
	if !v.Valid || v.Errors > 0 {
		t.Errorf("%v", v.Diagnostics)
	}
}

// Each mistake is the only thing that is wrong with its line.
func TestFlow_Validate_WithoutTheMistakesThereIsNoError(t *testing.T) {
	t.Parallel()
	right := without(t, func(m mistake, _ string) string { return m.right })
	newUser(t, repository(t)).validate(t, right).want(t)
}

// What is not known yet may be right. An attribute that is wrong by being there is left out.
func TestFlow_Validate_WhatIsNotKnownIsNoMistake(t *testing.T) {
	t.Parallel()
	unknown := without(t, func(m mistake, wrong string) string {
		if m.right == "" {
			return ""
		}
		name, _, _ := strings.Cut(wrong, " =")
		return name + " = var.later"
	})
	newUser(t, repository(t)).validate(t, unknown+"\nvariable \"later\" {\n  type = any\n}\n").want(t)
}

// What is missing is missed once, also where the engine's document needs it too.
func TestFlow_Validate_WhatIsMissingIsOneError(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	right := without(t, func(m mistake, _ string) string { return m.right })
	for _, missing := range []struct{ kind, attribute string }{
		{"streaming_dagger_job", "sink_type"},
		{"streaming_dagger_job", "rowtime_attribute_name"},
		{"streaming_streampark_job", "jar"},
		{"streaming_groot_job", "jar"},
		{"streaming_flink_python_job", "file"},
		{"streaming_flink_sql_job", "statement"},
	} {
		line := regexp.MustCompile(`(?s)(resource "` + missing.kind + `" .*?)\n *` + missing.attribute + ` *= [^\n]*`)
		at := line.FindStringSubmatchIndex(right)
		if answer := u.validate(t, right[:at[3]]+right[at[1]:]); answer.Errors != 1 {
			t.Errorf("without %s: %v", missing, answer.Diagnostics)
		}
	}
}
