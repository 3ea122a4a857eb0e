// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2/hclparse"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/gatewayfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

// Every snippet of the guides runs, in the order of the guide, against engines
// in memory, and what a guide says that Terraform prints is what it printed. A
// block in terraform or hcl is planned in a directory of its own; a comment
// before a block, <!-- test: WORDS -->, says what else is done with it:
//
//	apply        apply it
//	then         in the directory, and with the state, of the block before it
//	fails        the plan or the apply has to fail
//	after EVENT  let one of guideEvents happen first
//	parse        only parse it: it is for Terraform itself, not for the provider
//	file PATH    of any language: a file that all blocks of the guide find
//	said         of any language: the last run printed this; "..." stands for any text
func TestFlow_Guides_EverySnippetRunsAndEveryQuoteWasPrinted(t *testing.T) {
	t.Parallel()
	root := repository(t)
	guides, err := filepath.Glob(filepath.Join(root, "templates", "guides", "*.md"))
	if err != nil || len(guides) < 8 {
		t.Fatalf("%d guides: %v", len(guides), err)
	}
	one := newUser(t, root)
	for _, guide := range guides {
		t.Run(strings.TrimSuffix(filepath.Base(guide), ".md"), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(guide)
			if err != nil {
				t.Fatal(err)
			}
			r := newGuideRun(t, one)
			steps := guideSteps(t, string(content))
			planned := 0
			for _, step := range steps {
				if r.follow(t, step) {
					planned++
				}
			}
			if planned == 0 {
				t.Error("nothing was planned")
			}
		})
	}
}

