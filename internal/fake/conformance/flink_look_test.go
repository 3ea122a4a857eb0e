// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"time"
)

// metrics asks for some of a job by their names, and keeps those that there are.
func metrics(id, names string) Call {
	return Call{
		Method: "GET", Route: "/jobs/{job}/metrics", Args: []string{id}, Query: map[string][]string{"get": {names}}, Want: 200,
		Keep: []string{"$", "$[].id", "$[].value"},
	}
}

// tellsRestarts waits until Flink tells the number of restarts, and records it.
func (f flink) tellsRestarts(ctx context.Context, id string) {
	f.T.Helper()
	// What was collected before this job was there is told for ten seconds.
	f.Until(ctx, 20*time.Second, "the metric", func() bool { return f.Aux(ctx, metrics(id, "numRestarts")).Str(0, "id") != "" })
	f.Call(ctx, metrics(id, "numRestarts,noSuchMetric"))
	f.Call(ctx, metrics(id, "noSuchMetric"))
}

// flinkRestartExchanges need a restart strategy, which a request to Flink 1.14 cannot set.
func flinkRestartExchanges() []Exchange {
	return []Exchange{
		onFlink("the restarts of a job are a metric, collected when somebody asks", func(ctx context.Context, f flink) {
			id := f.run(ctx, 200, fields{
				"jobId": newID(), "programArgsList": args("--fail-at", "3"), "flinkConfiguration": fields{
					"restart-strategy.type": "fixed-delay", "restart-strategy.fixed-delay.attempts": "9", "restart-strategy.fixed-delay.delay": "1 h",
				},
			}).Str("jobid")
			f.state(ctx, id, "RESTARTING")
			f.tellsRestarts(ctx, id)
		}),
	}
}

// flinkLookExchanges are about what a person would look at: how often a job was restarted, and its graph. They hold
// for every version.
func flinkLookExchanges() []Exchange {
	return []Exchange{
		onFlink("a job that was never restarted says so", func(ctx context.Context, f flink) {
			f.tellsRestarts(ctx, f.start(ctx, fields{}))
		}),
		onFlink("the metrics of an unknown job are none", func(ctx context.Context, f flink) {
			f.Call(ctx, metrics(unknownID, "numRestarts"))
			c := metrics("x", "numRestarts")
			c.Want = 400
			f.Call(ctx, c)
		}),
		onFlink("the graph of a job has the newest part first, its names escaped", func(ctx context.Context, f flink) {
			id := f.start(ctx, fields{"parallelism": 2, "programArgsList": args("--extra-operator")})
			r := f.Call(ctx, Call{Method: "GET", Route: "/jobs/{job}", Args: []string{id}, Want: 200, Keep: []string{
				"$.plan.nodes", "$.plan.nodes[].inputs", "$.plan.nodes[].inputs[].num", "$.plan.nodes[].inputs[].ship_strategy",
				"$.plan.nodes[].inputs[].exchange", "$.plan.type", "$.vertices",
			}})
			for i := range 3 {
				f.Effect("vertex", []any{r.At("vertices", i, "name"), r.At("vertices", i, "parallelism")})
				f.Effect("node", []any{r.At("plan", "nodes", i, "description"), r.At("plan", "nodes", i, "parallelism")})
				f.Effect("is the vertex at the other end", r.At("plan", "nodes", i, "id") == r.At("vertices", 2-i, "id"))
				if i < 2 {
					f.Effect("and reads from the one before", r.At("plan", "nodes", i, "inputs", 0, "id") == r.At("vertices", 1-i, "id"))
				}
			}
		}),
	}
}
