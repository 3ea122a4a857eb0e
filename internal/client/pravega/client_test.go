// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

func clientOf(t *testing.T, endpoint string) *pravega.Client {
	t.Helper()
	transport, err := rest.New(rest.Config{Endpoint: endpoint, Retry: rest.Retry{MinWait: time.Millisecond, MaxWait: 5 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return pravega.New(transport)
}

func newFake(t *testing.T, options ...pravegafake.Option) (*pravegafake.Server, *pravega.Client) {
	t.Helper()
	fake := pravegafake.New(options...)
	t.Cleanup(fake.Close)
	fake.AddScope("orders")
	return fake, clientOf(t, fake.URL())
}

func fixed(segments int64) pravega.StreamConfig {
	return pravega.StreamConfig{Scaling: pravega.Scaling{Type: pravega.Fixed, MinSegments: segments}}
}

func allow(pravega.Stream) error { return nil }

func TestClient_scopes(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	ctx := t.Context()
	if err := client.CreateScope(ctx, "sales"); err != nil {
		t.Fatal(err)
	}
	if err := client.CreateScope(ctx, "sales"); !errors.Is(err, pravega.ErrExists) {
		t.Errorf("creating it again: %v", err)
	}
	if err := client.CreateScope(ctx, "a_b"); !errors.Is(err, pravega.ErrName) {
		t.Errorf("a bad name: %v", err)
	}
	names, err := client.Scopes(ctx)
	if err != nil || !slices.Equal(names, []string{"orders", "sales"}) {
		t.Errorf("scopes: %v, %v", names, err)
	}
	if err := client.Scope(ctx, "Sales"); !errors.Is(err, pravega.ErrNotFound) {
		t.Errorf("another case: %v", err)
	}
	fake.AddReaderGroup("sales", "g", "sales/a")
	if err := client.DeleteScope(ctx, "sales"); !errors.Is(err, pravega.ErrNotEmpty) {
		t.Errorf("deleting one with a reader group: %v", err)
	}
	group, err := client.ReaderGroup(ctx, "sales", "g")
	if err != nil || !slices.Equal(group.Streams, []string{"sales/a"}) {
		t.Errorf("reader group: %+v, %v", group, err)
	}
	fake.AddStream("sales", "a", 2)
	if err := client.EmptyScope(ctx, "sales"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := client.DeleteScope(ctx, "sales"); err != nil {
			t.Errorf("deleting it: %v", err)
		}
	}
}

func TestClient_streams(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	ctx := t.Context()
	config := pravega.StreamConfig{
		Scaling:   pravega.Scaling{Type: pravega.RateInEvents, TargetRate: 10, ScaleFactor: 2, MinSegments: 3},
		Retention: &pravega.Retention{Kind: pravega.RetainTime, Amount: 90},
		Tags:      []string{"b", "a"}, AggregationTimeout: 5000, RolloverSize: 1 << 20,
	}
	stream, err := client.CreateStream(ctx, "orders", "clicks", config)
	if err != nil || !stream.Equal(config) || !slices.Equal(stream.Tags, []string{"a", "b"}) {
		t.Fatalf("created: %+v, %v", stream, err)
	}
	if _, err := client.CreateStream(ctx, "orders", "clicks", config); !errors.Is(err, pravega.ErrExists) {
		t.Errorf("creating it again: %v", err)
	}
	if _, err := client.CreateStream(ctx, "nowhere", "clicks", config); !errors.Is(err, pravega.ErrNotFound) || !strings.Contains(err.Error(), `scope "nowhere" does not exist`) {
		t.Errorf("creating it in no scope: %v", err)
	}
	if count, err := client.SegmentCount(ctx, "orders", "clicks"); err != nil || count != 3 {
		t.Errorf("segments: %d, %v", count, err)
	}
	stream, err = client.UpdateStream(ctx, "orders", "clicks", fixed(2), allow)
	if err != nil || !stream.Equal(fixed(2)) {
		t.Errorf("updated: %+v, %v", stream, err)
	}
	if count, err := client.SegmentCount(ctx, "orders", "clicks"); err != nil || count != 2 {
		t.Errorf("segments: %d, %v", count, err)
	}
	tag := "a"
	if streams, err := client.Streams(ctx, "orders", &tag); err != nil || len(streams) != 0 {
		t.Errorf("streams with the tag that was taken away: %+v, %v", streams, err)
	}
	if streams, err := client.Streams(ctx, "orders", nil); err != nil || len(streams) != 1 {
		t.Errorf("streams: %+v, %v", streams, err)
	}
	if err := client.SealStream(ctx, "orders", "clicks"); err != nil {
		t.Errorf("sealing: %v", err)
	}
	if state, _ := fake.Stream("orders", "clicks"); !state.Sealed {
		t.Error("it is not sealed")
	}
	for range 2 {
		if err := client.DeleteStream(ctx, "orders", "clicks"); err != nil {
			t.Errorf("deleting it: %v", err)
		}
	}
	if _, err := client.UpdateStream(ctx, "orders", "clicks", fixed(2), allow); !errors.Is(err, pravega.ErrNotFound) {
		t.Errorf("updating what is gone: %v", err)
	}
}

func TestClient_anUpdateThatChangesNothingIsNotSent(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	fake.AddStream("orders", "clicks", 2)
	refuse := func(pravega.Stream) error { return errors.New("asked") }
	if _, err := client.UpdateStream(t.Context(), "orders", "clicks", fixed(2), refuse); err != nil {
		t.Error(err)
	}
	if _, err := client.UpdateStream(t.Context(), "orders", "clicks", fixed(3), refuse); err == nil || err.Error() != "asked" {
		t.Errorf("refused update: %v", err)
	}
	for _, request := range fake.Requests() {
		if request.Method == http.MethodPut {
			t.Errorf("sent: %s", request)
		}
	}
}

func TestClient_oneFaultIsOvercome(t *testing.T) {
	t.Parallel()
	for _, kind := range []fault.Kind{fault.Unsent, fault.LostAnswer, fault.ProxyError, fault.ProxyErrorApplied, fault.EmptyFailureApplied} {
		for _, hit := range []string{`POST .*/scopes$`, `POST .*/streams$`, `PUT .*/s$`, `PUT .*/state$`, `DELETE .*/s$`, `DELETE .*/new$`} {
			t.Run(string(kind)+" of "+hit, func(t *testing.T) {
				t.Parallel()
				fake, client := newFake(t)
				method, path, _ := strings.Cut(hit, " ")
				fake.Inject(fault.Fault{Kind: kind, Method: method, Path: regexp.MustCompile(path)})
				ctx := t.Context()
				steps := []func() error{
					func() error { return client.CreateScope(ctx, "new") },
					func() error { _, err := client.CreateStream(ctx, "new", "s", fixed(1)); return err },
					func() error { _, err := client.UpdateStream(ctx, "new", "s", fixed(3), allow); return err },
					func() error { return client.DeleteStream(ctx, "new", "s") },
					func() error { return client.DeleteScope(ctx, "new") },
				}
				for i, step := range steps {
					if err := step(); err != nil {
						t.Fatalf("step %d: %v", i+1, err)
					}
					if i == 2 {
						if state, _ := fake.Stream("new", "s"); state.Segments != 3 || state.Epochs != 2 {
							t.Errorf("after the update: %+v", state)
						}
					}
				}
				if got := fake.Scopes(); !slices.Equal(got, []string{"orders"}) {
					t.Errorf("left behind: %v", got)
				}
			})
		}
	}
}

func TestClient_aStreamOfOthersIsNotTakenForOurs(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	fake.AddStream("orders", "clicks", 5)
	// The answer is lost, and what is there is not what was asked for.
	fake.Inject(fault.Fault{Kind: fault.Unsent, Method: http.MethodPost})
	if _, err := client.CreateStream(t.Context(), "orders", "clicks", fixed(1)); !errors.Is(err, pravega.ErrOther) {
		t.Errorf("create: %v", err)
	}
}

func TestClient_operationsOnOneStreamAreQueued(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t, pravegafake.OperationTime(20*time.Millisecond))
	fake.AddStream("orders", "clicks", 1)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if _, err := client.UpdateStream(t.Context(), "orders", "clicks", fixed(int64(i+2)), allow); err != nil {
				t.Errorf("update %d: %v", i, err)
			}
		})
	}
	group.Wait()
	for _, request := range fake.Requests() {
		if request.Method == http.MethodPut && request.Status != http.StatusOK {
			t.Errorf("two updates met: %s", request)
		}
	}
}

