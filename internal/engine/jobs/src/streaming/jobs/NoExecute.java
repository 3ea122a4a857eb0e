// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Describes a job and forgets to execute it. */
public final class NoExecute {
    private NoExecute() {}

    public static void main(String[] args) {
        Counter.build(
                StreamExecutionEnvironment.getExecutionEnvironment(), new Arguments(args));
    }
}
