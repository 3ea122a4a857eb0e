// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestTree_IsOfTheSizeThatTheFiguresAreFor(t *testing.T) {
	t.Parallel()
	files, size := 0, 0
	for _, s := range shares {
		files, size = files+s.files, size+s.bytes
		first := s.write(rand.New(rand.NewPCG(1, 2)), 1000)
		if again := s.write(rand.New(rand.NewPCG(1, 2)), 1000); len(first) != 1000 || !bytes.Equal(first, again) {
			t.Errorf("%s: %d bytes, or others the second time", s.name, len(first))
		}
	}
	if files != treeFiles || size != treeBytes {
		t.Errorf("%d files, %d bytes", files, size)
	}
}

func TestReportBundle_FailsAboveALimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ours, theirs time.Duration
		size         int64
		want         string
	}{
		{100 * ms, 300 * ms, 1010, ""},
		{100 * ms, 290 * ms, 1010, "2.9 times as fast"},
		{100 * ms, 300 * ms, 1011, "1.0110 times as large"},
	} {
		pairs := []pair{{test.ours, test.theirs}, {test.ours, test.theirs}, {test.ours, test.theirs}}
		var out strings.Builder
		err := reportBundle(&out, compare(pairs), made{size: test.size}, made{size: 1000})
		switch {
		case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%+v: %v", test, err)
		case !strings.Contains(out.String(), "at least 3") || !strings.Contains(out.String(), "0.00 MB"):
			t.Errorf("%s", out.String())
		}
	}
	if withinMemory(made{idle: 10 << 20, peak: 42 << 20}, "a tree") != nil || withinMemory(made{idle: 10 << 20, peak: 43 << 20}, "a tree") == nil {
		t.Error("the limit of the memory is another one")
	}
}