// What a guide says that nothing holds it to would not be noticed.
func TestGuides_StepsAreFound(t *testing.T) {
	t.Parallel()
	const page = "# Title\n\n```terraform\na\n```\n\ntext\n\n<!-- test: apply then -->\n```hcl\nb\nc\n```\n\n```shell\nd\n```\n\n<!-- test: said -->\n```text\ne ... f\n```\n"
	found := guideSteps(t, page)
	want := []string{"terraform  a\n", "hcl apply then b\nc\n", "shell  d\n", "text said e ... f\n"}
	var got []string
	for _, step := range found {
		got = append(got, step.language+" "+strings.Join(step.words, " ")+" "+step.content)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if missing := notPrinted("\u2502 Error: a long\n\u2502 line\n", "Error: a ... line"); missing != "" {
		t.Errorf("missing: %q", missing)
	}
	if missing := notPrinted("Error: a", "Error: b"); missing != "Error: b" {
		t.Errorf("missing: %q", missing)
	}
}

// guideEvents are what happens to somebody's engines between two steps.
var guideEvents = map[string]func(*guideRun){
	"a-minute": func(r *guideRun) { r.flink.Advance(time.Minute) },
	"a-minute-and-restart": func(r *guideRun) {
		r.flink.Advance(time.Minute)
		r.flink.RestartJobManager()
	},
	"checkpoints-deleted": func(r *guideRun) {
		r.flink.RestartJobManager()
		r.flink.RemoveFiles("file:/fake/checkpoints")
	},
	"job-started-by-hand": func(r *guideRun) {
		_, err := r.flink.SubmitJob(flinkfake.Graph{Name: "orders", Rate: 200, Operators: []flinkfake.Operator{{Name: "count", UID: "count", Stateful: true, Counts: true}}}, nil)
		if err != nil {
			panic(err) // There are slots for it.
		}
	},
}

type guideStep struct {
	line              int
	language, content string
	words             []string
}

func (s guideStep) has(word string) bool { return slices.Contains(s.words, word) }

// after is the word that follows another one.
func (s guideStep) after(word string) string {
	if i := slices.Index(s.words, word); i >= 0 && i+1 < len(s.words) {
		return s.words[i+1]
	}
	return ""
}

var (
	guideMark = regexp.MustCompile(`^<!-- test: (.+) -->$`)
	guideWord = []string{"apply", "then", "fails", "after", "parse", "file", "said"}
)

// guideSteps reads the blocks of a page, and fails for a mark that is before none.
func guideSteps(t *testing.T, page string) []guideStep {
	t.Helper()
	var steps []guideStep
	var words []string
	var open *guideStep
	for i, line := range strings.Split(page, "\n") {
		mark := guideMark.FindStringSubmatch(line)
		language, isFence := strings.CutPrefix(line, "```")
		switch {
		case open != nil && isFence:
			steps = append(steps, *open)
			open = nil
		case open != nil:
			open.content += line + "\n"
		case isFence:
			open = &guideStep{line: i + 1, language: language, words: words}
			words = nil
		case mark != nil:
			words = strings.Fields(mark[1])
			if !slices.Contains(guideWord, words[0]) {
				t.Errorf("line %d: %q is no word of a test", i+1, words[0])
			}
		case len(words) > 0:
			t.Errorf("line %d: there is no block after the mark %q", i+1, words)
			words = nil
		}
	}
	if open != nil {
		t.Errorf("line %d: the block has no end", open.line)
	}
	return steps
}

// guideRun is one reader of one guide.
type guideRun struct {
	*user

	files  map[string]string
	work   string
	output string
}

func newGuideRun(t *testing.T, one *user) *guideRun {
	t.Helper()
	flink, pravega := flinkfake.New(), pravegafake.New()
	gateway := gatewayfake.New(flink)
	t.Cleanup(flink.Close)
	t.Cleanup(gateway.Close)
	t.Cleanup(pravega.Close)
	flink.AllowScheme("s3")
	flink.RegisterProgram("com.example.Orders", guideProgram)
	env := append(slices.Clone(one.env), "STREAMING_FLINK_ENDPOINT="+flink.URL(), "STREAMING_SQL_GATEWAY_ENDPOINT="+gateway.URL(),
		"STREAMING_PRAVEGA_ENDPOINT="+pravega.URL())
	return &guideRun{user: &user{program: one.program, env: env, flink: flink, pravega: pravega}, files: map[string]string{}}
}

// guideProgram counts; another --operator is one that has no state yet.
func guideProgram(m *flinkfake.Main) error {
	return m.Execute(flinkfake.Graph{Rate: 200, Operators: []flinkfake.Operator{
		{Name: "Source: orders", UID: "source", Stateful: true},
		{Name: "count", UID: m.Arg("--operator", "count"), Stateful: true, Counts: true},
	}})
}

// follow does what a guide says, and tells whether Terraform ran.
func (r *guideRun) follow(t *testing.T, step guideStep) bool {
	t.Helper()
	switch {
	case step.has("file"):
		r.files[step.after("file")] = step.content
		return false
	case step.has("said"):
		if missing := notPrinted(r.output, step.content); missing != "" {
			t.Fatalf("line %d: nothing printed %q:\n%s", step.line, missing, r.output)
		}
		return false
	case step.language != "terraform" && step.language != "hcl":
		return false
	case step.has("parse"):
		if _, problems := hclparse.NewParser().ParseHCL([]byte(step.content), "terraform.tfrc"); problems.HasErrors() {
			t.Fatalf("line %d: %v", step.line, problems)
		}
		return false
	}
	r.prepare(t, step)
	command := []string{"plan", "-no-color", "-input=false"}
	if step.has("apply") {
		command = []string{"apply", "-no-color", "-input=false", "-auto-approve"}
	}
	var err error
	r.output, err = r.try(t, r.work, command...)
	if (err != nil) != step.has("fails") {
		t.Fatalf("line %d: %v\n%s", step.line, err, r.output)
	}
	return true
}

// prepare lays out what the guide leaves to its reader.
func (r *guideRun) prepare(t *testing.T, step guideStep) {
	t.Helper()
	if event := step.after("after"); event != "" {
		happen, known := guideEvents[event]
		if !known {
			t.Fatalf("line %d: %q is none of %q", step.line, event, slices.Sorted(maps.Keys(guideEvents)))
		}
		happen(r)
	}
	if !step.has("then") {
		r.work = t.TempDir()
	}
	content := step.content
	if !strings.Contains(content, "required_providers") {
		content += "terraform {\n  required_providers {\n    streaming = {\n      source = \"terraform-streaming/streaming\"\n    }\n  }\n}\n"
	}
	// Endpoints of a guide are nobody's; those of the environment are.
	content = guideEndpoint.ReplaceAllString(content, "")
	if !strings.Contains(content, "\nprovider \"streaming\"") && !strings.HasPrefix(content, "provider \"streaming\"") {
		content += fmt.Sprintf("provider \"streaming\" {\n  owner = %q\n}\n", "team-a/prod")
	}
	write(t, filepath.Join(r.work, "main.tf"), []byte(content))
	for name, text := range r.files {
		file := filepath.Join(r.work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		write(t, file, []byte(text))
	}
	for _, match := range localFile.FindAllStringSubmatch(content, -1) {
		if named := filepath.Join(r.work, filepath.FromSlash(match[1])); !exists(named) {
			makeFile(t, named)
		}
	}
}

var guideEndpoint = regexp.MustCompile(`(?m)^ *endpoint += "[^"]*"\n`)

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// notPrinted is the first part of a quotation that a run did not print, in
// whatever lines.
func notPrinted(output, quotation string) string {
	words := func(text string) string {
		return strings.Join(strings.Fields(strings.NewReplacer("\u2502", " ", "\u2577", " ", "\u2575", " ").Replace(text)), " ")
	}
	rest := words(output)
	for part := range strings.SplitSeq(words(quotation), "...") {
		part = strings.TrimSpace(part)
		at := strings.Index(rest, part)
		if at < 0 {
			return part
		}
		rest = rest[at+len(part):]
	}
	return ""
}
