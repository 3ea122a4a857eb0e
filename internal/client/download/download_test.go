// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package download_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/download"
)

var content = bytes.Repeat([]byte("a jar\n"), 1000)

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func give(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) }

func fetch(t *testing.T, address string) (*download.File, error) {
	t.Helper()
	d := download.Downloader{Pause: time.Millisecond}
	file, err := d.Fetch(t.Context(), address, hashOf(content))
	if file != nil {
		t.Cleanup(func() { _ = file.Close() })
	}
	return file, err
}

func TestFetch_ContentCanBeReadTwiceAndLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	file, err := fetch(t, serve(t, give)+"/app.jar")
	if err != nil {
		t.Fatal(err)
	}
	if file.SHA256 != hashOf(content) || file.Size != int64(len(content)) {
		t.Errorf("%+v", file)
	}
	for range 2 {
		reader, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(reader); err != nil || !bytes.Equal(got, content) {
			t.Errorf("read %d bytes, %v", len(got), err)
		}
	}
	left := func() int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	if runtime.GOOS != "windows" && left() != 0 {
		t.Error("a kill now would leave the file behind")
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if left() != 0 {
		t.Error("the temporary file is still there")
	}
}

func TestFetch_AnotherContentIsRefusedWithBothHashes(t *testing.T) {
	t.Parallel()
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "PK other") })
	_, err := fetch(t, address+"/app.jar?X-Signature=s3cret")
	mismatch, ok := errors.AsType[*download.MismatchError](err)
	if !ok || mismatch.Page {
		t.Fatalf("%v", err)
	}
	for _, want := range []string{address + "/app.jar?...", hashOf(content), hashOf([]byte("PK other")), "8 bytes"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the query is in %q", err)
	}
}

func TestFetch_ALoginPageIsNamed(t *testing.T) {
	t.Parallel()
	for _, page := range []struct{ kind, text string }{{"text/html", "log in"}, {"", "\n <!doctype html><title>x"}} {
		address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", page.kind)
			_, _ = io.WriteString(w, page.text)
		})
		_, err := fetch(t, address)
		if err == nil || !strings.Contains(err.Error(), "answers with an HTML page") || strings.Contains(err.Error(), "log in") {
			t.Errorf("%v", err)
		}
	}
}

func TestFetch_AnErrorIsOneLineAndTriedAgainOnlyIfItMayPass(t *testing.T) {
	t.Parallel()
	for status, tries := range map[int]int32{404: 1, 403: 1, 500: 1, 503: 3, 502: 3, 429: 3, 204: 1, 304: 1} {
		var seen atomic.Int32
		address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			seen.Add(1)
			w.WriteHeader(status)
			if status != 204 && status != 304 {
				_, _ = io.WriteString(w, "<html>a page\nof lines</html>")
			}
		})
		_, err := fetch(t, address+"/x.jar")
		want := strings.TrimSpace(address + "/x.jar: " + http.StatusText(status))
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), http.StatusText(status)) {
			t.Errorf("%d: %v, want %s", status, err, want)
		}
		if seen.Load() != tries {
			t.Errorf("%d: %d tries instead of %d", status, seen.Load(), tries)
		}
	}
}

func TestFetch_ABrokenTransferIsTriedAgain(t *testing.T) {
	t.Parallel()
	var seen atomic.Int32
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if seen.Add(1) == 1 {
			w.Header().Set("Content-Length", "6000")
			_, _ = w.Write(content[:100])
			panic(http.ErrAbortHandler)
		}
		give(w, r)
	})
	if _, err := fetch(t, address); err != nil || seen.Load() != 2 {
		t.Errorf("%d tries, %v", seen.Load(), err)
	}
}

func TestFetch_AServerThatStopsSendingDoesNotHangTheApply(t *testing.T) {
	t.Parallel()
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "6000")
		_, _ = w.Write(content[:100])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	d := download.Downloader{Pause: time.Millisecond, Stall: 200 * time.Millisecond}
	_, err := d.Fetch(t.Context(), address, hashOf(content))
	if err == nil || !strings.Contains(err.Error(), "no data came for too long") {
		t.Errorf("%v", err)
	}
}

