// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The counting job for programs that set up their own environment. */
public final class Counted {
    private Counted() {}

    /** Counts under a label. */
    public static void build(StreamExecutionEnvironment env, String label) {
        Counter.build(env, new Arguments(new String[] {"--label", label, "--rate", "200"}));
    }
}
