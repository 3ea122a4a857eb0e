// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/fault"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/pravegafake"
)

const (
	scopesLookup  = "data.streaming_pravega_scopes.test"
	streamsLookup = "data.streaming_pravega_streams.test"
	streamLookup  = "data.streaming_pravega_stream.test"
	groupsLookup  = "data.streaming_pravega_reader_groups.test"
)

// lookup is a provider block and a data source with these attributes.
func lookup(endpoint, kind string, attributes ...string) string {
	return acctest.Config{Pravega: endpoint}.String() + dataBlock(kind, attributes...)
}

func dataBlock(kind string, attributes ...string) string {
	return fmt.Sprintf("data %q \"test\" {\n  %s\n}\n", kind, strings.Join(attributes, "\n  "))
}

// listed is a check of a whole list of texts.
func listed(texts ...string) knownvalue.Check {
	checks := make([]knownvalue.Check, 0, len(texts))
	for _, text := range texts {
		checks = append(checks, knownvalue.StringExact(text))
	}
	return knownvalue.ListExact(checks)
}

// element checks one element of a list of objects.
func element(address, attribute string, i int, value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute).AtSliceIndex(i), value)
}

func TestFlow_Scopes_AreListedInOrderWithoutPravegasOwn(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	find := func(attributes ...string) string {
		return lookup(fake.URL(), "streaming_pravega_scopes", attributes...)
	}
	acctest.RunFake(t,
		acctest.Apply(find(), acctest.Is(scopesLookup, "names", listed())),
		resource.TestStep{
			PreConfig: func() {
				for _, name := range []string{"team-b", "Orders", "orders", "team-a-2", "team-a"} {
					fake.AddScope(name)
				}
			},
			Config:            find(),
			ConfigStateChecks: []statecheck.StateCheck{acctest.Is(scopesLookup, "names", listed("Orders", "orders", "team-a", "team-a-2", "team-b"))},
		},
		acctest.Apply(find(`name_regex = "^team-a"`), acctest.Is(scopesLookup, "names", listed("team-a", "team-a-2"))),
		acctest.Apply(find(`name_regex = "_system"`), acctest.Is(scopesLookup, "names", listed())),
		acctest.Fails(find(`name_regex = "("`), "Not a regular expression", "name_regex = ", "missing closing"),
		acctest.Apply(find(`name_regex = "^orders$"`), acctest.Is(scopesLookup, "names", listed("orders"))),
	)
}

func TestFlow_Streams_AreFilteredByTagAndName(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	config := func(find ...string) string {
		return scopeConfig(fake.URL(), "orders") + `
resource "streaming_pravega_stream" "test" {
  count = 3
  scope = streaming_pravega_scope.test.name
  name  = ["views", "clicks-us", "clicks-eu"][count.index]
  tags  = [["eu"], ["pii"], ["pii", "EU"]][count.index]
  ` + events2 + `
  retention = { time = "36h" }
}
` + dataBlock("streaming_pravega_streams", append(find, "scope = streaming_pravega_scope.test.name", "depends_on = [streaming_pravega_stream.test]")...)
	}
	names := func(names ...string) statecheck.StateCheck {
		return acctest.Is(streamsLookup, "names", listed(names...))
	}
	acctest.RunFake(t,
		acctest.Apply(config(), names("clicks-eu", "clicks-us", "views"),
			acctest.Is(streamsLookup, "streams", knownvalue.ListSizeExact(3)),
			element(streamsLookup, "streams", 0, knownvalue.ObjectExact(map[string]knownvalue.Check{
				"id": knownvalue.StringExact("orders/clicks-eu"), "scope": knownvalue.StringExact("orders"), "name": knownvalue.StringExact("clicks-eu"),
				"scaling": knownvalue.ObjectExact(map[string]knownvalue.Check{
					"type": knownvalue.StringExact("BY_RATE_IN_EVENTS_PER_SEC"), "target_rate": knownvalue.Int64Exact(1000),
					"scale_factor": knownvalue.Int64Exact(2), "min_segments": knownvalue.Int64Exact(2),
				}),
				"retention":        knownvalue.ObjectExact(map[string]knownvalue.Check{"time": knownvalue.StringExact("36 h"), "size": knownvalue.Null()}),
				"retention_hidden": knownvalue.Bool(false),
				"tags":             knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("EU"), knownvalue.StringExact("pii")}),

				"timestamp_aggregation_timeout": knownvalue.StringExact("0 ms"), "rollover_size": knownvalue.StringExact("0 b"),
			}))),
		acctest.Apply(config(`tag = "pii"`), names("clicks-eu", "clicks-us")),
		acctest.Apply(config(`tag = "eu"`), names("views")),
		acctest.Apply(config(`tag = "pi"`), names(), acctest.Is(streamsLookup, "streams", listed())),
		acctest.Apply(config(`name_regex = "-us$"`), names("clicks-us")),
		acctest.Fails(config(`tag = ""`), "A tag is empty", "tag = "),
		acctest.Fails(config(`name_regex = "("`), "Not a regular expression"),
		acctest.Apply(config(`tag = "pii"`, `name_regex = "^views$"`), names()),
	)
}