func TestClient_anotherClientInTheWayIsWaitedFor(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	fake.AddStream("orders", "clicks", 1)
	fake.Inject(fault.Fault{Kind: fault.Status, Status: http.StatusInternalServerError, Method: http.MethodPut, Times: 2})
	if _, err := client.UpdateStream(t.Context(), "orders", "clicks", fixed(2), allow); err != nil {
		t.Error(err)
	}
}

// TestClient_twoClientsOnOneStreamBothGetThrough has two that do not know of
// each other, as two applies do not.
func TestClient_twoClientsOnOneStreamBothGetThrough(t *testing.T) {
	t.Parallel()
	fake, first := newFake(t, pravegafake.OperationTime(50*time.Millisecond))
	fake.AddStream("orders", "clicks", 1)
	var group sync.WaitGroup
	for i, client := range []*pravega.Client{first, clientOf(t, fake.URL())} {
		group.Go(func() {
			wanted := fixed(int64(i + 2))
			if stream, err := client.UpdateStream(t.Context(), "orders", "clicks", wanted, allow); err != nil || !stream.Equal(wanted) {
				t.Errorf("update %d: %+v, %v", i, stream, err)
			}
		})
	}
	group.Wait()
	met := false
	for _, request := range fake.Requests() {
		met = met || request.Method == http.MethodPut && request.Status == http.StatusInternalServerError
	}
	if state, _ := fake.Stream("orders", "clicks"); !met || state.Segments != state.MinSegments || state.Segments < 2 {
		t.Errorf("they met: %t, and left %+v", met, state)
	}
}