func TestFetch_AnInterruptedDownloadIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	var seen atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	address := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		cancel()
		<-r.Context().Done()
	})
	d := download.Downloader{Pause: time.Millisecond}
	if _, err := d.Fetch(ctx, address, hashOf(content)); !errors.Is(err, context.Canceled) || seen.Load() != 1 {
		t.Errorf("%d tries, %v", seen.Load(), err)
	}
}

func TestFetch_ARedirectIsFollowedAndTellsNothingOfTheWay(t *testing.T) {
	t.Parallel()
	var header http.Header
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		give(w, r)
	})
	first := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target+"/stored", http.StatusFound) })
	if _, err := fetch(t, first+"/app.jar?token=s3cret"); err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		if strings.Contains(strings.Join(values, " "), "s3cret") || name == "Referer" || name == "Authorization" || name == "Cookie" {
			t.Errorf("%s: %v was sent on", name, values)
		}
	}
}

func TestFetch_RedirectsThatAreNotFollowed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ target, want string }{
		"a file":     {"file:///etc/passwd", "scheme"},
		"a password": {"http://u:s3cret@127.0.0.1:1/", "password"},
		"for ever":   {"", "more than"},
	} {
		address := serve(t, func(w http.ResponseWriter, r *http.Request) {
			target := c.target
			if target == "" {
				target = "/x" + strings.TrimLeft(r.URL.Path, "/")
			}
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		})
		_, err := fetch(t, address)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFetch_CertificatesAreCheckedAndHTTPSIsNotLeft(t *testing.T) {
	t.Parallel()
	plain := serve(t, give)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, plain, http.StatusFound)
			return
		}
		give(w, r)
	}))
	// It would complain of the client that refuses its certificate.
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	if _, err := fetch(t, secure.URL); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a foreign certificate: %v", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	d := download.Downloader{Roots: roots, Pause: time.Millisecond}
	file, err := d.Fetch(t.Context(), secure.URL, hashOf(content))
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	if _, err := d.Fetch(t.Context(), secure.URL+"/away", hashOf(content)); err == nil || !strings.Contains(err.Error(), "from https to http") {
		t.Errorf("a downgrade: %v", err)
	}
}

func TestFetch_AProxyIsUsed(t *testing.T) {
	t.Parallel()
	var asked string
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		give(w, r)
	})
	d := download.Downloader{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(proxy) }}
	file, err := d.Fetch(t.Context(), "http://repo.invalid/app.jar", hashOf(content))
	if err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	if asked != "http://repo.invalid/app.jar" {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

func TestFetch_MemoryDoesNotGrowWithTheFile(t *testing.T) {
	const size = 200 << 20
	block := make([]byte, 1<<20)
	h := sha256.New()
	for range size / len(block) {
		_, _ = h.Write(block)
	}
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for range size / len(block) {
			_, _ = w.Write(block)
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var d download.Downloader
	file, err := d.Fetch(t.Context(), address, hex.EncodeToString(h.Sum(nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 16<<20 {
		t.Errorf("%d MiB were allocated for a file of %d MiB", allocated>>20, size>>20)
	}
}

func TestCheck_RefusesWhatCannotBeFetchedWithoutRepeatingIt(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://user:s3cret@host/app.jar": "user name or password",
		"https://s3cret@host/app.jar":      "user name or password",
		"ftp://host/s3cret":                "only http and https",
		"/local/s3cret.jar":                "only http and https",
		"https:///s3cret.jar":              "no host",
		"https://host:s3cret/app.jar":      "not a URL",
	} {
		err := download.Check(address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if err := download.Check("https://host/path/app.jar?X-Amz-Signature=1"); err != nil {
		t.Error(err)
	}
}