func TestFlow_Streams_OfAScopeThatIsNotThere(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	fake.AddScope("orders")
	find := func(scope string, more ...string) string {
		return lookup(fake.URL(), "streaming_pravega_streams", append(more, fmt.Sprintf("scope = %q", scope))...)
	}
	// Whatever a look-up of a tag answers then, it is not taken for an empty list.
	answers := func(body string, status int) func() {
		return func() {
			fake.Inject(fault.Fault{Kind: fault.Status, Path: pathOf(`/scopes/gone/streams$`), Status: status, Body: body, ContentType: "application/json", Times: -1})
		}
	}
	steps := []resource.TestStep{
		acctest.Apply(find("orders"), acctest.Is(streamsLookup, "names", listed())),
		acctest.Apply(find("orders", `tag = "a"`), acctest.Is(streamsLookup, "names", listed())),
		acctest.Fails(find("gone"), `Cannot list the streams of Pravega scope "gone"`, "does not exist", "Capital letters count"),
		acctest.Fails(find("gone", `tag = "a"`), `Cannot list the streams of Pravega scope "gone"`, "does not exist"),
		acctest.Fails(find("_system"), "Not a name for a Pravega scope"),
		{PreConfig: answers(`{"streams":[]}`, 200), Config: find("gone", `tag = "a"`), ExpectError: acctest.InOrder("does not exist")},
		{PreConfig: func() { fake.Clear(); answers("", 500)() }, Config: find("gone", `tag = "a"`), ExpectError: acctest.InOrder("does not exist")},
	}
	acctest.RunFake(t, steps...)
}

func TestFlow_Stream_LookedUpTellsAllThatRESTShows(t *testing.T) {
	t.Parallel()
	fake := newFake(t)
	made := scopeConfig(fake.URL(), "orders") + `
resource "streaming_pravega_stream" "test" {
  scope = streaming_pravega_scope.test.name
  name  = "clicks"
  ` + events2 + `
  tags                          = ["b", "a"]
  retention                     = { size = "10240mb" }
  timestamp_aggregation_timeout = "1500ms"
  rollover_size                 = "1024 kb"
}
`
	found := made + dataBlock("streaming_pravega_stream", "scope = streaming_pravega_stream.test.scope", "name = streaming_pravega_stream.test.name") + `
output "same" {
  value = alltrue([
    data.streaming_pravega_stream.test.id == streaming_pravega_stream.test.id,
    data.streaming_pravega_stream.test.scaling == streaming_pravega_stream.test.scaling,
    data.streaming_pravega_stream.test.tags == streaming_pravega_stream.test.tags,
    data.streaming_pravega_stream.test.segment_count == streaming_pravega_stream.test.segment_count,
  ])
}
`
	acctest.RunFake(t,
		acctest.Apply(found,
			acctest.Is(streamLookup, "id", knownvalue.StringExact("orders/clicks")),
			acctest.Is(streamLookup, "scaling.target_rate", knownvalue.Int64Exact(1000)),
			acctest.Is(streamLookup, "retention.size", knownvalue.StringExact("10 gb")),
			acctest.Is(streamLookup, "retention.time", knownvalue.Null()),
			acctest.Is(streamLookup, "retention_hidden", knownvalue.Bool(false)),
			acctest.Is(streamLookup, "tags", knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("a"), knownvalue.StringExact("b")})),
			acctest.Is(streamLookup, "timestamp_aggregation_timeout", knownvalue.StringExact("1500 ms")),
			acctest.Is(streamLookup, "rollover_size", knownvalue.StringExact("1 mb")),
			acctest.Is(streamLookup, "segment_count", knownvalue.Int64Exact(2)),
			statecheck.ExpectKnownOutputValue("same", knownvalue.Bool(true))),
	)
}

