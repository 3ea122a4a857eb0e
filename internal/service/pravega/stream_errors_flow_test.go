// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

func TestFlow_Stream_rejectsAtPlanWhatPravegaWouldNotExplain(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	tags := make([]string, 0, 128)
	for i := range 128 {
		tags = append(tags, `"t`+strings.Repeat("i", i)+`"`)
	}
	var steps []resource.TestStep
	for _, c := range []struct {
		config string
		words  []string
	}{
		{namedStream(fake.URL(), "a_b"), []string{"Not a name for a Pravega stream", "name =", "digits"}},
		{namedStream(fake.URL(), "_MARKclicks"), []string{"belong to Pravega itself"}},
		{namedStream(fake.URL(), ".."), []string{"Not a name for a Pravega stream", "resolved by HTTP clients"}},
		{namedStream(fake.URL(), strings.Repeat("a", 251)), []string{"251 characters", "the limit is 250"}},
		{strings.Replace(streamConfig(fake.URL()), `"orders"`, `"a/b"`, 1), []string{"Not a name for a Pravega scope", "scope ="}},
		{streamConfig(fake.URL(), `scaling = { type = "fixed_num_segments", min_segments = 1 }`), []string{"scaling.type", "FIXED_NUM_SEGMENTS"}},
		{streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 0 }`), []string{"scaling.min_segments cannot be 0", "from 1 to 2147483647"}},
		{streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 2147483648 }`), []string{"scaling.min_segments", "2147483648"}},
		{streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS" }`), []string{"min_segments", "required"}},
		{streamConfig(fake.URL(), `scaling = { type = "FIXED_NUM_SEGMENTS", min_segments = 1, target_rate = 5 }`), []string{"target_rate has no effect"}},
		{streamConfig(fake.URL(), `scaling = { type = "BY_RATE_IN_EVENTS_PER_SEC", target_rate = 5, min_segments = 1 }`), []string{"scale_factor is missing"}},
		{streamConfig(fake.URL(), `scaling = { type = "BY_RATE_IN_KBYTES_PER_SEC", scale_factor = 2, min_segments = 1 }`), []string{"target_rate is missing"}},
		{streamConfig(fake.URL(), `retention = {}`), []string{"Retention has neither time nor size"}},
		{streamConfig(fake.URL(), `retention = { time = "1 d", size = "1 gb" }`), []string{"Retention has both time and size"}},
		{streamConfig(fake.URL(), `retention = { time = "45 s" }`), []string{"Not a whole number of minutes", "would round it"}},
		{streamConfig(fake.URL(), `retention = { time = "0 min" }`), []string{"Retention of nothing"}},
		{streamConfig(fake.URL(), `retention = { time = "1h30m" }`), []string{"Not a duration"}},
		{streamConfig(fake.URL(), `retention = { time = "7" }`), []string{"Not a duration", "no unit"}},
		{streamConfig(fake.URL(), `retention = { time = "-1 d" }`), []string{"Not a duration"}},
		{streamConfig(fake.URL(), `retention = { size = "1536 kb" }`), []string{"Not a whole number of MiB"}},
		{streamConfig(fake.URL(), `retention = { size = "0 gb" }`), []string{"Retention of nothing"}},
		{streamConfig(fake.URL(), `retention = { size = "9000000 tb" }`), []string{"Not a memory size", "too large"}},
		{streamConfig(fake.URL(), `tags = ["a", ""]`), []string{"A tag is empty"}},
		{streamConfig(fake.URL(), `tags = ["`+strings.Repeat("x", 256)+`"]`), []string{"A tag is too long", "256 characters"}},
		{streamConfig(fake.URL(), `tags = [`+strings.Join(tags, ",")+`]`), []string{"tags has too many elements", "At most 127"}},
		{streamConfig(fake.URL(), `timestamp_aggregation_timeout = "5"`), []string{"Not a duration"}},
		{streamConfig(fake.URL(), `timestamp_aggregation_timeout = "10 ns"`), []string{"Not a whole number of milliseconds"}},
		{streamConfig(fake.URL(), `rollover_size = "-1 mb"`), []string{"Not a memory size"}},
	} {
		steps = append(steps, acctest.Fails(c.config, c.words...))
	}
	acctest.RunFake(t, steps...)
	if requests := fake.Requests(); len(requests) != 0 {
		t.Errorf("the controller was asked: %v", requests)
	}
}

func TestFlow_Stream_limitsAreAccepted(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	acctest.RunFake(t, acctest.Apply(namedStream(fake.URL(), strings.Repeat("a", 250),
		`tags = ["`+strings.Repeat("x", 255)+`"]`,
		`scaling = { type = "BY_RATE_IN_KBYTES_PER_SEC", target_rate = 2147483647, scale_factor = 1, min_segments = 1 }`,
		`retention = { size = "8388607 tb" }`)))
}