func TestClient_badInputIsNotSentAgain(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	if _, err := client.CreateStream(t.Context(), "orders", "clicks", fixed(0)); !errors.Is(err, pravega.ErrRejected) {
		t.Errorf("create: %v", err)
	}
	fake.AddStream("orders", "clicks", 1)
	if _, err := client.UpdateStream(t.Context(), "orders", "clicks", fixed(0), allow); !errors.Is(err, pravega.ErrRejected) {
		t.Errorf("update: %v", err)
	}
	if _, err := client.UpdateStream(t.Context(), "orders", "clicks", fixed(1<<40), allow); !errors.Is(err, pravega.ErrRejected) || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("update with a number that is too large: %v", err)
	}
	if n := len(slices.DeleteFunc(fake.Requests(), func(r fault.Request) bool { return r.Method == http.MethodGet })); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
}

func TestClient_whatIsNotPravegaIsNeverTakenForGone(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]http.HandlerFunc{
		"page 404":     func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", http.StatusNotFound) },
		"empty 404":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"another JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"errors":[]}`)) },
		"another's error": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			_, _ = w.Write([]byte(`{"errors":["Not found"]}`))
		},
		"sign-in page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<html>`))
		},
		"empty 200": func(http.ResponseWriter, *http.Request) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(handler)
			t.Cleanup(server.Close)
			client := clientOf(t, server.URL)
			ctx := t.Context()
			for what, err := range map[string]error{
				"scope":  client.Scope(ctx, "orders"),
				"stream": second(client.Stream(ctx, "orders", "clicks")),
				"list":   second(client.Streams(ctx, "orders", nil)),
				"count":  second(client.SegmentCount(ctx, "orders", "clicks")),
				"update": second(client.UpdateStream(ctx, "orders", "clicks", fixed(1), allow)),
				"create": second(client.CreateStream(ctx, "orders", "clicks", fixed(1))),
			} {
				if _, ok := errors.AsType[*rest.NotAPIError](err); !ok {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func TestClient_stopsWithItsContext(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	fake.AddStream("orders", "clicks", 1)
	fake.Seal("orders", "clicks")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	started := time.Now()
	if _, err := client.UpdateStream(ctx, "orders", "clicks", fixed(2), allow); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("update of a sealed stream: %v", err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it went on for %s", took)
	}
}

func TestClient_scopesThatMayNotBeSeenAreNone(t *testing.T) {
	t.Parallel()
	_, client := newFake(t, pravegafake.User("", "", "prn::/,READ"))
	names, err := client.Scopes(t.Context())
	if rest.StatusOf(err) != http.StatusUnauthorized || names != nil {
		t.Errorf("without credentials: %v, %v", names, err)
	}
	for body, fine := range map[string]bool{`{}`: true, `{"scopes":[]}`: true, `{"status":"ok"}`: false, `null`: false, `{"scopes":"a"}`: false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(body))
		}))
		names, err := clientOf(t, server.URL).Scopes(t.Context())
		server.Close()
		if (err == nil) != fine || len(names) > 0 {
			t.Errorf("%s: %v, %v", body, names, err)
		}
	}
}

func TestClient_readerGroupsAreReadSideBySideInOrder(t *testing.T) {
	t.Parallel()
	fake, client := newFake(t)
	for _, name := range []string{"b", "c", "a", "skipped"} {
		fake.AddReaderGroup("orders", name, "orders/y", "orders/x")
	}
	groups, err := client.ReaderGroupsOf(t.Context(), "orders", func(name string) bool { return name != "skipped" })
	var names []string
	for _, group := range groups {
		names = append(names, group.Name)
		if !slices.Equal(group.Streams, []string{"orders/x", "orders/y"}) {
			t.Errorf("streams of %s: %v", group.Name, group.Streams)
		}
	}
	if err != nil || !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("groups: %v, %v", names, err)
	}
	fake.Inject(fault.Fault{Kind: fault.Status, Path: regexp.MustCompile(`/b$`), Status: http.StatusForbidden, Times: -1})
	if _, err := client.ReaderGroupsOf(t.Context(), "orders", func(string) bool { return true }); rest.StatusOf(err) != http.StatusForbidden {
		t.Errorf("one that may not be read: %v", err)
	}
}
