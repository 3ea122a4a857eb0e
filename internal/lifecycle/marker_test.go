// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"strings"
	"testing"
)

// asFlinkReads reads the plain form of the option, as Flink does.
func asFlinkReads(t *testing.T, text string) map[string]string {
	t.Helper()
	parameters := map[string]string{}
	for item := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(item, ":")
		if !ok {
			t.Fatalf("%q has no value", item)
		}
		parameters[key] = value
	}
	return parameters
}

func TestMarker_IsReadBackAsWritten(t *testing.T) {
	t.Parallel()
	marker := Marker{Owner: "team: a, b", Name: `it's "é" \`, From: strings.Repeat("a", 32), Spec: "12e5", Jar: "0123", Try: "ABC"}
	text, err := MergeMarker("mine:1, other:2,", marker)
	if err != nil {
		t.Fatal(err)
	}
	parameters := asFlinkReads(t, text)
	read, ok := ParseMarker(parameters)
	if !ok || read != marker {
		t.Fatalf("%+v, %v", read, ok)
	}
	if parameters["mine"] != "1" {
		t.Fatalf("the user's own parameters are lost: %v", parameters)
	}
}

func TestMergeMarker_TakesAJSONObject(t *testing.T) {
	t.Parallel()
	text, err := MergeMarker(`{"b": "it's: x", "a": "1"}`, Marker{Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	if want := `'a:''1''','b:''it''''s: x''',terraform.name:6e`; text != want {
		t.Fatalf("%s instead of %s", text, want)
	}
	if _, err := MergeMarker(`{a: 1`, Marker{}); err == nil {
		t.Fatal("a broken object was taken")
	}
}

func TestParseMarker_OfAProgramThatRegistersItsOwnParametersIsUnknown(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]map[string]string{
		"nothing":  {},
		"others":   {"arg0": "--label"},
		"no hex":   {"terraform.name": "zz", "terraform.spec": "00"},
		"half one": {"terraform.name": "6e"},
	} {
		if marker, ok := ParseMarker(config); ok {
			t.Errorf("%s: read as %+v", name, marker)
		}
	}
}

func TestSpecHash_LeavesOutParallelismAndSecrets(t *testing.T) {
	t.Parallel()
	spec := func(change func(*Spec)) string {
		s := Spec{
			Name: "n", Parallelism: 1, Program: &JarProgram{SHA256: "aa", Args: []string{"x"}},
			Configuration: map[string]string{"a": "1", "s3.secret-key": "one", "execution.checkpointing.interval": "10 min"},
		}
		change(&s)
		return s.Hash()
	}
	base := spec(func(*Spec) {})
	for name, change := range map[string]func(*Spec){
		"parallelism": func(s *Spec) { s.Parallelism = 2 },
		"a secret":    func(s *Spec) { s.Configuration["s3.secret-key"] = "two" },
		"a spelling":  func(s *Spec) { s.Configuration["execution.checkpointing.interval"] = "600 s" },
		"the jar's id": func(s *Spec) {
			s.Program = &JarProgram{ID: "other", SHA256: "aa", Args: []string{"x"}}
		},
	} {
		if spec(change) != base {
			t.Errorf("%s changes the hash", name)
		}
	}
	for name, change := range map[string]func(*Spec){
		"name":            func(s *Spec) { s.Name = "m" },
		"max parallelism": func(s *Spec) { s.MaxParallelism = 2 },
		"an option":       func(s *Spec) { s.Configuration["a"] = "2" },
		"a duration":      func(s *Spec) { s.Configuration["execution.checkpointing.interval"] = "601 s" },
		"another option":  func(s *Spec) { s.Configuration["b"] = "" },
		"content":         func(s *Spec) { s.Program = &JarProgram{SHA256: "bb", Args: []string{"x"}} },
		"arguments":       func(s *Spec) { s.Program = &JarProgram{SHA256: "aa", Args: []string{"x", ""}} },
		"entry class":     func(s *Spec) { s.Program = &JarProgram{SHA256: "aa", EntryClass: "C", Args: []string{"x"}} },
	} {
		if spec(change) == base {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

func TestSteps_CoverEachPairOfObservedAndWanted(t *testing.T) {
	t.Parallel()
	for _, observed := range []State{StateRunning, StateSuspended, StateFinished, StateFailed, StateCanceled, StateLost} {
		for _, wanted := range []State{StateRunning, StateSuspended} {
			if _, ok := steps[observed][wanted]; !ok {
				t.Errorf("no step from %s to %s", observed, wanted)
			}
		}
	}
}

func TestSamePath_KnowsTheSpellingsOfALocalFile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/a/b", "file:/a/b", "file:///a/b", "file:/a/b/"} {
		if !samePath(path, "file:/a/b") {
			t.Errorf("%s differs", path)
		}
	}
	if samePath("s3://a/b", "s3://a/c") || samePath("s3://a/b", "/a/b") {
		t.Error("different paths are taken for one")
	}
}
