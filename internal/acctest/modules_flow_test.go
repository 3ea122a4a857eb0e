// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// moduleExamples is the folder of modules, which the tests of this file look at.
const moduleExamples = "modules"

const (
	moduleExample = "examples/two-teams"
	// moduleJar is the program of the tests and the examples.
	moduleJar = "app.jar"
)

// What each module must have: users copy it, and its tests are its proof.
var moduleFiles = []string{
	"README.md", "main.tf", "outputs.tf", "variables.tf", "versions.tf",
	"tests/*.tftest.hcl", moduleExample + "/main.tf",
}

// Each module's own tests pass, as its user would run them; and two teams use it
// beside each other, so that nothing of theirs collides.
func TestFlow_Modules_TestsPassAndTwoTeamsUseEach(t *testing.T) {
	t.Parallel()
	root := repository(t)
	user := newUser(t, root)
	// The modules run side by side, with more jobs than the usual cluster takes.
	user.flink = flinkfake.New(flinkfake.Slots(64))
	t.Cleanup(user.flink.Close)
	user.flink.RegisterProgram("com.example.Orders", guideProgram)
	launcher := filepath.Join(t.TempDir(), "flink-python.jar")
	write(t, launcher, flinkfake.Jar("org.apache.flink.client.python.PythonDriver"))
	user.env = append(user.env, "STREAMING_FLINK_ENDPOINT="+user.flink.URL(), "STREAMING_FLINK_PYTHON_JAR="+launcher)
	t.Cleanup(func() { user.expectNothingLeft(t) })
	for _, module := range modules(t, root) {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			work := copyModule(t, root, module)
			user.testModule(t, work)
			user.useModuleTwice(t, filepath.Join(work, filepath.FromSlash(moduleExample)))
		})
	}
}

var allPassed = regexp.MustCompile(`(?m)^Success! [1-9]\d* passed, 0 failed\.$`)

func (u *user) testModule(t *testing.T, work string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(work, "tests", "*.tftest.hcl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the module has no tests: %v", err)
	}
	u.terraform(t, work, "get", "-no-color")
	output := u.terraform(t, work, "test", "-no-color")
	if !allPassed.MatchString(output) {
		t.Errorf("not all tests were run and passed:\n%s", output)
	}
	for _, file := range files {
		if name := "tests/" + filepath.Base(file); !strings.Contains(output, name+"... pass") {
			t.Errorf("%s was not run:\n%s", name, output)
		}
	}
}

func (u *user) useModuleTwice(t *testing.T, work string) {
	t.Helper()
	u.terraform(t, work, "get", "-no-color")
	u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve")
	state := u.terraform(t, work, "state", "list")
	for _, team := range []string{"module.team_a.", "module.team_b."} {
		if !strings.Contains(state, team) {
			t.Errorf("nothing of %s is in state:\n%s", team, state)
		}
	}
	output := u.terraform(t, work, "plan", "-no-color", "-input=false", "-detailed-exitcode")
	if strings.Contains(output, "Warning: Check") {
		t.Errorf("an alert of a module whose job is well:\n%s", output)
	}
	u.destroyModules(t, work)
}

