// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync"
	"testing"
)

// front is a proxy between the provider and a fake cluster. It makes answers of
// what an engine can come to and the fake cannot.
type front struct {
	*httptest.Server
	mu sync.Mutex
	// ask and answer change bodies; the path is without the prefix.
	ask, answer func(path string, body []byte) []byte
	// paths are those that were asked for, with the prefix.
	paths []string
}

// behind puts the cluster behind a proxy, below a prefix.
func (w *world) behind(t *testing.T, prefix string) *front {
	t.Helper()
	target, err := url.Parse(w.Server.URL())
	if err != nil {
		t.Fatal(err)
	}
	f := &front{}
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: f.rewrite,
	}
	f.Server = httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.paths = append(f.paths, r.URL.Path)
		f.mu.Unlock()
		http.StripPrefix(prefix, http.HandlerFunc(func(writer http.ResponseWriter, r *http.Request) {
			f.mu.Lock()
			change := f.ask
			f.mu.Unlock()
			if change != nil && r.Header.Get("Content-Type") == "application/json" {
				body, _ := io.ReadAll(r.Body)
				body = change(r.URL.Path, body)
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			proxy.ServeHTTP(writer, r)
		})).ServeHTTP(writer, r)
	}))
	t.Cleanup(f.Close)
	w.endpoint = f.URL + prefix
	return f
}

func (f *front) rewrite(response *http.Response) error {
	f.mu.Lock()
	change := f.answer
	f.mu.Unlock()
	if change == nil {
		return nil
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	body = change(response.Request.URL.Path, body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	response.ContentLength = int64(len(body))
	response.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}

// again listens again where a closed proxy did.
func (f *front) again(t *testing.T) {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", f.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(f.Config.Handler)
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
}

// set changes what is done to requests and answers; nil leaves them alone.
func (f *front) set(ask, answer func(path string, body []byte) []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ask, f.answer = ask, answer
}

func (f *front) asked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.paths...)
}
