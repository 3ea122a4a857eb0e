// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package rest_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
)

// received is what a server that takes uploads saw of one.
type received struct {
	name, field      string
	size             int64
	sum              [sha256.Size]byte
	contentLength    int64
	transferEncoding []string
}

func receive(r *http.Request) (received, error) {
	got := received{contentLength: r.ContentLength, transferEncoding: r.TransferEncoding}
	reader, err := r.MultipartReader()
	if err != nil {
		return got, err
	}
	part, err := reader.NextPart()
	if err != nil {
		return got, err
	}
	got.name, got.field = part.FileName(), part.FormName()
	hash := sha256.New()
	if got.size, err = io.Copy(hash, part); err != nil {
		return got, err
	}
	copy(got.sum[:], hash.Sum(nil))
	_, err = reader.NextPart()
	if !errors.Is(err, io.EOF) {
		return got, errors.New("more than one part")
	}
	return got, nil
}

func upload(content []byte, opened *atomic.Int32) *rest.Upload {
	return &rest.Upload{
		Field: "jarfile", FileName: "app.jar", Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) {
			opened.Add(1)
			return io.NopCloser(bytes.NewReader(content)), nil
		},
	}
}

func TestUpload_C32_IsOneFileOfDeclaredLength(t *testing.T) {
	t.Parallel()
	var got received
	var failure error
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, failure = receive(r)
		status(200, "application/json", "{}")(w, r)
	}))
	defer server.Close()
	for _, size := range []int{0, 1, 100_000} {
		var opened atomic.Int32
		content := bytes.Repeat([]byte("x"), size)
		_, err := newClient(t, rest.Config{Endpoint: server.URL}).Do(t.Context(), rest.Request{
			Method: http.MethodPost, Path: []string{"jars", "upload"}, Upload: upload(content, &opened),
		})
		if err != nil || failure != nil {
			t.Fatalf("%d bytes: %v, %v", size, err, failure)
		}
		if got.field != "jarfile" || got.name != "app.jar" || got.sum != sha256.Sum256(content) {
			t.Errorf("%d bytes: got %d bytes as %s in %s", size, got.size, got.name, got.field)
		}
		if got.contentLength <= int64(size) || len(got.transferEncoding) != 0 {
			t.Errorf("%d bytes: Content-Length %d, Transfer-Encoding %v", size, got.contentLength, got.transferEncoding)
		}
		if opened.Load() != 1 {
			t.Errorf("%d bytes: opened %d times", size, opened.Load())
		}
	}
}

func TestUpload_C32_IsOpenedAnewForEachTry(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789"), 50_000)
	var mu sync.Mutex
	var sums [][sha256.Size]byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, err := receive(r)
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			sums = append(sums, got.sum)
		}
		if len(sums) < 3 {
			status(503, "application/json", leaderElection)(w, r)
			return
		}
		status(200, "application/json", "{}")(w, r)
	}))
	defer server.Close()
	var opened atomic.Int32
	_, err := newClient(t, rest.Config{Endpoint: server.URL}).Do(t.Context(), rest.Request{
		Method: http.MethodPost, Path: []string{"jars", "upload"}, Upload: upload(content, &opened),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(sums) != 3 || opened.Load() != 3 {
		t.Errorf("%d uploads, opened %d times", len(sums), opened.Load())
	}
	for i, sum := range sums {
		if sum != sha256.Sum256(content) {
			t.Errorf("try %d sent other bytes", i+1)
		}
	}
}

func TestUpload_AFileThatCannotBeOpenedIsSentNowhere(t *testing.T) {
	t.Parallel()
	handler := &answers{}
	server := httptest.NewServer(handler)
	defer server.Close()
	gone := errors.New("gone")
	_, err := newClient(t, rest.Config{Endpoint: server.URL}).Do(t.Context(), rest.Request{
		Method: http.MethodPost, Path: []string{"x"},
		Upload: &rest.Upload{Field: "f", FileName: "a.jar", Size: 1, Open: func() (io.ReadCloser, error) { return nil, gone }},
	})
	if !errors.Is(err, gone) || handler.requests() != 0 {
		t.Errorf("got %v after %d requests", err, handler.requests())
	}
}

func TestUpload_AFileThatShrankIsAnError(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := receive(r); err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer server.Close()
	_, err := newClient(t, rest.Config{Endpoint: server.URL}).Do(t.Context(), rest.Request{
		Method: http.MethodPost, Path: []string{"x"},
		Upload: &rest.Upload{Field: "f", FileName: "a.jar", Size: 1000, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("short")), nil
		}},
	})
	if err == nil {
		t.Error("an upload with fewer bytes than declared succeeded")
	}
}

// Not parallel, and last in its file: it looks at the memory of the process.
func TestUpload_C32_NeedsNoMemoryForTheFile(t *testing.T) {
	const size = 512 << 20
	path := filepath.Join(t.TempDir(), "large.jar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	// A hole: it reads as zeros and takes no room on disk.
	if err := errors.Join(file.Truncate(size), file.Close()); err != nil {
		t.Fatal(err)
	}
	var got atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		got.Store(n)
		status(200, "application/json", "{}")(w, r)
	}))
	defer server.Close()
	client := newClient(t, rest.Config{Endpoint: server.URL})

	var peak atomic.Uint64
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			peak.Store(max(peak.Load(), stats.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	_, err = client.Do(t.Context(), rest.Request{
		Method: http.MethodPost, Path: []string{"jars", "upload"}, Timeout: rest.NoTimeout,
		Upload: &rest.Upload{Field: "jarfile", FileName: "large.jar", Size: size, Open: func() (io.ReadCloser, error) { return os.Open(path) }},
	})
	close(done)
	<-stopped
	if err != nil || got.Load() < size {
		t.Fatalf("%v, %d bytes came", err, got.Load())
	}
	if peak.Load() > 64<<20 {
		t.Errorf("%d MiB of heap for %d MiB of file", peak.Load()>>20, size>>20)
	}
	t.Logf("peak heap %d MiB while %d MiB were sent", peak.Load()>>20, size>>20)
}
