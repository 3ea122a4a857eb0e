// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"strings"
	"testing"
)

// TestHash_NeverChanges holds ids to values that were worked out by hand with
// another implementation: a change would lose every job that exists.
func TestHash_NeverChanges(t *testing.T) {
	t.Parallel()
	uid := UID("team-a/prod", "http://localhost:8081", "streaming_flink_job", "counter")
	family := SavepointFamily("team-a/prod", "http://localhost:8081", JobID(uid, 1))
	order := SavepointOrder{Trigger: "nightly", Format: "CANONICAL"}
	for what, pair := range map[string][2]string{
		"nothing":       {Hash(), "e3b0c44298fc1c149afbf4c8996fb924"},
		"one part":      {Hash("a"), "3b196fd4907bedf51c3090e9835f2f7c"},
		"uid":           {uid, "ca2c92e149b20e8c6549f3c5abf987b8"},
		"first job":     {JobID(uid, 1), "782bb27acb255cfdb7520936098793db"},
		"tenth job":     {JobID(uid, 10), "5753d53a73c1262671a243112e05c3e9"},
		"first stop":    {StopTrigger(uid, 1, 1), "9a2f51e5b2759bef8780f0cf07dd1efb"},
		"second stop":   {StopTrigger(uid, 1, 2), "39c1242dfc8b147b84920611cfd645b4"},
		"savepoints":    {family, "bce4f9e686774db364e6c86193696279"},
		"a savepoint":   {SavepointTrigger(family, order, 1), "ca3bb194676315f5d5b2ef36bdd3055f"},
		"another":       {SavepointTrigger(family, order, 2), "f2cf15fb8ed5d2424e546a05b1ccca4e"},
		"without owner": {UID("", "https://flink.example/prod", "streaming_flink_job", "é"), "b4de007222f7f0c0eb76e86a419ca17f"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s instead of %s", what, pair[0], pair[1])
		}
	}
}

func TestHash_PartsDoNotRunIntoEachOther(t *testing.T) {
	t.Parallel()
	if Hash("ab", "c") == Hash("a", "bc") || Hash("a", "") == Hash("a") {
		t.Fatal("two lists of parts hash alike")
	}
}

func TestJobID_IsThirtyTwoLowerCaseHexDigits(t *testing.T) {
	t.Parallel()
	id := JobID("x", 1)
	if len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" {
		t.Fatalf("%q", id)
	}
}
