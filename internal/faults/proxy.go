// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// proxy stands between a provider and a cluster, counts the calls, and lets one
// of them go wrong. It is the same before the fake and before real Flink.
type proxy struct {
	upstream string
	url      string
	server   *http.Server
	client   *http.Client

	mu    sync.Mutex
	calls []string
	last  string
	armed *armed
	// dead lets nothing through: what killed processes had on the way.
	dead bool
	hit  bool
}

// armed is a fault that waits for its call.
type armed struct {
	fault fault
	call  int
	// kill ends the provider's process.
	kill func()
}

func newProxy(ctx context.Context, upstream string) (*proxy, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{
		upstream: upstream, url: "http://" + listener.Addr().String(),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: 10 * time.Second}},
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

func (p *proxy) close() {
	_ = p.server.Close()
	p.client.CloseIdleConnections()
}

// arm forgets the calls so far and lets the given call go wrong, counted from
// 1; a nil fault lets none.
func (p *proxy) arm(a *armed) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls, p.last, p.armed, p.dead, p.hit = nil, "", a, false, false
}

// seen tells which calls were made since arm, and whether the fault came.
func (p *proxy) seen() (calls []string, hit bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls, p.hit
}

// count numbers a request. A request that repeats the one before is the same
// call: how often something is looked at depends on the machine.
func (p *proxy) count(r *http.Request, body []byte) (hit *armed, dead bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return nil, true
	}
	key := r.Method + " " + r.URL.RequestURI() + "\n" + string(body)
	if key == p.last {
		return nil, false
	}
	p.last = key
	p.calls = append(p.calls, r.Method+" "+callName(r.URL.Path))
	if p.armed == nil || len(p.calls) != p.armed.call {
		return nil, false
	}
	p.hit = true
	p.dead = p.armed.fault.kills
	return p.armed, false
}

var (
	hexID = regexp.MustCompile(`/[0-9a-f]{32}`)
	jarID = regexp.MustCompile(`/jars/[^/]+\.jar`)
)

// callName is a path with its ids taken out.
func callName(path string) string {
	if strings.Contains(path, "streaming-probe") {
		return "/jars/:probe/plan"
	}
	return jarID.ReplaceAllString(hexID.ReplaceAllString(path, "/:id"), "/jars/:jar")
}

// ServeHTTP passes a request on, or does the fault.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	hit, dead := p.count(r, body)
	switch {
	case dead:
		hangUp(w, nil)
		return
	case hit == nil:
		answer, err := p.forward(r, body)
		if err != nil {
			hangUp(w, nil)
			return
		}
		answer.write(w)
		return
	}
	var whole *answer
	if hit.fault.executed {
		// What the client would have waited for is waited for, so that the cluster has acted.
		if whole, err = p.forward(r, body); err != nil {
			whole = nil
		}
	}
	if hit.fault.kills {
		hit.kill()
	}
	hit.fault.reply(w, whole)
}

// answer is a response as a whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (p *proxy) forward(r *http.Request, body []byte) (*answer, error) {
	// The cluster goes on with a request whose client is gone.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 2*time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, r.Method, p.upstream+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = r.Header.Clone()
	response, err := p.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return &answer{status: response.StatusCode, header: response.Header, body: content}, nil
}

func (a *answer) write(w http.ResponseWriter) {
	for _, name := range []string{"Content-Type", "Location"} {
		if value := a.header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body)
}

// half is the beginning of the answer as it goes over the wire.
func (a *answer) half() []byte {
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
		a.status, http.StatusText(a.status), a.header.Get("Content-Type"), max(len(a.body), 2))
	return append([]byte(head), a.body[:len(a.body)/2]...)
}

// hangUp sends some bytes, maybe none, and resets the connection.
func hangUp(w http.ResponseWriter, some []byte) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if len(some) > 0 {
		_, _ = conn.Write(some)
		// The bytes should arrive before the reset takes the rest of the connection away.
		time.Sleep(2 * time.Millisecond)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
