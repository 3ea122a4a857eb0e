// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
)

// The example of the look-up of a job is what a user would want of a check
// block: silent while the job is well, a warning when it is not, never an error.
func TestFlow_Checks_OfTheExampleWarnOfAJobThatIsNotWellAndStopNothing(t *testing.T) {
	t.Parallel()
	root := repository(t)
	u := newUser(t, root)
	// It runs well for an hour; from then on it fails before each checkpoint.
	u.flink.RegisterProgram("com.example.Orders", func(m *flinkfake.Main) error {
		return m.Execute(flinkfake.Graph{
			Rate: 1, FailAt: 3630, Operators: []flinkfake.Operator{{Name: "Source: numbers", UID: "numbers", Stateful: true, Counts: true}},
		})
	})
	work := u.copyExample(t, root, filepath.Join("data-sources", "streaming_flink_job"))
	plan := func(words ...string) {
		t.Helper()
		output := unframed(u.terraform(t, work, "plan", "-no-color", "-input=false"))
		if len(words) == 0 && strings.Contains(output, alert) {
			t.Errorf("an alert of a job that is well:\n%s", output)
		}
		for _, word := range words {
			if !strings.Contains(output, word) {
				t.Errorf("nothing of %q:\n%s", word, output)
			}
		}
	}
	if output := u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve"); strings.Contains(output, alert) {
		t.Errorf("an alert of a job that has just started:\n%s", output)
	}
	u.flink.Advance(30 * time.Minute)
	plan()
	u.flink.Advance(90 * time.Minute)
	plan(alert, "Flink has restarted orders ", "times. Last failure: failed at record 3630, as asked", "newest checkpoint of orders is older than ten minutes")

	// A look-up that finds nothing: the job is one that others run.
	write(t, filepath.Join(work, "data-source.tf"), []byte(`
check "orders" {
  data "streaming_flink_job" "orders" {
    name = "orders"
  }
  assert {
    condition     = data.streaming_flink_job.orders.all_tasks_running
    error_message = "orders is ${data.streaming_flink_job.orders.status}"
  }
}

removed {
  from = streaming_flink_job.orders
  lifecycle {
    destroy = false
  }
}
`))
	u.terraform(t, work, "apply", "-no-color", "-input=false", "-auto-approve")
	u.flink.RestartJobManager()
	plan(`Warning: Flink knows no job named "orders"`, "Plan: 0 to add, 0 to change, 0 to destroy.")
}

const alert = "Warning: Check block assertion failed"

// unframed is Terraform's output in one line, without the frames of its warnings.
func unframed(output string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(output)), " ")
}