func TestFlow_Stream_LookedUpWithARetentionThatRESTCannotExpress(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "clicks", 3)
	find := lookup(fake.URL(), "streaming_pravega_stream", `scope = "orders"`, `name = "clicks"`)
	hidden := func(yes bool) []statecheck.StateCheck {
		return []statecheck.StateCheck{acctest.Is(streamLookup, "retention", knownvalue.Null()), acctest.Is(streamLookup, "retention_hidden", knownvalue.Bool(yes))}
	}
	acctest.RunFake(t,
		resource.TestStep{Config: find, ConfigStateChecks: append(hidden(false), acctest.Is(streamLookup, "segment_count", knownvalue.Int64Exact(3)))},
		resource.TestStep{PreConfig: func() { fake.RetainSize("orders", "clicks", 1000, 0) }, Config: find, ConfigStateChecks: hidden(true)},
		resource.TestStep{PreConfig: func() { fake.RetainTime("orders", "clicks", 24*time.Hour+30*time.Second, 0) }, Config: find, ConfigStateChecks: hidden(true)},
	)
}

func TestFlow_Stream_LookedUpInVainSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	fake.AddStream("orders", "Clicks.eu", 1)
	find := func(scope, name string) string {
		return lookup(fake.URL(), "streaming_pravega_stream", fmt.Sprintf("scope = %q", scope), fmt.Sprintf("name = %q", name))
	}
	checked := acctest.Config{Pravega: fake.URL()}.String() + `
check "clicks" {
  ` + dataBlock("streaming_pravega_stream", `scope = "orders"`, `name = "clicks.eu"`) + `
  assert {
    condition     = data.streaming_pravega_stream.test.segment_count > 1
    error_message = "One segment is too few."
  }
}
`
	acctest.RunFake(t,
		acctest.Fails(find("orders", "clicks.eu"), `Pravega stream "orders/clicks.eu" does not exist`, `no stream of this name in the scope "orders"`, fake.URL(),
			"Capital letters count", `name_regex = "^clicks\\.eu$"`),
		acctest.Fails(find("sales", "clicks"), `Pravega stream "sales/clicks" does not exist`, `There is no scope "sales"`),
		acctest.Fails(find("orders", "a_b"), "Not a name for a Pravega stream"),
		// In a check it stops nothing.
		resource.TestStep{Config: checked, ExpectNonEmptyPlan: true},
		acctest.Apply(find("orders", "Clicks.eu"), acctest.Is(streamLookup, "segment_count", knownvalue.Int64Exact(1))),
	)
}

func TestFlow_ReaderGroups_AreListedWithStreamsAndReaders(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	find := func(attributes ...string) string {
		return lookup(fake.URL(), "streaming_pravega_reader_groups", append(attributes, `scope = "orders"`)...)
	}
	group := func(name string, streams, readers []string) knownvalue.Check {
		return knownvalue.ObjectExact(map[string]knownvalue.Check{
			"name": knownvalue.StringExact(name), "streams": listed(streams...), "online_readers": listed(readers...),
		})
	}
	acctest.RunFake(t,
		// Without a group the answer has no list at all.
		acctest.Apply(find(), acctest.Is(groupsLookup, "names", listed()), acctest.Is(groupsLookup, "reader_groups", listed())),
		resource.TestStep{
			PreConfig: func() {
				fake.AddStream("orders", "clicks", 1)
				for i := range 9 {
					fake.AddReaderGroup("orders", fmt.Sprintf("views-%d", i), "orders/views")
				}
				fake.AddReaderGroup("orders", "audit", "sales/b", "orders/clicks")
				fake.Join("orders", "audit", "reader-2", "reader-1")
			},
			Config: find(),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(groupsLookup, "names", listed("audit", "views-0", "views-1", "views-2", "views-3", "views-4", "views-5", "views-6", "views-7", "views-8")),
				element(groupsLookup, "reader_groups", 0, group("audit", []string{"orders/clicks", "sales/b"}, []string{"reader-1", "reader-2"})),
				element(groupsLookup, "reader_groups", 9, group("views-8", []string{"orders/views"}, nil)),
			},
		},
		resource.TestStep{
			PreConfig: fake.Forget, Config: find(`name_regex = "^audit$"`),
			ConfigStateChecks: []statecheck.StateCheck{
				acctest.Is(groupsLookup, "names", listed("audit")),
				acctest.Outside(func() error {
					for _, request := range fake.Requests() {
						if strings.Contains(request.Path, "views-") {
							return fmt.Errorf("a group that is not asked for was read: %s", request)
						}
					}
					return nil
				}),
			},
		},
		// One that is deleted between the list and its reading is none.
		resource.TestStep{
			PreConfig: func() {
				fake.Inject(fault.Fault{Kind: fault.Status, Path: pathOf(`/readergroups/audit$`), Status: http.StatusNotFound, Times: -1})
			},
			Config: find(`name_regex = "^(audit|views-1)$"`), ConfigStateChecks: []statecheck.StateCheck{acctest.Is(groupsLookup, "names", listed("views-1"))},
		},
		acctest.Fails(strings.Replace(find(), `"orders"`, `"gone"`, 1), `Cannot list the reader groups of Pravega scope "gone"`, "does not exist", "Capital letters count"),
	)
}

