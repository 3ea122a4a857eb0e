// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package stateprobe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest/realengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/flinkengine"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

func TestAcc_TheEmbeddedJarIsBuiltFromTheSource(t *testing.T) {
	t.Parallel()
	realengine.Only(t)
	jdk, err := javabuild.FindJDK(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if jdk.Version != 17 {
		t.Skipf("Java %d may write other bytes than 17 does", jdk.Version)
	}
	dir, err := install.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	flink, err := flinkengine.Install(t.Context(), install.Cache{Dir: dir, Log: io.Discard}, flinkengine.DefaultVersion)
	if err != nil {
		t.Fatal(err)
	}
	built, err := javabuild.Build{
		Sources: []fs.FS{os.DirFS("src")}, Classpath: flink.Libraries(), Release: 8, MainClass: EntryClass,
	}.Jar(t.Context(), jdk)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(built, Jar()) {
		t.Fatal("stateprobe.jar is not what src makes: run go run ./internal/lifecycle/stateprobe/build")
	}
}

// cluster calls the jar on a real Flink with nothing but HTTP.
type cluster struct {
	t        *testing.T
	endpoint string
	jar      string
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t, endpoint: realengine.Variable(t, "STREAMING_FLINK_ENDPOINT")}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("jarfile", FileName())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(Jar()); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	var uploaded struct{ Filename string }
	c.call(t.Context(), http.MethodPost, "/jars/upload", form.FormDataContentType(), &body, &uploaded)
	c.jar = path.Base(uploaded.Filename)
	t.Cleanup(func() {
		c.call(context.Background(), http.MethodDelete, "/jars/"+c.jar, "", http.NoBody, nil)
	})
	return c
}

func (c *cluster) call(ctx context.Context, method, path, contentType string, body io.Reader, into any) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		c.t.Fatalf("%s %s: %s\n%s", method, path, response.Status, raw)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(raw, into); err != nil {
		c.t.Fatalf("%s %s: %v\n%s", method, path, err, raw)
	}
}

func (c *cluster) ask(timeout time.Duration, ops ...Op) []Result {
	c.t.Helper()
	body, err := json.Marshal(map[string]any{"entryClass": EntryClass, "programArgsList": Args(timeout, ops...)})
	if err != nil {
		c.t.Fatal(err)
	}
	var answer struct{ Plan struct{ Name string } }
	c.call(c.t.Context(), http.MethodPost, "/jars/"+c.jar+"/plan", "application/json", bytes.NewReader(body), &answer)
	results, err := Parse(answer.Plan.Name)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(results) != len(ops) {
		c.t.Fatalf("%d results for %d questions", len(results), len(ops))
	}
	return results
}

