// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/acctest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/fake/flinkfake"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

const graphLookup = "data.streaming_flink_job_graph.test"

// drawn is the picture of the counter with one operator more.
func drawn(parallelism int) string {
	return fmt.Sprintf(`flowchart LR
  v1(["Source: source<br/>parallelism 1"])
  v2["counter<br/>parallelism %[1]d"]
  v3[["extra<br/>-#gt; sink: Writer<br/>parallelism %[1]d"]]
  v1 -->|"HASH"| v2
  v2 -->|"HASH"| v3
`, parallelism)
}

func vertexNamed(name string, parallelism int64, source, sink bool) knownvalue.Check {
	return knownvalue.ObjectPartial(map[string]knownvalue.Check{
		"name": knownvalue.StringExact(name), "parallelism": knownvalue.Int64Exact(parallelism), "source": knownvalue.Bool(source), "sink": knownvalue.Bool(sink),
	})
}

func TestFlow_FlinkJobGraph_ChangesWithTheJobAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	config := func(parallelism int) string {
		return w.job(named, source(w.jar(t, "app.jar")), cancel, args("--plain", "--extra-operator"), fmt.Sprintf("parallelism = %d", parallelism)) +
			dataBlock("streaming_flink_job_graph", `name = "counter"`, "depends_on = [streaming_flink_job.test]") +
			"output \"picture\" {\n  value = data.streaming_flink_job_graph.test.mermaid\n}\n"
	}
	acctest.RunFake(t,
		acctest.Apply(config(1),
			acctest.Is(graphLookup, "job_id", knownvalue.StringExact(w.id(1))),
			acctest.Is(graphLookup, "name", knownvalue.StringExact("counter")),
			acctest.Is(graphLookup, "cluster", knownvalue.StringExact(w.URL())),
			acctest.Is(graphLookup, "mermaid", knownvalue.StringExact(drawn(1))),
			acctest.Is(graphLookup, "vertices", knownvalue.ListExact([]knownvalue.Check{
				vertexNamed("Source: source", 1, true, false), vertexNamed("counter", 1, false, false), vertexNamed("extra -> sink: Writer", 1, false, true),
			})),
			acctest.Is(graphLookup, "edges", knownvalue.ListSizeExact(2))),
		acctest.Noop(config(1)),
		acctest.Apply(config(2),
			acctest.Is(graphLookup, "job_id", knownvalue.StringExact(w.id(2))),
			acctest.Is(graphLookup, "mermaid", knownvalue.StringExact(drawn(2)))),
		acctest.Noop(config(2)),
	)
}

func TestFlow_FlinkJobGraph_IsThatOfTheVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, flinkfake.Version("1.14.3"))
	id := w.start(t, "old")
	find := w.provider() + dataBlock("streaming_flink_job_graph", fmt.Sprintf("job_id = %q", id))
	acctest.RunFake(t, acctest.Apply(find,
		acctest.Is(graphLookup, "name", knownvalue.StringExact("old")),
		acctest.Is(graphLookup, "vertices", knownvalue.ListExact([]knownvalue.Check{
			vertexNamed("Source: source -> pace", 1, true, false), vertexNamed("counter -> Sink: sink", 1, false, true),
		})),
		acctest.Is(graphLookup, "edges", knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectPartial(map[string]knownvalue.Check{
			"ship_strategy": knownvalue.StringExact("HASH"),
		})})),
		acctest.Is(graphLookup, "dot", knownvalue.StringExact(`digraph job {
  rankdir=LR;
  node [shape=box];
  label="old";
  v1 [label="Source: source\n-> pace\nparallelism 1", shape=oval];
  v2 [label="counter\n-> Sink: sink\nparallelism 1", peripheries=2];
  v1 -> v2 [label="HASH"];
}
`))))
}

func TestFlow_FlinkJobGraph_OfAJobThatNeverHadOneIsEmpty(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.20.5", "2.3.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, flinkfake.Version(version))
			o := w.outsider(t)
			id, _, _, err := lifecycle.UploadJar(t.Context(), o.Client, w.jar(t, "app.jar"), "", "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := o.RunJar(t.Context(), id, flink.RunRequest{SavepointPath: "file:/nowhere", FlinkConfiguration: map[string]string{"pipeline.name": "broken"}}); err == nil {
				t.Fatal("a job runs that cannot")
			}
			acctest.RunFake(t, acctest.Apply(w.provider()+dataBlock("streaming_flink_job_graph", `name = "broken"`),
				acctest.Is(graphLookup, "vertices", listed()), acctest.Is(graphLookup, "edges", listed()),
				acctest.Is(graphLookup, "mermaid", knownvalue.StringExact("flowchart LR\n"))))
		})
	}
}

func TestFlow_FlinkJobGraph_IsLookedUpAsAJobIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	find := func(attributes ...string) string {
		return w.provider() + dataBlock("streaming_flink_job_graph", attributes...)
	}
	id := w.start(t, "orders")
	byID := find(fmt.Sprintf("job_id = %q", id))
	acctest.RunFake(t,
		acctest.Fails(find(), "job_id", "name"),
		acctest.Fails(find(`job_id = "x"`), "job_id", "32 lower-case hex digits"),
		acctest.Fails(find(`name = "clicks"`), `Flink knows no job named "clicks"`, "name = "),
		resource.TestStep{Config: byID, ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}},
		resource.TestStep{
			PreConfig: func() {
				w.Inject(flinkfake.Fault{Path: "/jobs/" + id + "$", Times: -1, Kind: flinkfake.Status, Status: http.StatusNotFound, Body: `{"errors":["org.apache.flink.runtime.rest.NotFoundException: Job ` + id + ` not found"]}`})
			},
			Config: byID, ExpectError: acctest.InOrder("Flink knows no job "+id, "job_id = "),
		},
		resource.TestStep{
			PreConfig: func() {
				w.Inject(flinkfake.Fault{Path: ".*", Times: -1, Kind: flinkfake.ProxyError, Status: http.StatusServiceUnavailable})
			},
			Config: byID, ExpectError: acctest.InOrder("Cannot list the jobs of the Flink cluster", "503"),
		},
	)
}
