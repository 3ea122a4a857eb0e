// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package progress_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/progress"
)

func TestDuring_SaysHowLongItTakesAndHandsOnTheError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var said []string
		resp := &action.InvokeResponse{SendProgress: func(event action.InvokeProgressEvent) { said = append(said, event.Message) }}
		want := errors.New("no")
		err := progress.During(resp, progress.Every, "Savepoint", func() error {
			time.Sleep(25 * time.Second)
			return want
		})
		if !errors.Is(err, want) {
			t.Errorf("%v", err)
		}
		if len(said) != 2 || said[0] != "Savepoint: 10s so far" || said[1] != "Savepoint: 20s so far" {
			t.Errorf("%q", said)
		}
	})
}
