// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Executes two counters, of which neither ends by itself, from one main: each in an environment of
 * its own, or with --one-environment both in one, which Flink refuses by itself.
 */
public final class TwoExecutes {
    private TwoExecutes() {}

    public static void main(String[] args) throws Exception {
        boolean one = new Arguments(args).has("one-environment");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        for (String name : new String[] {"first", "second"}) {
            if (!one) {
                env = StreamExecutionEnvironment.getExecutionEnvironment();
            }
            Counter.build(env, new Arguments(new String[] {"--label", name, "--rate", "10"}));
            env.execute(name);
        }
    }
}
