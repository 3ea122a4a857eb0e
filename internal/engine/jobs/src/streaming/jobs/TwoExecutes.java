// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Executes two counters, of which neither ends by itself, from one main. */
public final class TwoExecutes {
    private TwoExecutes() {}

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"first", "second"}) {
            StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
            Counter.build(env, new Arguments(new String[] {"--label", name, "--rate", "10"}));
            env.execute(name);
        }
    }
}
