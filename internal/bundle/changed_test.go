// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/bundle"
)

// changed writes an archive of a source that is not what was planned.
func changed(t *testing.T, s bundle.Source, planned bundle.Planned) *bundle.ChangedError {
	t.Helper()
	var out bytes.Buffer
	_, err := s.Write(t.Context(), &out, planned)
	e, ok := errors.AsType[*bundle.ChangedError](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	if _, err := unpack(out.Bytes()); err == nil {
		t.Errorf("%v: a whole archive was written", e)
	}
	if _, err := bundle.Build(t.Context(), s, planned); err == nil || err.Error() != e.Error() {
		t.Errorf("got %v, want %v", err, e)
	}
	return e
}

func TestWrite_C55_APlanHoldsInAnotherCheckout(t *testing.T) {
	t.Parallel()
	planned := read(t, bundle.Source{Dir: write(t, filepath.Join(t.TempDir(), "plan"), project, false)})
	elsewhere := bundle.Source{Dir: write(t, filepath.Join(t.TempDir(), "apply"), project, true)}
	for name, plan := range map[string]bundle.Planned{
		"manifest": planned.Planned(), "hashes": {SHA256: planned.SHA256(), Hashes: planned.Hashes()},
		"hash alone": {SHA256: planned.SHA256()}, "nothing": {},
	} {
		var out bytes.Buffer
		archive, err := elsewhere.Write(t.Context(), &out, plan)
		if err != nil || archive.Manifest.SHA256() != planned.SHA256() {
			t.Errorf("%s: %v", name, err)
		}
		if err := plan.Compare(planned); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWrite_C55_WhatChangedSinceThePlanIsNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(dir string) error
		path   string
		what   bundle.Change
		others int
	}{
		{"changed", func(dir string) error { return os.WriteFile(filepath.Join(dir, "geo/near.py"), []byte("x"), 0o600) }, "geo/near.py", bundle.Changed, 0},
		{"same size", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "geo/__init__.py"), []byte("from .near import naer\n"), 0o600)
		}, "geo/__init__.py", bundle.Changed, 0},
		{"missing", func(dir string) error { return os.Remove(filepath.Join(dir, "empty")) }, "empty", bundle.Missing, 0},
		{"new", func(dir string) error { return os.WriteFile(filepath.Join(dir, "new.py"), nil, 0o600) }, "new.py", bundle.New, 0},
		{"renamed", func(dir string) error { return os.Rename(filepath.Join(dir, "udfs.py"), filepath.Join(dir, "all.py")) }, "all.py", bundle.New, 1},
	} {
		dir := write(t, t.TempDir(), project, false)
		s := bundle.Source{Dir: dir}
		planned := read(t, s)
		must(t, test.change(dir))
		for _, plan := range []bundle.Planned{planned.Planned(), {SHA256: planned.SHA256(), Hashes: planned.Hashes()}} {
			e := changed(t, s, plan)
			if e.Path != test.path || e.What != test.what || e.Others != test.others || e.Want != planned.SHA256() {
				t.Errorf("%s: %+v", test.name, e)
			}
			now := read(t, s)
			if compared, ok := errors.AsType[*bundle.ChangedError](plan.Compare(now)); !ok || compared.Path != test.path || compared.Got != now.SHA256() {
				t.Errorf("%s: compared %+v", test.name, compared)
			}
		}
		e := changed(t, s, bundle.Planned{SHA256: planned.SHA256()})
		if e.Path != "" || e.What != bundle.Unnamed || e.Want != planned.SHA256() || e.Got != read(t, s).SHA256() {
			t.Errorf("%s, by the hash alone: %+v", test.name, e)
		}
	}
}

func TestWrite_C55_AnExecutableBitIsPartOfThePlan(t *testing.T) {
	t.Parallel()
	dir := write(t, t.TempDir(), project, false)
	s := bundle.Source{Dir: dir}
	planned := read(t, s)
	if os.Chmod(filepath.Join(dir, "bin/convert"), 0o644) != nil || read(t, s).SHA256() == planned.SHA256() {
		t.Log("this system has no executable bits")
		return
	}
	if e := changed(t, s, planned.Planned()); e.Path != "bin/convert" || e.What != bundle.ModeChanged {
		t.Errorf("%+v", e)
	}
	// The hashes of the files do not tell which one it is.
	if e := changed(t, s, bundle.Planned{SHA256: planned.SHA256(), Hashes: planned.Hashes()}); e.Path != "" || e.What != bundle.ModeChanged {
		t.Errorf("%+v", e)
	}
}

func TestChangedError_SaysHowManyFilesDiffer(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]bundle.ChangedError{
		"a.py changed since the plan":                                                {Path: "a.py", What: bundle.Changed},
		"a.py was not there at the plan, and one more file differs":                  {Path: "a.py", What: bundle.New, Others: 1},
		"a.py was there at the plan, and is missing now, and 7 more files differ":    {Path: "a.py", What: bundle.Missing, Others: 7},
		"a.py has another executable bit than at the plan":                           {Path: "a.py", What: bundle.ModeChanged},
		"the content changed since the plan (sha256 b instead of a)":                 {What: bundle.Unnamed, Want: "a", Got: "b"},
		"a file has another executable bit than at the plan (sha256 b instead of a)": {What: bundle.ModeChanged, Want: "a", Got: "b"},
	} {
		if e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
	}
}

func TestRead_AnInterruptedRunEnds(t *testing.T) {
	t.Parallel()
	s := bundle.Source{Dir: write(t, t.TempDir(), project, false)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bundle.Read(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := s.Write(ctx, &bytes.Buffer{}, bundle.Planned{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
