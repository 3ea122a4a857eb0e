// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package conformance

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle/stateprobe"
)

// ask calls the state probe and returns its results.
func (f flink) ask(ctx context.Context, jar string, ops ...stateprobe.Op) []stateprobe.Result {
	f.T.Helper()
	r := f.post(ctx, 200, "/jars/{jar}/plan", fields{
		"entryClass": stateprobe.EntryClass, "programArgsList": stateprobe.Args(10*time.Second, ops...),
	}, jar)
	results, err := stateprobe.Parse(r.Str("plan", "name"))
	if err != nil {
		f.T.Fatal(err)
	}
	if len(results) != len(ops) {
		f.T.Fatalf("%d results for %d questions", len(results), len(ops))
	}
	return results
}

func flinkProbeExchanges() []Exchange {
	return []Exchange{
		onFlink("the state probe sees savepoints and checkpoints", func(ctx context.Context, f flink) {
			jar := path.Base(f.upload(ctx, 200, part{field: "jarfile", file: "probe.jar", data: stateprobe.Jar()}).Str("filename"))
			target := f.dir + "/probed"
			nothing := f.ask(ctx, jar, stateprobe.Exists(target), stateprobe.Newest(target), stateprobe.List(target))
			f.Effect("nothing", []any{nothing[0].Exists, nothing[1].Exists, nothing[1].Path, nothing[2].Exists, len(nothing[2].Children)})

			first := f.savepointTo(ctx, f.start(ctx, fields{}), target)
			f.pause(ctx, 5*time.Millisecond)
			second := f.savepointTo(ctx, f.start(ctx, fields{}), target)
			got := f.ask(ctx, jar, stateprobe.Exists(first), stateprobe.Exists(first+"/_metadata"), stateprobe.Newest(target), stateprobe.List(target),
				stateprobe.Exists("s3://bucket/x"), stateprobe.Exists(""), stateprobe.Newest(path.Dir(target)))
			f.Effect("savepoint", []any{got[0].Exists, got[0].Dir, got[1].Exists, got[1].Dir})
			f.Effect("newest", []any{got[2].Exists, got[2].Empty, got[2].Path == second, got[2].Kind, got[2].Incomplete})
			names := []string{}
			for _, c := range got[3].Children {
				if c.Dir && c.Complete {
					names = append(names, c.Name)
				}
			}
			f.Effect("list", len(names) == 2 && slices.Contains(names, path.Base(first)) && slices.Contains(names, path.Base(second)))
			f.Effect("bad paths", []any{got[4].Err() != nil, got[5].Err() != nil})
			f.Effect("one level deeper", got[6].Path == second)
		}),
		onFlink("the state probe sees what a cancel leaves", func(ctx context.Context, f flink) {
			jar := path.Base(f.upload(ctx, 200, part{field: "jarfile", file: "probe.jar", data: stateprobe.Jar()}).Str("filename"))
			dir := f.dir + "/chk"
			newest := func(retention string) stateprobe.Result {
				id := f.start(ctx, fields{"flinkConfiguration": fields{
					checkpointing: "200 ms", "execution.checkpointing.dir": dir, "execution.checkpointing.externalized-checkpoint-retention": retention,
				}})
				f.pause(ctx, time.Second)
				f.Effect("while it runs", f.ask(ctx, jar, stateprobe.Newest(dir+"/"+id))[0].Kind)
				f.cancel(ctx, id)
				return f.ask(ctx, jar, stateprobe.Newest(dir+"/"+id))[0]
			}
			kept := newest("RETAIN_ON_CANCELLATION")
			f.Effect("retained", []any{kept.Exists, kept.Kind})
			if kept.Path != "" {
				f.disposeLater(kept.Path)
			}
			gone := newest("DELETE_ON_CANCELLATION")
			f.Effect("not retained", []any{gone.Exists, gone.Path})
		}),
		onFlink("the state probe copies an upload, which Flink deletes and does not list", func(ctx context.Context, f flink) {
			jar := path.Base(f.upload(ctx, 200, part{field: "jarfile", file: "probe.jar", data: stateprobe.Jar()}).Str("filename"))
			name := "conformance-" + newID() + ".zip"
			got := f.ask(ctx, jar, stateprobe.Copy(jar, name), stateprobe.Copy(jar, name))
			f.Effect("copies", []any{path.Base(got[0].Path) == name, got[0].Failure, got[1].Path == got[0].Path})
			jars := f.Aux(ctx, Call{Method: http.MethodGet, Route: "/jars"}).At("files")
			f.Effect("listed", strings.Contains(fmt.Sprint(jars), name))
			f.Call(ctx, Call{Method: http.MethodDelete, Route: "/jars/{jar}", Args: []string{name}, Want: 200})
			f.Call(ctx, Call{Method: http.MethodDelete, Route: "/jars/{jar}", Args: []string{name}, Want: 400})
			refused := []any{}
			for _, r := range f.ask(ctx, jar, stateprobe.Copy("../"+jar, name), stateprobe.Copy(jar, "../"+name), stateprobe.Copy(jar, "a\\b.zip"),
				stateprobe.Copy(jar, "a.jar"), stateprobe.Copy(jar, ".zip"), stateprobe.Copy("nothing.jar", name)) {
				refused = append(refused, strings.ReplaceAll(strings.ReplaceAll(r.Failure, jar, "(jar)"), name, "(name)"))
			}
			f.Effect("refused", refused)
		}),
		onFlink("of four submissions with one id one wins", func(ctx context.Context, f flink) {
			id := newID()
			f.cancelLater(id)
			var wg sync.WaitGroup
			answers := make([]Response, 4)
			for i := range answers {
				wg.Go(func() {
					answers[i] = f.Aux(ctx, Call{
						Method: http.MethodPost, Route: "/jars/{jar}/run", Args: []string{f.jar}, Body: fields{"jobId": id, "programArgsList": args()},
					})
				})
			}
			wg.Wait()
			count := map[int]int{}
			for _, a := range answers {
				count[a.Status]++
			}
			f.Effect("answers", count)
		}),
	}
}

// savepointTo takes a savepoint into a directory of the caller's.
func (f flink) savepointTo(ctx context.Context, job, target string) string {
	f.T.Helper()
	r := f.Aux(ctx, Call{
		Method: http.MethodPost, Route: "/jobs/{job}/savepoints", Args: []string{job}, Body: fields{"target-directory": target},
	})
	return f.location(ctx, job, r.Str("request-id"))
}
