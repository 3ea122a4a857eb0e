// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// elsewhere copies the configuration, and what is beside it, to a new directory:
// the next checkout.
func (w *importing) elsewhere(t *testing.T) {
	t.Helper()
	next := t.TempDir()
	if err := os.CopyFS(next, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	w.dir = next
}

// Each resource is planned in one checkout, applied in another with nothing but
// the plan and the configuration, and nothing to do in a third, as HCP Terraform
// runs it. The state knows no directory, and the log each request.
func TestFlow_Elsewhere_APlanOfEachResourceIsAppliedInAnotherCheckout(t *testing.T) {
	t.Parallel()
	u := newUser(t, repository(t))
	for kind, row := range importedResources() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newImporting(t, u, kind, row)
			w.file(t, "main.tf", w.block())
			log := filepath.Join(t.TempDir(), "log")
			w.env = append(slices.Clone(w.env), "TF_LOG_PROVIDER=DEBUG", "TF_LOG_PATH="+log)
			planned := w.dir
			w.terraform(t, w.dir, "plan", "-input=false", "-no-color", "-out=tfplan")
			w.elsewhere(t)
			w.terraform(t, w.dir, "apply", "-input=false", "-no-color", "tfplan")
			state, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
			if err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{planned, w.dir} {
				if strings.Contains(string(state), dir) {
					t.Errorf("the state knows %s:\n%s", dir, state)
				}
			}
			w.logged(t, log)
			w.elsewhere(t)
			w.empty(t)
		})
	}
}

// logged wants each call that acted in the log, with what it was answered.
func (w *importing) logged(t *testing.T, file string) {
	t.Helper()
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(log), "\n"), func(line string) bool {
		return !strings.Contains(line, "provider.terraform-provider-streaming: request: ")
	})
	calls := w.acting()
	if len(calls) == 0 {
		t.Error("nothing was done")
	}
	for _, call := range calls {
		method, path, _ := strings.Cut(call, " ")
		path, _, _ = strings.Cut(path, "?")
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.Contains(line, "method="+method) && strings.Contains(line, "path="+path) && strings.Contains(line, "status=2") && strings.Contains(line, "milliseconds=")
		}) {
			t.Errorf("%s is not in the log:\n%s", call, strings.Join(lines, "\n"))
		}
	}
}
