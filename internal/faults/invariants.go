// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package faults

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/flink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// inventory is what there is of the bench's jobs at one time.
type inventory struct {
	// lives are its jobs, in the order of their starts.
	lives []life
	// files are those that they wrote.
	files []file
}

func (i inventory) live() []life {
	var live []life
	for _, one := range i.lives {
		if one.live() {
			live = append(live, one)
		}
	}
	return live
}

// died tells whether the last job died with its JobManager. One that was to be
// suspended and died first is lost, in truth: it left no savepoint of a stop,
// so that a resume has to look for its newest checkpoint. That it does not run
// is what was wanted, hence no diff, and nothing that would write another word.
func (i inventory) died() bool {
	return len(i.lives) > 0 && i.lives[len(i.lives)-1].lost()
}

// take takes the inventory.
func (b *bench) take() (inventory, error) {
	var found inventory
	all, err := b.history()
	if err != nil {
		return found, err
	}
	for _, one := range all {
		if b.generation(one.id) > 0 {
			found.lives = append(found.lives, one)
		}
	}
	files, err := b.files()
	for _, f := range files {
		if b.writer(f.path) != "" {
			found.files = append(found.files, f)
		}
	}
	return found, err
}

// writer is the id of the bench's job that wrote a file, empty for others.
func (b *bench) writer(path string) string {
	uid := b.uid()
	if _, after, ok := strings.Cut(path, "/"+uid+"/"); ok {
		text, _, _ := strings.Cut(after, "/")
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return lifecycle.JobID(uid, n)
		}
	}
	for element := range strings.SplitSeq(path, "/") {
		if len(element) == 32 && b.generation(element) > 0 {
			return element
		}
	}
	return ""
}

// check holds the invariants against what is there after the last apply.
func (t *trial) check(ctx context.Context, config job) error {
	now, err := t.take()
	if err != nil {
		return err
	}
	t.neverTwo(now)
	t.unchanged(t.before, now)
	t.unchanged(t.between, now)
	t.restored(now)
	if err := t.othersUntouched(ctx); err != nil {
		return err
	}
	if err := t.uploads(ctx, config.wants()); err != nil {
		return err
	}
	if c, counts := t.cluster.(interface {
		counted(ours func(id string) bool) error
	}); counts {
		if err := c.counted(func(id string) bool { return t.generation(id) > 0 }); err != nil {
			t.violate("not exactly once: %v", err)
		}
	}
	rec, known := t.driver.recorded()
	w := config.wants()
	switch live := now.live(); {
	case w.running:
		t.runs(ctx, live, rec, w)
	case len(live) > 0:
		t.violate("%d jobs are left: %+v", len(live), live)
	case config == nil && known:
		t.violate("the state still holds %+v", rec)
	case config == nil:
		t.endedWithSavepoint(now)
	case rec.State != "suspended" && !(rec.State == "lost" && now.died()):
		t.violate("the state says %q", rec.State)
	}
	changes, err := t.driver.changes(ctx, t.config(config))
	if err != nil {
		t.violate("a further plan fails: %v", err)
	} else if len(changes) > 0 {
		t.violate("a further plan is not empty: %s", strings.Join(changes, ", "))
	}
	return nil
}

// runs checks the one job that should run.
func (t *trial) runs(ctx context.Context, live []life, rec record, w wants) {
	if len(live) != 1 {
		t.violate("%d jobs run instead of one: %+v", len(live), live)
		return
	}
	id := live[0].id
	if id != rec.JobID || rec.State != "running" {
		t.violate("job %s runs, and the state has %s, %s", id, rec.JobID, rec.State)
	}
	config, err := t.client.JobConfig(ctx, id)
	if err != nil {
		t.violate("the job cannot be read: %v", err)
		return
	}
	label := config.ExecutionConfig.UserConfig["label"]
	if len(config.ExecutionConfig.UserConfig) == 0 {
		label = labelIn(live[0].args)
	}
	if label != w.label {
		t.violate("the job runs with %q instead of %q", label, w.label)
	}
	detail, err := t.client.Job(ctx, id)
	if err != nil {
		t.violate("the job cannot be read: %v", err)
		return
	}
	widest := int64(0)
	for _, vertex := range detail.Vertices {
		widest = max(widest, vertex.Parallelism)
	}
	if widest != int64(w.parallelism) {
		t.violate("the job runs with parallelism %d instead of %d", widest, w.parallelism)
	}
}

// neverTwo checks that no job began before the one before it had ended, and
// that no id was used twice.
func (t *trial) neverTwo(now inventory) {
	ids := map[string]bool{}
	for i, one := range now.lives {
		if ids[one.id] {
			t.violate("job id %s was used twice", one.id)
		}
		ids[one.id] = true
		if i == 0 {
			continue
		}
		if before := now.lives[i-1]; before.end.IsZero() || before.end.After(one.start) {
			t.violate("job %s (%s) still ran when %s began", before.id, before.state, one.id)
		}
	}
}

