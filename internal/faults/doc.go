// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package faults proves what the provider promises of a job whatever goes
// wrong: each REST call of each operation is cut in each way, the provider's
// process is killed there, and what a plain apply makes of it later is held
// against the invariants.
//
// A cell of the matrix is one operation, one of its calls, one fault, one
// moment of the next apply, and one configuration of it. The same cells run on
// the fake and on real Flink, through Terraform's own program and through a
// driver that does what Terraform does at a fraction of the cost.
package faults
