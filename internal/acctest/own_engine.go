// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/local"
)

// OwnFlink starts a Flink for one test alone, and stops it with the test. It is
// started when real engines are asked for.
func OwnFlink(t *testing.T, config local.Config) *local.State {
	t.Helper()
	realengine.Only(t)
	config.Dir = filepath.Join(t.TempDir(), "engine")
	config.Slots, config.Only, config.AutoPorts = 4, local.EngineFlink, true
	state, err := local.Up(t.Context(), config, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := local.Down(context.Background(), state.Dir, t.Output()); err != nil {
			t.Error(err)
		}
	})
	return state
}

var countLine = regexp.MustCompile(`COUNT job=([0-9a-f]{32}) label=\S+ key=\d+ value=(\d+) count=(\d+)`)

// Counted waits until a counting job has come to a number, and returns the
// numbers that it printed. A number that was lost, or counted twice, fails the
// test.
func Counted(t *testing.T, file, job string, least int64) []int64 {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []int64
		for _, match := range countLine.FindAllStringSubmatch(string(content), -1) {
			value, valueErr := strconv.ParseInt(match[2], 10, 64)
			count, countErr := strconv.ParseInt(match[3], 10, 64)
			if match[1] != job || valueErr != nil || countErr != nil {
				continue
			}
			if count != value/5+1 {
				t.Fatalf("the count at %d is %d: a number was lost, or counted twice", value, count)
			}
			numbers = append(numbers, value)
		}
		if len(numbers) > 0 && numbers[len(numbers)-1] >= least {
			return numbers
		}
		if time.Now().After(deadline) {
			t.Fatalf("after a minute job %s has not counted to %d", job, least)
		}
	}
}