func TestFlow_Stream_C78_ThatExistsIsNotTakenOverSilently(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 1)
	fake.AddEvents("orders", "clicks", 1000)
	acctest.RunFake(t,
		// The same configuration is no reason to take it over.
		acctest.Fails(streamConfig(fake.URL()), "orders/clicks", "exists already", "terraform import streaming_pravega_stream.NAME orders/clicks", "adopt_existing = true"),
		resource.TestStep{
			Config: streamConfig(fake.URL(), `adopt_existing = true`, fixed2, `retention = { time = "1d" }`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionCreate),
			}},
			// The difference fails the plan after it, since it would delete data.
			ExpectError: acctest.InOrder("would delete data", "keeps everything now", "Events older than 1 d would be lost"),
		},
		resource.TestStep{
			PreConfig: func() {
				state, _ := fake.Stream("orders", "clicks")
				if state.Segments != 1 || state.RetentionKind != "" {
					t.Errorf("adopting changed the stream: %+v", state)
				}
			},
			Config: streamConfig(fake.URL(), `adopt_existing = true`, fixed2),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(streamAddress, plancheck.ResourceActionUpdate),
			}},
		},
		resource.TestStep{
			PreConfig: func() {
				state, _ := fake.Stream("orders", "clicks")
				if state.Segments != 2 || fake.Events("orders", "clicks") != 1000 {
					t.Errorf("after the update: %+v, %d events", state, fake.Events("orders", "clicks"))
				}
			},
			RefreshState: true,
		},
	)
}

func TestFlow_Stream_noScope(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	acctest.RunFake(t, acctest.Fails(streamConfig(fake.URL()), "Cannot create Pravega stream", "orders/clicks", `scope "orders" does not exist`))
}

func TestFlow_Stream_importIds(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	imports := func(id string, words ...string) resource.TestStep {
		return resource.TestStep{
			Config: streamConfig(fake.URL()), ResourceName: streamAddress, ImportState: true, ImportStateId: id, ExpectError: acctest.InOrder(words...),
		}
	}
	acctest.RunFake(t,
		imports("orders", "Not the id of a Pravega stream", `such as "orders/clicks"`),
		imports("orders/clicks/more", "Not the id of a Pravega stream"),
		imports("/clicks", "Not the id of a Pravega stream"),
		imports("orders/clicks", "Cannot import non-existent remote object"),
	)
}

func TestFlow_Stream_protectionStopsDestroyAndReplacement(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	protected := streamConfig(fake.URL(), "deletion_protection = true")
	acctest.RunFake(t,
		acctest.Apply(protected),
		resource.TestStep{Config: protected, Destroy: true, ExpectError: acctest.InOrder("is protected from deletion")},
		acctest.Fails(namedStream(fake.URL(), "views", "deletion_protection = true"), "is protected from deletion", "replace"),
		acctest.Fails(namedStream(fake.URL(), "views"), "is protected from deletion"),
		// An update in place is none of that.
		acctest.Change(streamConfig(fake.URL(), "deletion_protection = true", `tags = ["a"]`), streamAddress, plancheck.ResourceActionUpdate),
		// -replace cannot be seen at plan: the delete itself refuses.
		resource.TestStep{
			Config: streamConfig(fake.URL(), "deletion_protection = true", `tags = ["a"]`), Taint: []string{streamAddress},
			ExpectError: acctest.InOrder("is protected from deletion"),
		},
		resource.TestStep{
			PreConfig: func() {
				if state, ok := fake.Stream("orders", "clicks"); !ok || state.Sealed {
					t.Errorf("the protected stream is gone or sealed: %+v", state)
				}
			},
			RefreshState: true, ExpectNonEmptyPlan: true,
		},
		acctest.Apply("removed {\n  from = streaming_pravega_stream.test\n  lifecycle {\n    destroy = false\n  }\n}\n"+acctest.Config{Pravega: fake.URL()}.String()),
	)
	if got := fake.Streams("orders"); len(got) != 1 {
		t.Errorf("streams: %v", got)
	}
}

