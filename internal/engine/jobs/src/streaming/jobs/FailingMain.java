// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

/** Fails before it has made a job. */
public final class FailingMain {
    private FailingMain() {}

    public static void main(String[] args) {
        throw new IllegalStateException("main failed on purpose");
    }
}
