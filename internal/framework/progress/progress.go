// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package progress tells the user of an action that it goes on.
package progress

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
)

// Every is the pause between two messages, as Terraform's own about resources.
const Every = 10 * time.Second

// Say sends one message.
func Say(resp *action.InvokeResponse, format string, values ...any) {
	resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf(format, values...)})
}

// During does what takes long, and says again and again how long it took until
// now.
func During(resp *action.InvokeResponse, every time.Duration, what string, do func() error) error {
	done := make(chan error, 1)
	begun := time.Now()
	go func() { done <- do() }()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-ticker.C:
			Say(resp, "%s: %s so far", what, time.Since(begun).Round(time.Second))
		}
	}
}
