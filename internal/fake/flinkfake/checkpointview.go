// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"math"
	"slices"
)

func (s *Server) getCheckpointConfig(c *call) reply {
	j, refused := s.seen(c, s.graphs)
	if refused != nil {
		return *refused
	}
	k := j.checkpoints
	mode := "exactly_once"
	if k.mode == "AT_LEAST_ONCE" || k.interval <= 0 || j.initFailed {
		mode = "at_least_once"
	}
	enabled := k.retention == "RETAIN_ON_CANCELLATION" || k.retention == "DELETE_ON_CANCELLATION"
	storage := "FileSystemCheckpointStorage"
	if k.dir == "" {
		storage = "JobManagerCheckpointStorage"
	}
	backend := "HashMapStateBackend"
	if k.backend == "rocksdb" {
		backend = "EmbeddedRocksDBStateBackend"
	}
	storageOfChanges := "memory"
	if j.initFailed {
		storage, backend, storageOfChanges = "Unknown", "Unknown", "Unknown"
	}
	out := map[string]any{
		"mode": mode, "interval": k.interval.Milliseconds(), "timeout": k.timeout.Milliseconds(),
		"min_pause": k.minPause.Milliseconds(), "max_concurrent": 1,
		"externalization": map[string]any{
			"enabled": enabled, "delete_on_cancellation": k.retention != "RETAIN_ON_CANCELLATION",
		},
		"state_backend": backend, "checkpoint_storage": storage, "unaligned_checkpoints": k.unaligned,
		"tolerable_failed_checkpoints": k.tolerable, "aligned_checkpoint_timeout": 0, "checkpoints_after_tasks_finish": true,
		"state_changelog_enabled": false, "changelog_periodic_materialization_interval": 600000,
		"changelog_storage": storageOfChanges,
	}
	if k.interval <= 0 || j.initFailed {
		out["interval"] = int64(math.MaxInt64)
	}
	if s.version.strict() {
		delete(out, "state_changelog_enabled")
		delete(out, "changelog_periodic_materialization_interval")
		delete(out, "changelog_storage")
		out["checkpoints_after_tasks_finish"] = false
	}
	return ok(out)
}

func (s *Server) getCheckpoints(c *call) reply {
	j, refused := s.seen(c, s.stats)
	if refused != nil {
		return *refused
	}
	k := j.checkpoints
	latest := map[string]any{"completed": nil, "savepoint": nil, "failed": nil, "restored": nil}
	history := []any{}
	for _, u := range slices.Backward(k.underway) {
		v := j.checkpointView(&checkpoint{id: k.id + 1, at: u.at, stop: u.stop}, true)
		v[j.server.classKey()], v["status"], v["num_acknowledged_subtasks"] = "in_progress", "IN_PROGRESS", 0
		delete(v, "external_path")
		delete(v, "discarded")
		history = append(history, v)
	}
	if k.latest != nil {
		latest["completed"] = j.checkpointView(k.latest, false)
		history = append(history, j.checkpointView(k.latest, false))
	}
	if k.savepoint != nil {
		latest["savepoint"] = j.checkpointView(k.savepoint, true)
		history = append(history, j.checkpointView(k.savepoint, true))
	}
	if k.broken != nil {
		v := j.checkpointView(k.broken, true)
		v[j.server.classKey()], v["status"] = "failed", "FAILED"
		v["failure_message"], v["failure_timestamp"] = k.broken.failure, k.broken.at.UnixMilli()
		delete(v, "external_path")
		delete(v, "discarded")
		latest["failed"] = v
		history = append(history, v)
	}
	if k.origin != nil {
		latest["restored"] = map[string]any{
			"id": k.origin.id, "restore_timestamp": k.origin.at.UnixMilli(), "is_savepoint": k.origin.savepoint,
			"external_path": uri(k.origin.path),
		}
	}
	summary := map[string]any{}
	for _, m := range []string{
		"checkpointed_size", "state_size", "end_to_end_duration", "alignment_buffered", "processed_data", "persisted_data",
	} {
		if m == "checkpointed_size" && s.version.strict() {
			continue
		}
		// Java writes what it cannot compute as a text.
		var quantile any = "NaN"
		if k.completed > 0 || m == "alignment_buffered" {
			quantile = 0.0
		}
		entry := map[string]any{"min": 0, "max": 0, "avg": 0}
		summary[m] = entry
		for _, q := range []string{"p50", "p90", "p95", "p99", "p999"} {
			entry[q] = quantile
		}
	}
	return ok(map[string]any{
		"counts": map[string]any{
			"restored": k.restored, "total": k.completed + k.failed + int64(len(k.underway)), "in_progress": len(k.underway),
			"completed": k.completed, "failed": k.failed,
		},
		"summary": summary, "latest": latest, "history": history,
	})
}

func (j *job) checkpointView(k *checkpoint, savepoint bool) map[string]any {
	kind, external := "CHECKPOINT", "<checkpoint-not-externally-addressable>"
	if savepoint {
		kind = "SAVEPOINT"
	}
	if k.stop {
		kind = "SYNC_SAVEPOINT"
	}
	if k.path != "" {
		external = uri(k.path)
	}
	at := k.at.UnixMilli()
	v := map[string]any{
		"className": "completed", "id": k.id, "status": "COMPLETED", "is_savepoint": savepoint,
		"checkpoint_type": kind, "trigger_timestamp": at, "latest_ack_timestamp": at + 1,
		"checkpointed_size": 1000, "state_size": 1000, "end_to_end_duration": 1, "alignment_buffered": 0,
		"processed_data": 0, "persisted_data": 0, "num_subtasks": len(j.vertices),
		"num_acknowledged_subtasks": len(j.vertices), "external_path": external, "discarded": false,
		"tasks": map[string]any{}, "savepointFormat": nil,
	}
	if savepoint {
		v["savepointFormat"] = "CANONICAL"
	}
	if j.server.version.strict() {
		v[j.server.classKey()] = v["className"]
		delete(v, "className")
		delete(v, "checkpointed_size")
		delete(v, "savepointFormat")
	}
	return v
}

// classKey is the name of the field that tells how a checkpoint stands.
func (s *Server) classKey() string {
	if s.version.strict() {
		return "@class"
	}
	return "className"
}
