// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package flinkfake is a stateful, in-process fake of a Flink session cluster: the REST API of its JobManager,
// the life of its jobs and the files they leave behind.
//
// It answers what the real engine answers, including what is inconvenient: an id is never free again before a
// restart, a failed submission leaves a FAILED job, a COMPLETED trigger may be a failure. The conformance suite
// holds it to that. What the real engine cannot be asked for, [Fault] adds: lost answers, proxies, elections.
package flinkfake