func TestFlow_Stream_dataLossNeedsConsent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		words         []string
	}{
		"time shrunk":     {`retention = { time = "7d" }`, `retention = { time = "1 d" }`, []string{"keeps 7 d now", "it keeps 1 d", "Events older than 1 d would be lost"}},
		"size shrunk":     {`retention = { size = "10gb" }`, `retention = { size = "10239 mb" }`, []string{"keeps 10 gb now", "All but the newest 10239 mb"}},
		"first retention": {``, `retention = { time = "36500 d" }`, []string{"keeps everything now", "Events older than 36500 d"}},
		"time to size":    {`retention = { time = "1 min" }`, `retention = { size = "10 tb" }`, []string{"All but the newest 10 tb"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := newOrders(t)
			words := append([]string{"would delete data"}, append(c.words, "allow_data_loss = true")...)
			acctest.RunFake(t,
				acctest.Apply(streamConfig(fake.URL(), c.before)),
				acctest.Fails(streamConfig(fake.URL(), c.after), words...),
				// Not the consent that counts.
				acctest.Fails(streamConfig(fake.URL(), c.after, "allow_retention_reset = true"), words...),
				acctest.Change(streamConfig(fake.URL(), c.after, "allow_data_loss = true"), streamAddress, plancheck.ResourceActionUpdate),
				// Taking the consent back, and the retention away, deletes nothing.
				acctest.Change(streamConfig(fake.URL(), c.after), streamAddress, plancheck.ResourceActionUpdate),
				acctest.Change(streamConfig(fake.URL()), streamAddress, plancheck.ResourceActionUpdate, acctest.Is(streamAddress, "retention", knownvalue.Null())),
			)
		})
	}
}

func TestFlow_Stream_dataLossIsCheckedAgainAtApply(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	raised := acctest.Between(func() { fake.RetainTime("orders", "clicks", 30*24*60*60e9, 0) })
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL(), `retention = { time = "1 d" }`)),
		resource.TestStep{
			Config:           streamConfig(fake.URL(), `retention = { time = "1 d" }`, `tags = ["a"]`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{raised}},
			ExpectError:      acctest.InOrder("would delete data", "has changed since the plan", "keeps 30 d now"),
		},
		resource.TestStep{
			PreConfig: func() {
				if n := writes(fake, http.MethodPut); n != 0 {
					t.Errorf("%d PUT were sent", n)
				}
			},
			Config: streamConfig(fake.URL(), `retention = { time = "30 d" }`, `tags = ["a"]`),
		},
	)
}

func TestFlow_Stream_retentionThatRESTCannotExpress(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	secret := func() { fake.RetainSize("orders", "clicks", 1000, 0) }
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL())),
		// It reads as unset, and leaving it alone is no diff.
		resource.TestStep{PreConfig: secret, Config: streamConfig(fake.URL()), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
		acctest.Fails(streamConfig(fake.URL(), `tags = ["a"]`), "The retention of", "would be removed", "less than 1 mb", "allow_retention_reset = true"),
		// A retention that is surely longer needs no consent.
		acctest.Change(streamConfig(fake.URL(), `tags = ["a"]`, `retention = { size = "1mb" }`), streamAddress, plancheck.ResourceActionUpdate),
		resource.TestStep{
			PreConfig: func() { fake.RetainTime("orders", "clicks", 24*60*60e9+30e9, 0) },
			Config:    streamConfig(fake.URL(), `tags = ["a"]`, `retention = { time = "1 d" }`), ExpectError: acctest.InOrder("would delete data", "between 1 d and a minute more"),
		},
		acctest.Change(streamConfig(fake.URL(), `tags = ["a"]`, `retention = { time = "1441 min" }`), streamAddress, plancheck.ResourceActionUpdate),
		resource.TestStep{
			PreConfig: secret, Config: streamConfig(fake.URL(), "allow_retention_reset = true"),
		},
		resource.TestStep{
			PreConfig: func() {
				if state, _ := fake.Stream("orders", "clicks"); state.RetentionKind != "" {
					t.Errorf("the retention is still %+v", state)
				}
			},
			RefreshState: true,
		},
	)
}

func TestFlow_Stream_C74_SealedByOthersIsSaidWhenAnUpdateFails(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL())),
		resource.TestStep{
			PreConfig: func() { fake.Seal("orders", "clicks") }, Config: streamConfig(fake.URL(), `tags = ["a"]`, "allow_data_loss = true"),
			ExpectError: acctest.InOrder("Cannot update Pravega stream", "sealed"),
		},
		// What concerns the provider alone was kept, and the rest is still planned.
		resource.TestStep{RefreshState: true, ExpectNonEmptyPlan: true},
		acctest.Noop(streamConfig(fake.URL(), "allow_data_loss = true")),
	)
}

