// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"path/filepath"
	"regexp"
	"testing"
)

// A mistake that cannot be put in any more would only be missed by what runs
// for long, and rarely.
func TestMutants_EachCanStillBePutIn(t *testing.T) {
	t.Parallel()
	if len(mutants) != 5 {
		t.Errorf("%d mistakes instead of five", len(mutants))
	}
	for _, m := range mutants {
		if _, err := apply(filepath.Join("..", "..", ".."), m.edits); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if _, err := regexp.Compile(m.only); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}
