// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"strings"
	"time"
)

var (
	jobStates = []string{
		"INITIALIZING", "CREATED", "RUNNING", "FAILING", "FAILED", "CANCELLING", "CANCELED", "FINISHED",
		"RESTARTING", "SUSPENDED", "RECONCILING",
	}
	vertexStates = []string{
		"CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING", "FINISHED", "CANCELING", "CANCELED",
		"FAILED", "RECONCILING",
	}
)

func lower(s string) string { return strings.ToLower(s) }

func secretKey(k string) bool {
	k = strings.ToLower(k)
	for _, part := range []string{
		"password", "secret", "fs.azure.account.key", "apikey", "api-key", "auth-params", "service-key", "token", "basic-auth", "jaas.config", "http-headers",
	} {
		if strings.Contains(k, part) {
			return true
		}
	}
	return false
}

// liveParallelism is what runs: the adaptive scheduler makes do with the slots there are.
func (j *job) liveParallelism(v vertex) int {
	if j.slots > 0 {
		return min(v.upper, j.slots)
	}
	return v.parallelism
}

func (j *job) duration(now time.Time) int64 {
	if !j.ended.IsZero() {
		now = j.ended
	}
	return now.Sub(j.created).Milliseconds()
}

func (j *job) lastChange() time.Time {
	at := j.created
	for _, t := range j.timestamps {
		if t.After(at) {
			at = t
		}
	}
	return at
}

func (j *job) jobType() string {
	if strings.EqualFold(j.flinkConf["execution.runtime-mode"], "BATCH") {
		return "BATCH"
	}
	return "STREAMING"
}

// schedulerType is null for a job that failed before it had a scheduler.
func (j *job) schedulerType() any {
	switch {
	case j.initFailed:
		return nil
	case j.server.adaptive:
		return "Adaptive"
	}
	return "Default"
}

// planless jobs have no execution graph: they failed before, or wait for their first slots.
func (j *job) planless() bool { return j.initFailed || j.phase == phaseWaiting || j.noGraph }

func (j *job) planOrEmpty() any {
	if j.planless() {
		return map[string]any{"jid": "", "name": "", "type": "", "nodes": []any{}}
	}
	return j.plan()
}
