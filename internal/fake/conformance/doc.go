// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package conformance holds one list of REST exchanges per engine, which its tests run against the fake
// and against the real engine. A difference in status, body shape, error classes or effect is a failure:
// a fake that is kinder than the engine would make every other test worthless.
//
// What the real engine answered is kept under testdata, so that the fake is compared with it in every run,
// also where no engine is at hand. With TF_ACC=1 the real engine is asked again, and a recording that no
// longer holds fails as well.
package conformance