// as is a provider block for a user of a fake that checks credentials.
func as(endpoint, user, password string) string {
	return fmt.Sprintf(`provider "streaming" {
  pravega = { endpoint = %q, basic_auth = { username = %q, password = %q } }
}
`, endpoint, user, password)
}

// TestFlow_Scopes_AndWhatIsInThemNeedRights has users who may do everything,
// something, and nothing.
func TestFlow_Scopes_AndWhatIsInThemNeedRights(t *testing.T) {
	t.Parallel()
	fake := newOrders(t, pravegafake.BasicAuth("admin", "secret"),
		pravegafake.User("team", "secret", "prn::/scope:orders,READ_UPDATE;prn::/scope:orders/*,READ_UPDATE"),
		pravegafake.User("lister", "secret", "prn::/,READ"),
		pravegafake.User("clicks", "secret", "prn::/scope:orders,READ;prn::/scope:orders/stream:clicks,READ"))
	fake.AddStream("orders", "clicks", 1)
	fake.AddStream("orders", "views", 1)
	fake.AddReaderGroup("orders", "g", "orders/clicks")
	find := func(user, kind string, attributes ...string) string {
		return as(fake.URL(), user, "secret") + dataBlock(kind, attributes...)
	}
	const scopes, streams, stream, groups = "streaming_pravega_scopes", "streaming_pravega_streams", "streaming_pravega_stream", "streaming_pravega_reader_groups"
	const orders, gone, clicks, views = `scope = "orders"`, `scope = "gone"`, `name = "clicks"`, `name = "views"`
	steps := []resource.TestStep{
		acctest.Apply(find("admin", scopes), acctest.Is(scopesLookup, "names", listed("orders"))),
		acctest.Fails(find("team", scopes), "Cannot list the scopes of Pravega", "403", "not allowed", "READ on prn::/.", "check the name too"),
		acctest.Apply(find("lister", scopes), acctest.Is(scopesLookup, "names", listed())),
		acctest.Apply(find("team", streams, orders), acctest.Is(streamsLookup, "names", listed("clicks", "views"))),
		acctest.Apply(find("clicks", streams, orders), acctest.Is(streamsLookup, "names", listed("clicks"))),
		acctest.Fails(find("team", streams, gone), "Cannot list the streams of", "403", "READ on prn::/scope:gone.", "check the name too"),
		acctest.Apply(find("clicks", stream, orders, clicks), acctest.Is(streamLookup, "segment_count", knownvalue.Int64Exact(1))),
		acctest.Fails(find("clicks", stream, orders, views), `Cannot read Pravega stream "orders/views"`, "403", "READ on prn::/scope:orders/stream:views."),
		acctest.Fails(find("team", stream, gone, clicks), `Cannot read Pravega stream "gone/clicks"`, "403", "when the thing does not exist"),
		acctest.Apply(find("team", groups, orders), acctest.Is(groupsLookup, "names", listed("g"))),
		acctest.Fails(find("clicks", groups, orders), "Cannot list the reader groups of", "403", "prn::/scope:orders and on prn::/scope:orders/reader-group:*."),
	}
	for kind, attributes := range map[string][]string{scopes: nil, streams: {orders}, stream: {orders, clicks}, groups: {orders}} {
		steps = append(steps, acctest.Fails(as(fake.URL(), "admin", "wrong")+dataBlock(kind, attributes...), "Cannot", "401", "Check basic_auth"))
	}
	acctest.RunFake(t, steps...)
}

// TestFlow_Scopes_FromWhatIsNotPravega asks a server that answers everything
// with a page, and one that is down.
func TestFlow_Scopes_FromWhatIsNotPravega(t *testing.T) {
	t.Parallel()
	fake := newOrders(t)
	page := fault.Fault{Kind: fault.Status, Status: http.StatusOK, Body: "<html>Sign in</html>", ContentType: "text/html", Times: -1}
	other := fault.Fault{Kind: fault.Status, Status: http.StatusOK, Body: `{"status":"ok"}`, ContentType: "application/json", Times: -1}
	var steps []resource.TestStep
	for _, answer := range []fault.Fault{page, other} {
		for _, find := range []string{
			lookup(fake.URL(), "streaming_pravega_scopes"), lookup(fake.URL(), "streaming_pravega_streams", `scope = "orders"`),
			lookup(fake.URL(), "streaming_pravega_stream", `scope = "orders"`, `name = "clicks"`),
		} {
			steps = append(steps, resource.TestStep{
				PreConfig: func() { fake.Clear(); fake.Inject(answer) }, Config: find, ExpectError: acctest.InOrder("Cannot", "does not lead to the expected API"),
			})
		}
	}
	acctest.RunFake(t, steps...)
}