// unchanged checks that the files of jobs that had ended then are now as they were.
func (t *trial) unchanged(then, now inventory) {
	ended := map[string]bool{}
	for _, one := range then.lives {
		ended[one.id] = !one.live()
	}
	still := map[string]file{}
	for _, f := range now.files {
		still[f.path] = f
	}
	for _, f := range then.files {
		if !ended[t.writer(f.path)] {
			continue
		}
		if after, ok := still[f.path]; !ok {
			t.violate("a file of an earlier generation is gone: %s", f.path)
		} else if after != f {
			t.violate("a file of an earlier generation has changed: %+v, before %+v", after, f)
		}
	}
}

// restored checks that each job began with the newest state that its
// predecessors had left by then.
func (t *trial) restored(now inventory) {
	order := map[string]int{}
	for i, one := range now.lives {
		order[one.id] = i
	}
	base := 0
	for i, one := range now.lives {
		if i == 0 || t.unused && one.from == "" {
			// It was said that earlier state is left alone.
			base = i
			continue
		}
		var newest *file
		for _, f := range now.files {
			writer := order[t.writer(f.path)]
			if !f.complete() || writer < base || writer >= i || f.modified.After(one.start) {
				continue
			}
			if newest == nil || f.newer(*newest) {
				newest = &f
			}
		}
		if newest == nil {
			continue
		}
		if one.restored >= 0 && one.restored < newest.progress || one.restored < 0 && !within(newest.path, one.from) {
			t.violate("job %s began with %d from %q, and %s holds %d", one.id, one.restored, one.from, newest.path, newest.progress)
		}
	}
}

// within tells whether a file is in the directory that a job was restored from.
func within(path, directory string) bool {
	return directory != "" && strings.HasSuffix(strings.TrimSuffix(path, "/_metadata"), strings.TrimLeft(strings.TrimPrefix(directory, "file:"), "/"))
}

// endedWithSavepoint checks that a job that was destroyed left a savepoint with
// all that it had done.
func (t *trial) endedWithSavepoint(now inventory) {
	if len(now.lives) == 0 {
		return
	}
	last := now.lives[len(now.lives)-1]
	if last.lost() {
		// It was gone before it could be stopped; what it left is unchanged.
		return
	}
	if flink.JobState(last.state) != flink.Finished {
		t.violate("job %s was destroyed and is %s", last.id, last.state)
	}
	found := slices.ContainsFunc(now.files, func(f file) bool {
		return f.complete() && strings.Contains(f.path, "/"+t.uid()+"/") && t.writer(f.path) == last.id && (f.progress < 0 || f.progress >= last.progress)
	})
	if !found {
		t.violate("job %s was destroyed at %d and left no savepoint of that", last.id, last.progress)
	}
}

// othersUntouched checks the jobs and the jar of others.
func (t *trial) othersUntouched(ctx context.Context) error {
	all, err := t.history()
	if err != nil {
		return err
	}
	for _, one := range all {
		other := slices.Contains(t.others, one.id)
		switch {
		case other && !one.live() && !one.lost():
			t.violate("job %s (%s) of others is %s", one.id, one.name, one.state)
		case other && one.lost() && t.cell.when != jobManagerRestarted:
			t.violate("job %s (%s) of others is lost", one.id, one.name)
		case !other && one.name == t.name && t.generation(one.id) == 0:
			t.violate("job %s has our name and none of our ids", one.id)
		}
	}
	jars, err := t.client.Jars(ctx)
	if err != nil {
		return err
	}
	if lifecycle.FindJar(jars, t.hashes[otherJar]) == nil {
		t.violate("the jar of others is gone")
	}
	return nil
}

// marked tells whether the job itself made the upload of a jar.
func (t *trial) marked(jars []flink.Jar, name string) bool {
	jar := lifecycle.FindJar(jars, t.hashes[name])
	return jar != nil && strings.Contains(jar.ID, lifecycle.UploadTag(t.uid()))
}

// uploads checks that exactly the jar that is needed is there, once.
func (t *trial) uploads(ctx context.Context, w wants) error {
	jars, err := t.client.Jars(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{oldJar, newJar} {
		found := 0
		for rest := jars; ; found++ {
			jar := lifecycle.FindJar(rest, t.hashes[name])
			if jar == nil {
				break
			}
			rest = slices.DeleteFunc(slices.Clone(rest), func(one flink.Jar) bool { return one.ID == jar.ID })
		}
		switch {
		case name != w.jar && found == 1 && t.cell.op.unmarked && t.marked(jars, name):
			// A job without a marker may need any jar.
		case name != w.jar && found == 1 && !t.acted && t.marked(jars, name):
			t.left = true
		case name != w.jar && found > 0:
			t.violate("%s is not needed and uploaded %d times", name, found)
		case found > 1:
			t.violate("%s is uploaded %d times", name, found)
		case name == w.jar && w.running && found == 0:
			t.violate("%s is needed and not uploaded", name)
		}
	}
	return nil
}