// makeTree builds a tree of files; a path that ends in / is a directory.
func makeTree(t *testing.T, root string, modified time.Time, names ...string) {
	t.Helper()
	for i, name := range names {
		full := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := modified.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(full, at, at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAcc_NewestIsTheLatestCompleteOne(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		files      []string
		want       string
		kind       Kind
		incomplete int
		empty      bool
	}{
		"nothing":                  {files: []string{"./"}, empty: true},
		"only shared state":        {files: []string{"shared/", "taskowned/"}},
		"a checkpoint":             {files: []string{"chk-1/_metadata"}, want: "chk-1", kind: Checkpoint},
		"one without metadata":     {files: []string{"chk-1/_metadata", "chk-2/"}, want: "chk-1", kind: Checkpoint, incomplete: 1},
		"the later time wins":      {files: []string{"chk-9/_metadata", "savepoint-ab-1/_metadata"}, want: "savepoint-ab-1", kind: Savepoint},
		"not the higher number":    {files: []string{"chk-10/_metadata", "chk-2/_metadata"}, want: "chk-2", kind: Checkpoint},
		"below a folder for a job": {files: []string{"0a/chk-3/_metadata", "0b/chk-1/_metadata"}, want: "0b/chk-1", kind: Checkpoint},
		"not inside shared state":  {files: []string{"chk-1/_metadata", "shared/chk-2/_metadata"}, want: "chk-1", kind: Checkpoint},
		"other names do not count": {files: []string{"chk-1/_metadata", "x/_metadata"}, want: "chk-1", kind: Checkpoint},
	} {
		root := filepath.Join(t.TempDir(), "é \"quoted\" + dir")
		makeTree(t, root, begin, test.files...)
		got := c.ask(10*time.Second, Newest("file://"+root))[0]
		if err := got.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := ""
		if test.want != "" {
			want = "file:" + filepath.Join(root, test.want)
		}
		if !got.Exists || got.Empty != test.empty || got.Path != want || got.Kind != test.kind || got.Incomplete != test.incomplete {
			t.Errorf("%s: got %+v, want path %q", name, got, want)
		}
	}
}

func TestAcc_TheNumberDecidesBetweenEqualTimes(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	root := t.TempDir()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{"chk-9/_metadata", "chk-10/_metadata", "chk-2/_metadata"} {
		makeTree(t, root, at, name)
	}
	got := c.ask(10*time.Second, Newest("file://"+root))[0]
	if want := "file:" + filepath.Join(root, "chk-10"); got.Path != want || !got.Modified.Equal(at) {
		t.Fatalf("got %+v, want %s of %s", got, want, at)
	}
}

func TestAcc_OneCallAnswersManyQuestions(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	root := t.TempDir()
	makeTree(t, root, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "chk-1/_metadata", "chk-2/", "plain")
	got := c.ask(10*time.Second,
		Exists("file://"+root), Exists("file://"+root+"/plain"), Exists(root+"/nothing"),
		Newest("file://"+root+"/nothing"), List("file://"+root), List("file://"+root+"/nothing"),
		Exists("nosuchscheme://bucket/x"), Exists(""), Op{"dance", root})
	for i, want := range []Result{{Exists: true, Dir: true}, {Exists: true}, {}, {Empty: true}} {
		if fmt.Sprint(got[i]) != fmt.Sprint(want) {
			t.Errorf("result %d: got %+v, want %+v", i, got[i], want)
		}
	}
	complete := map[string]bool{}
	for _, child := range got[4].Children {
		complete[child.Name] = child.Complete
	}
	if len(complete) != 3 || !complete["chk-1"] || complete["chk-2"] || complete["plain"] {
		t.Errorf("children %+v", got[4].Children)
	}
	if got[5].Exists || len(got[5].Children) != 0 || got[5].Err() != nil {
		t.Errorf("a list of nothing: %+v", got[5])
	}
	if err := got[6].Err(); err == nil || !strings.Contains(err.Error(), "UnsupportedFileSystemScheme") {
		t.Errorf("error of an unknown scheme: %v", err)
	}
	if got[7].Err() == nil || got[8].Err() == nil {
		t.Errorf("no error for an empty path (%+v) or an unknown operation (%+v)", got[7], got[8])
	}
}

func TestAcc_WhatIsNotAnsweredInTimeTimedOut(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	root := t.TempDir()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 200 {
		makeTree(t, root, at, fmt.Sprintf("chk-%d/_metadata", i))
	}
	var ops []Op
	for range 2000 {
		ops = append(ops, Newest("file://"+root))
	}
	got := c.ask(50*time.Millisecond, ops...)
	if last := got[len(got)-1]; !errors.Is(last.Err(), ErrTimedOut) {
		t.Errorf("last of %d results: %+v, want a time-out", len(got), last)
	}
	for i, r := range got {
		if r.Err() == nil && r.Path == "" || r.Err() != nil && !errors.Is(r.Err(), ErrTimedOut) {
			t.Errorf("result %d: %+v", i, r)
		}
	}
}

// TestAcc_ACopyIsBesideItsUploadAndDisturbsNothing copies the probe's own jar.
func TestAcc_ACopyIsBesideItsUploadAndDisturbsNothing(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	name := fmt.Sprintf("copy-%s.zip", strings.TrimSuffix(c.jar, ".jar"))
	got := c.ask(10*time.Second, Copy(c.jar, name), Copy(c.jar, name))
	if got[0].Err() != nil || path.Base(got[0].Path) != name || got[1].Err() != nil || got[1].Path != got[0].Path {
		t.Fatalf("copies: %+v", got)
	}
	content, err := os.ReadFile(got[0].Path)
	if err != nil || !bytes.Equal(content, Jar()) {
		t.Errorf("the copy has %d bytes (%v), not those of the upload", len(content), err)
	}
	old := filepath.Join(filepath.Dir(got[0].Path), "old-"+name)
	if err := os.WriteFile(old, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(got[0].Path, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	again := c.ask(10*time.Second, Copy(c.jar, name))[0]
	if content, err = os.ReadFile(again.Path); err != nil || !bytes.Equal(content, Jar()) {
		t.Errorf("the copy of a broken one has %d bytes (%v)", len(content), err)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy of two hours ago: %v", err)
	}
	var listed struct{ Files []struct{ ID string } }
	c.call(t.Context(), http.MethodGet, "/jars", "", http.NoBody, &listed)
	for _, file := range listed.Files {
		if !strings.HasSuffix(file.ID, ".jar") {
			t.Errorf("Flink lists %s", file.ID)
		}
	}
	// Flink deletes it as it deletes an upload.
	c.call(t.Context(), http.MethodDelete, "/jars/"+name, "", http.NoBody, nil)
	if _, err := os.Stat(again.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its deletion: %v", err)
	}
	for i, r := range c.ask(10*time.Second,
		Copy("../"+c.jar, name), Copy(c.jar, "../"+name), Copy(c.jar, "a\\b.zip"), Copy(c.jar, name+".jar"), Copy("nothing.jar", name), Op{"copy", "x"}, Op{"copy", "/.zip"}) {
		if r.Err() == nil {
			t.Errorf("copy %d: %+v", i, r)
		}
	}
}

func TestAcc_ProbingStartsNoJob(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.ask(10*time.Second, Exists("/"))
	var listed struct{ Jobs []struct{ Name string } }
	c.call(t.Context(), http.MethodGet, "/jobs/overview", "", http.NoBody, &listed)
	for _, job := range listed.Jobs {
		if strings.HasPrefix(job.Name, `{"v":1`) {
			t.Errorf("the probe left the job %s", job.Name)
		}
	}
}