// destroyModules destroys, and where the modules protect what they made, wants
// to be refused first.
func (u *user) destroyModules(t *testing.T, work string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(work, "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	destroy := []string{"apply", "-destroy", "-no-color", "-input=false", "-auto-approve"}
	if strings.Contains(string(content), `variable "deletion_protection"`) {
		if output, err := u.try(t, work, destroy...); err == nil || !strings.Contains(output, "deletion_protection") {
			t.Errorf("a protected module was destroyed: %v\n%s", err, output)
		}
		unprotected := "-var=deletion_protection=false"
		u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve", unprotected)
		destroy = append(destroy, unprotected)
	}
	u.terraform(t, work, destroy...)
}

// expectNothingLeft wants that nobody left a scope, a job or code.
func (u *user) expectNothingLeft(t *testing.T) {
	t.Helper()
	if scopes := get(t, u.pravega.URL()+"/v1/scopes"); !strings.Contains(scopes, `"scopes"`) || strings.Contains(scopes, "team-") {
		t.Errorf("a scope is left: %s", scopes)
	}
	if len(u.flink.History()) == 0 {
		t.Error("no job was run")
	}
	for _, job := range u.flink.Live() {
		t.Errorf("a job is left: %s %s", job.Name, job.State)
	}
	for _, jar := range u.flink.Jars() {
		if strings.HasPrefix(jar.Name, "app-") || strings.HasPrefix(jar.Name, "team-") {
			t.Errorf("code is left: %s", jar.Name)
		}
	}
}

func get(t *testing.T, address string) string {
	t.Helper()
	// Not t.Context, which has ended in a cleanup.
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestModules_HaveTestsExampleAndReadme(t *testing.T) {
	t.Parallel()
	root := repository(t)
	for _, module := range modules(t, root) {
		dir := filepath.Join(root, "examples", moduleExamples, module)
		for _, pattern := range moduleFiles {
			if files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern))); err != nil || len(files) == 0 {
				t.Errorf("%s has no %s: %v", module, pattern, err)
			}
		}
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			named, err := filepath.Rel(dir, path)
			known := slices.ContainsFunc([]string{"*.tf", "README.md", "tests/*.tftest.hcl", moduleExample + "/*.tf"}, func(pattern string) bool {
				matched, err := filepath.Match(pattern, filepath.ToSlash(named))
				return err == nil && matched
			})
			if !known && !usedBySource(t, path) {
				t.Errorf("%s: no test looks at this file", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// usedBySource tells whether Terraform files name a file that lies beside them,
// or the directory beside them that it is in.
func usedBySource(t *testing.T, file string) bool {
	t.Helper()
	return namedIn(t, filepath.Dir(file), `/`+filepath.Base(file)+`"`) ||
		namedIn(t, filepath.Dir(filepath.Dir(file)), `/`+filepath.Base(filepath.Dir(file))+`"`)
}

// namedIn tells whether a Terraform file or test of a directory has the text.
func namedIn(t *testing.T, dir, text string) bool {
	t.Helper()
	for _, pattern := range []string{"*.tf", "*.tftest.hcl"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(content), text) {
				return true
			}
		}
	}
	return false
}

// A README has one row for each input and output, in the words of the code.
func TestModules_ReadmesAreTrue(t *testing.T) {
	t.Parallel()
	root := repository(t)
	row := regexp.MustCompile("(?m)^\\| `.*$")
	for _, module := range modules(t, root) {
		dir := filepath.Join(root, "examples", moduleExamples, module)
		readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, file := range []string{"variables.tf", "outputs.tf"} {
			content, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			rows := moduleRows(string(content))
			if len(rows) == 0 || len(rows) != strings.Count("\n"+string(content), "\nvariable \"")+strings.Count("\n"+string(content), "\noutput \"") {
				t.Errorf("%s/%s: a block does not begin with its description", module, file)
			}
			want = append(want, rows...)
		}
		if got := row.FindAllString(string(readme), -1); !slices.Equal(got, want) {
			t.Errorf("%s/README.md: its tables should be\n%s\nnot\n%s", module, strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	}
}

var (
	moduleBlock   = regexp.MustCompile(`(?ms)^(variable|output) "(\w+)" \{\n  description = "([^"\n]*)"\n(.*?)^\}`)
	moduleType    = regexp.MustCompile(`(?m)^  type +=\s*(\w+(?:\(\w+)?)`)
	moduleDefault = regexp.MustCompile(`(?m)^  default +=\s*(.+)$`)
)

// moduleRows are the rows of a README for blocks: name, type, default and
// description of a variable, name and description of an output.
func moduleRows(content string) []string {
	var rows []string
	for _, block := range moduleBlock.FindAllStringSubmatch(content, -1) {
		kind, name, description, rest := block[1], block[2], block[3], block[4]
		if kind == "output" {
			rows = append(rows, fmt.Sprintf("| `%s` | %s |", name, description))
			continue
		}
		typed := ""
		if match := moduleType.FindStringSubmatch(rest); match != nil {
			typed = match[1]
			if strings.Contains(typed, "(") {
				typed += ")"
			}
		}
		standard := "required"
		if match := moduleDefault.FindStringSubmatch(rest); match != nil {
			standard = "`" + match[1] + "`"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", name, typed, standard, description))
	}
	return rows
}

// modules names the modules of the repository.
func modules(t *testing.T, root string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "examples", moduleExamples))
	if err != nil || len(entries) == 0 {
		t.Fatalf("no modules: %v", err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// copyModule lays a module out in a directory of its own, with the jar that its
// tests and its example need.
func copyModule(t *testing.T, root, module string) string {
	t.Helper()
	work := filepath.Join(t.TempDir(), module)
	copyTree(t, filepath.Join(root, "examples", moduleExamples, module), work)
	// Another content for each module: one content is one upload.
	for _, dir := range []string{"tests", moduleExample} {
		write(t, filepath.Join(work, filepath.FromSlash(dir), moduleJar), flinkfake.Jar("com.example.Orders", module))
	}
	return work
}
