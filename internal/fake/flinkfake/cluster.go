// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (s *Server) getConfig(*call) reply {
	features := map[string]any{"web-submit": !s.noWebSubmit, "web-cancel": true, "web-history": false}
	if s.version.strict() {
		delete(features, "web-history")
	}
	if s.version.atLeast(1, 18) {
		features["web-rescale"] = s.adaptive
	}
	return ok(map[string]any{
		"refresh-interval": s.refresh.Milliseconds(), "timezone-name": "Coordinated Universal Time", "timezone-offset": 0,
		"flink-version": s.version.text, "flink-revision": "0000000 @ 1970-01-01T00:00:00Z", "features": features,
	})
}

func (s *Server) getOverview(*call) reply {
	counts := map[string]int{}
	for _, j := range s.jobs {
		switch j.state {
		case "FINISHED", "CANCELED", "FAILED":
			counts[j.state]++
		default:
			counts["RUNNING"]++
		}
	}
	out := map[string]any{
		"taskmanagers": 1, "slots-total": s.slots, "slots-available": s.freeSlots(),
		"jobs-running": counts["RUNNING"], "jobs-finished": counts["FINISHED"],
		"jobs-cancelled": counts["CANCELED"], "jobs-failed": counts["FAILED"],
		"flink-version": s.version.text, "flink-commit": "0000000",
	}
	return ok(out)
}

// clusterConf is the configuration that the JobManager shows, values of secret keys masked.
func (s *Server) clusterConf() []any {
	all := map[string]string{
		"jobmanager.rpc.address": "127.0.0.1", "rest.address": "127.0.0.1", "parallelism.default": "1",
		"taskmanager.numberOfTaskSlots": strconv.Itoa(s.slots), "web.submit.enable": strconv.FormatBool(!s.noWebSubmit),
		"web.upload.dir": "/fake",
	}
	if s.adaptive {
		all["jobmanager.scheduler"] = "Adaptive"
	}
	maps.Copy(all, s.conf)
	out := []any{}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		v := all[k]
		if strings.Contains(k, "password") || strings.Contains(k, "secret") {
			v = "******"
		}
		out = append(out, map[string]any{"key": k, "value": v})
	}
	return out
}

func (s *Server) getClusterConfig(*call) reply { return ok(s.clusterConf()) }

// getJobClusterConfig has nothing of the job, and does not even look whether there is one.
func (s *Server) getJobClusterConfig(c *call) reply {
	if _, refused := s.jobID(c); refused != nil {
		return *refused
	}
	return ok(s.clusterConf())
}

func (s *Server) getTaskManagers(*call) reply {
	resource := map[string]any{
		"cpuCores": 1.0, "taskHeapMemory": 383, "taskOffHeapMemory": 0, "managedMemory": 512, "networkMemory": 128,
		"extendedResources": map[string]any{},
	}
	manager := map[string]any{
		"id": "127.0.0.1:40000-000000", "path": "pekko.tcp://flink@127.0.0.1:40000/user/rpc/taskmanager_0",
		"dataPort": 40001, "jmxPort": -1, "timeSinceLastHeartbeat": s.now().UnixMilli(),
		"slotsNumber": s.slots, "freeSlots": s.freeSlots(), "totalResource": resource, "freeResource": resource,
		"hardware": map[string]any{
			"cpuCores": 2, "physicalMemory": 1 << 33, "freeMemory": 1 << 29, "managedMemory": 1 << 29,
		},
		"memoryConfiguration": map[string]any{
			"frameworkHeap": 1 << 27, "taskHeap": 1 << 28, "frameworkOffHeap": 1 << 27, "taskOffHeap": 0,
			"networkMemory": 1 << 27, "managedMemory": 1 << 29, "jvmMetaspace": 1 << 28, "jvmOverhead": 1 << 27,
			"totalFlinkMemory": 1 << 30, "totalProcessMemory": 1 << 30,
		},
	}
	if s.version.atLeast(2, 0) {
		manager["assignedTasks"] = s.assignedTasks()
	}
	return ok(map[string]any{"taskmanagers": []any{manager}})
}

func (s *Server) assignedTasks() int {
	n := 0
	for _, j := range s.jobs {
		if j.slots > 0 {
			n += len(j.vertices)
		}
	}
	return n
}

// millis is a time as REST shows it, -1 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return -1
	}
	return t.UnixMilli()
}
