// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// send returns the status of a request to the fake.
func send(ctx context.Context, t *testing.T, fake *Server, method, path, body string, user ...string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, fake.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if len(user) == 2 {
		request.SetBasicAuth(user[0], user[1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func newOrders(t *testing.T, options ...Option) *Server {
	t.Helper()
	fake := New(options...)
	t.Cleanup(fake.Close)
	fake.AddStream("orders", "clicks", 2)
	return fake
}

const put = `{"scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":3}`

func TestServer_operationsThatMeetOnAStreamFail(t *testing.T) {
	t.Parallel()
	fake := newOrders(t, OperationTime(200*time.Millisecond))
	statuses := make(chan int, 5)
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() { statuses <- send(t.Context(), t, fake, "PUT", "/v1/scopes/orders/streams/clicks", put+"}") })
	}
	group.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	if count[200] != 1 || count[500] != 4 {
		t.Errorf("statuses %v, measured was one 200 and the rest 500", count)
	}
}

func TestServer_retentionDeletesWhatIsBeyondIt(t *testing.T) {
	t.Parallel()
	const minute = `,"retentionPolicy":{"type":"LIMITED_DAYS","value":0,"timeBasedRetention":{"days":0,"hours":0,"minutes":1}}}`
	const nothing = `,"retentionPolicy":{"type":"LIMITED_DAYS","value":0}}`
	for name, c := range map[string]struct {
		change func(*testing.T, *Server)
		left   int
	}{
		"none":   {func(*testing.T, *Server) {}, 1000},
		"longer": {func(_ *testing.T, fake *Server) { fake.RetainTime("orders", "clicks", 24*time.Hour, 0) }, 1000},
		"a minute": {func(t *testing.T, fake *Server) {
			send(t.Context(), t, fake, "PUT", "/v1/scopes/orders/streams/clicks", put+minute)
		}, 0},
		"zero": {func(t *testing.T, fake *Server) {
			send(t.Context(), t, fake, "PUT", "/v1/scopes/orders/streams/clicks", put+nothing)
		}, 0},
		"size":            {func(_ *testing.T, fake *Server) { fake.RetainSize("orders", "clicks", 130, 0) }, 10},
		"size not filled": {func(_ *testing.T, fake *Server) { fake.RetainSize("orders", "clicks", 1<<20, 0) }, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := newOrders(t)
			fake.AddEvents("orders", "clicks", 1000)
			fake.Advance(90 * time.Second)
			c.change(t, fake)
			if n := fake.Events("orders", "clicks"); n != 1000 {
				t.Errorf("%d events are left before the cycle", n)
			}
			fake.RunRetention()
			if n := fake.Events("orders", "clicks"); n != c.left {
				t.Errorf("%d events are left, want %d", n, c.left)
			}
		})
	}
}

func TestServer_anyUpdateEndsAMaximum(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.RetainSize("orders", "clicks", 10<<20, 20<<20)
	if state, _ := fake.Stream("orders", "clicks"); state.Maximum != 20<<20 {
		t.Errorf("before: %+v", state)
	}
	send(t.Context(), t, fake, "PUT", "/v1/scopes/orders/streams/clicks", put+`,"retentionPolicy":{"type":"LIMITED_SIZE_MB","value":10,"maxValue":20}}`)
	if state, _ := fake.Stream("orders", "clicks"); state.Maximum != 0 || state.Retention != 10<<20 {
		t.Errorf("after: %+v", state)
	}
}

func TestServer_credentialsAreCheckedAfterNames(t *testing.T) {
	t.Parallel()
	fake := newOrders(t, BasicAuth("admin", "secret"), Prefix("/pravega"))
	for _, c := range []struct {
		method, path, body string
		user               []string
		want               int
	}{
		{"GET", "/v1/scopes", "", nil, 401},
		{"GET", "/v1/scopes/orders/streams/clicks", "", []string{"admin", "wrong"}, 401},
		{"GET", "/v1/scopes/orders/streams/clicks", "", []string{"admin", "secret"}, 200},
		{"POST", "/v1/scopes", `{"scopeName":"a_b"}`, nil, 400},
		{"POST", "/v1/scopes", `{"scopeName":"ab"}`, nil, 401},
		{"POST", "/v1/scopes/orders/streams", `{"streamName":"a_b"}`, nil, 400},
		{"POST", "/v1/scopes/orders/streams", `{"streamName":"ab"}`, nil, 401},
		{"GET", "/ping", "", nil, 200},
	} {
		if got := send(t.Context(), t, fake, c.method, c.path, c.body, c.user...); got != c.want {
			t.Errorf("%s %s as %v: %d, want %d", c.method, c.path, c.user, got, c.want)
		}
	}
}

// TestServer_rightsHideWhatIsNotThere has users whose rights end at a scope or
// at a stream, as they were measured.
func TestServer_rightsHideWhatIsNotThere(t *testing.T) {
	t.Parallel()
	fake := newOrders(t, BasicAuth("admin", "a"),
		User("scope", "s", "prn::/scope:orders,READ_UPDATE;prn::/scope:orders/*,READ_UPDATE"),
		User("stream", "t", "prn::/scope:orders/stream:clicks,READ_UPDATE"),
		User("reader", "r", "prn::/scope:orders,READ;prn::/scope:orders/*,READ"),
		User("nobody", "n", "prn::/,READ"))
	fake.AddReaderGroup("orders", "g", "orders/clicks")
	const scope, clicks, policy = "/v1/scopes/orders", "/v1/scopes/orders/streams/clicks", `{"scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":2}}`
	for _, c := range []struct {
		user, password, method, path, body string
		want                               int
	}{
		{"scope", "s", "GET", "/v1/scopes", "", 403},
		{"scope", "s", "GET", scope, "", 200},
		{"scope", "s", "GET", "/v1/scopes/absent", "", 403},
		{"scope", "s", "GET", "/v1/scopes/absent/streams", "", 403},
		{"scope", "s", "GET", scope + "/streams/absent", "", 404},
		{"scope", "s", "POST", "/v1/scopes", `{"scopeName":"a"}`, 403},
		{"scope", "s", "DELETE", scope, "", 403},
		{"scope", "s", "GET", scope + "/readergroups/g", "", 200},
		{"stream", "t", "DELETE", clicks, "", 412},
		{"stream", "t", "GET", scope, "", 403},
		{"stream", "t", "GET", scope + "/streams", "", 403},
		{"reader", "r", "GET", clicks + "/scaling-events?from=0&to=1", "", 200},
		{"reader", "r", "PUT", clicks, policy, 403},
		{"reader", "r", "POST", scope + "/streams", `{"streamName":"a","scalingPolicy":{"type":"FIXED_NUM_SEGMENTS","minSegments":2}}`, 403},
		{"reader", "r", "DELETE", scope + "/readergroups/g", "", 403},
		{"nobody", "n", "GET", "/v1/scopes", "", 200},
		{"nobody", "n", "GET", scope, "", 403},
		{"admin", "a", "PUT", clicks, policy, 200},
		{"admin", "a", "GET", "/v1/scopes/absent", "", 404},
	} {
		if got := send(t.Context(), t, fake, c.method, c.path, c.body, c.user, c.password); got != c.want {
			t.Errorf("%s %s as %s: %d, want %d", c.method, c.path, c.user, got, c.want)
		}
	}
}

func TestServer_readerGroupsAndTablesKeepAScopeFromBeingEmpty(t *testing.T) {
	t.Parallel()
	fake := New()
	t.Cleanup(fake.Close)
	fake.AddReaderGroup("orders", "g", "orders/clicks")
	fake.AddKeyValueTable("orders", "t")
	for _, step := range []struct {
		method, path string
		want         int
	}{
		{"DELETE", "/v1/scopes/orders", 412},
		{"GET", "/v1/scopes/orders/readergroups/g", 200},
		{"DELETE", "/v1/scopes/orders/readergroups/g", 204},
		{"DELETE", "/v1/scopes/orders", 412},
	} {
		if got := send(t.Context(), t, fake, step.method, step.path, ""); got != step.want {
			t.Errorf("%s %s: %d, want %d", step.method, step.path, got, step.want)
		}
	}
	fake.RemoveKeyValueTable("orders", "t")
	if got := send(t.Context(), t, fake, "DELETE", "/v1/scopes/orders", ""); got != 204 {
		t.Errorf("the empty scope: %d", got)
	}
}