func TestFlow_Stream_endpointThatIsNotPravega(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>Sign in</html>"))
	}))
	t.Cleanup(page.Close)
	missing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(missing.Close)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"ok"}`))
	}))
	t.Cleanup(other.Close)
	acctest.RunFake(t,
		acctest.Fails(streamConfig(page.URL), "Cannot create Pravega stream", "does not lead to the expected API"),
		acctest.Fails(streamConfig(missing.URL), "Cannot create Pravega stream", "does not lead to the expected API"),
		acctest.Fails(streamConfig(other.URL), "Cannot create Pravega stream", "does not lead to the expected API"),
		acctest.Fails(scopeConfig(missing.URL, "orders"), "Cannot create Pravega scope", "does not lead to the expected API"),
	)
	// A proxy's 404 never makes a stream gone.
	fake := newOrders(t)
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL())),
		resource.TestStep{
			PreConfig: func() {
				fake.Inject(fault.Fault{Kind: fault.Status, Method: http.MethodGet, Status: http.StatusNotFound, ContentType: "text/html", Body: "<html>404</html>", Times: 1})
			},
			Config: streamConfig(fake.URL()), ExpectError: acctest.InOrder("Cannot read Pravega stream", "does not lead to the expected API"),
		},
		acctest.Noop(streamConfig(fake.URL())),
	)
}

func TestFlow_Stream_errorsOnReadAreNotTakenForGone(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	steps := []resource.TestStep{acctest.Apply(streamConfig(fake.URL()))}
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusInternalServerError} {
		steps = append(steps, resource.TestStep{
			PreConfig: func() {
				fake.Inject(fault.Fault{Kind: fault.Status, Method: http.MethodGet, Status: status})
			},
			Config: streamConfig(fake.URL()), ExpectError: acctest.InOrder("Cannot read Pravega stream"),
		}, acctest.Noop(streamConfig(fake.URL())))
	}
	acctest.RunFake(t, steps...)
}

func TestFlow_Stream_serverDown(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	acctest.RunFake(t,
		acctest.Apply(streamConfig(fake.URL())),
		acctest.Fails(streamConfig(down.URL), "Cannot read Pravega stream", "Nothing was sent", "-refresh=false"),
		acctest.Noop(streamConfig(fake.URL())),
	)
	if got := fake.Streams("orders"); len(got) != 0 {
		t.Errorf("streams left after destroy: %v", got)
	}
}

func TestFlow_Stream_credentialsAndPathPrefix(t *testing.T) {
	t.Parallel()
	fake := newOrders(t, pravegafake.BasicAuth("admin", "p:%@ss"), pravegafake.Prefix("/pravega/prod"))
	body := strings.SplitN(streamConfig("x"), "}\n\n", 2)[1]
	with := func(password string) string {
		return `provider "streaming" {
  pravega = { endpoint = "` + fake.URL() + `/", basic_auth = { username = "admin", password = "` + password + `" } }
}
` + body
	}
	acctest.RunFake(t,
		acctest.Fails(with("wrong"), "Cannot create Pravega stream", "401", "basic_auth"),
		acctest.Apply(with("p:%@ss")),
		acctest.Noop(with("p:%@ss")),
	)
}

// TestFlow_Stream_byAUserOfOneScope has rights on what is in a scope, and on
// nothing else, not even to see that something is not there.
func TestFlow_Stream_byAUserOfOneScope(t *testing.T) {
	t.Parallel()
	fake := newOrders(t, pravegafake.User("team", "secret", "prn::/scope:orders,READ_UPDATE;prn::/scope:orders/*,READ_UPDATE"))
	own := func(config string) string {
		return as(fake.URL(), "team", "secret") + strings.SplitN(config, "}\n\n", 2)[1]
	}
	acctest.RunFake(t,
		acctest.Fails(own(scopeConfig("x", "sales")), "Cannot create Pravega scope", "403", "prn::/.", "check the name too"),
		acctest.Fails(own(streamIn("x", "sales", "clicks")), "Cannot create Pravega stream", "403", "check the name too"),
		acctest.Apply(own(streamConfig("x"))),
		acctest.Change(own(streamConfig("x", `tags = ["a"]`)), streamAddress, plancheck.ResourceActionUpdate),
		// Here the rights are enough to see that it is gone.
		resource.TestStep{
			PreConfig: func() { fake.RemoveStream("orders", "clicks") }, Config: own(streamConfig("x")),
			ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
		},
	)
	if got := fake.Streams("orders"); len(got) != 0 {
		t.Errorf("streams left after destroy: %v", got)
	}
}

func TestFlow_Stream_noEndpoint(t *testing.T) {
	t.Parallel()
	acctest.RunFake(t, acctest.Fails(`provider "streaming" {}`+"\n"+strings.SplitN(streamConfig("x"), "}\n\n", 2)[1], "No pravega endpoint is configured", "STREAMING_PRAVEGA_ENDPOINT"))
}
