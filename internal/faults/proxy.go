// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	fakefault "github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
)

// proxy stands between a provider and a cluster, counts the calls, and lets one
// of them go wrong. It is the same before the fake and before real Flink.
type proxy struct {
	// url is for providers, direct for looking past the faults.
	url, direct string
	servers     []*http.Server

	mu       sync.Mutex
	upstream cluster
	calls    []string
	// repeats counts equal requests since the last one that changed something,
	// and looks is how many of them count.
	repeats map[string]int
	looks   int
	last    string
	armed   *armed
	// dead lets nothing through: what killed processes had on the way.
	dead bool
	// hit is the call that the fault came at.
	hit string
}

// armed is a fault that waits for its call.
type armed struct {
	fault fault
	call  int
	// on is the name of the call instead of its number.
	on string
	// kill ends the provider's process.
	kill func()
}

func newProxy(ctx context.Context, upstream cluster) (*proxy, error) {
	p := &proxy{upstream: upstream, repeats: map[string]int{}, looks: looksBefore}
	var errURL, errDirect error
	p.url, errURL = p.listen(ctx, p)
	p.direct, errDirect = p.listen(ctx, http.HandlerFunc(p.past))
	if err := errors.Join(errURL, errDirect); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *proxy) listen(ctx context.Context, handler http.Handler) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	// The providers of earlier applies leave their connections idle.
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, IdleTimeout: 15 * time.Second}
	p.servers = append(p.servers, server)
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String(), nil
}

// use lets requests go to another cluster.
func (p *proxy) use(c cluster) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.upstream = c
}

// past answers without counting.
func (p *proxy) past(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	answer, err := p.forward(r, body)
	if err != nil {
		fakefault.HangUp(w, nil)
		return
	}
	answer.write(w)
}

func (p *proxy) close() {
	for _, server := range p.servers {
		_ = server.Close()
	}
}

// arm forgets the calls so far and lets the given call go wrong, counted from
// 1; a nil fault lets none.
func (p *proxy) arm(a *armed) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.looks = looksBefore
	p.calls, p.repeats, p.last, p.armed, p.dead, p.hit = nil, map[string]int{}, "", a, false, ""
}

// seen tells which calls were made since arm, and at which one the fault came.
func (p *proxy) seen() (calls []string, hit string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls, p.hit
}

// How often an operation asks the same: before it has changed anything, to
// refresh, to plan twice, and to see what there is; afterwards, to wait and to
// record. What is asked more often is waited for.
const (
	looksBefore = 4
	looksAfter  = 2
)

// count numbers a request. One that repeats the one before is the same call, as
// is one that was sent often since something changed: how often something is
// waited for depends on the machine.
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
	if r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/plan") {
		clear(p.repeats)
		p.looks = looksAfter
	}
	if p.repeats[key]++; p.repeats[key] > p.looks {
		return nil, false
	}
	p.calls = append(p.calls, r.Method+" "+callName(r.URL.Path))
	if p.armed == nil || p.hit != "" {
		return nil, false
	}
	name := p.calls[len(p.calls)-1]
	if p.armed.on != name && (p.armed.on != "" || len(p.calls) != p.armed.call) {
		return nil, false
	}
	p.hit = name
	p.dead = p.armed.fault.kills
	return p.armed, false
}

var (
	hexID = regexp.MustCompile(`/[0-9a-f]{32}|/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
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
		fakefault.HangUp(w, nil)
		return
	case hit == nil:
		answer, err := p.forward(r, body)
		if err != nil {
			fakefault.HangUp(w, nil)
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
	p.mu.Lock()
	upstream := p.upstream
	p.mu.Unlock()
	return upstream.forward(r, body)
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
