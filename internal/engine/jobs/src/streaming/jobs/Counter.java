// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Counts the numbers 0, 1, 2, ... by their remainder and prints what it counted, so that anybody
 * who reads its output can tell whether a number was lost or counted twice: of the number v, the
 * count is v/5 + 1, always, through any stop and restore.
 *
 * <p>Arguments: --label L, --name N, --rate R (numbers a second), --count N (ends after N numbers),
 * --uid U (of the counting operator), --extra-operator, --fail-at N (fails when the count of a key
 * is N), --sleep-main MS, --checkpoint MS, --print-every N, --plain (leaves the global job
 * parameters alone, which are otherwise replaced by these arguments).
 */
public final class Counter {
    static final int KEYS = 5;

    private Counter() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (!arguments.isEmpty() && !arguments.has("plain")) {
            Configuration parameters = new Configuration();
            arguments.asMap().forEach(parameters::setString);
            env.getConfig().setGlobalJobParameters(parameters);
        }
        long checkpoint = arguments.getLong("checkpoint", 0);
        if (checkpoint > 0) {
            env.enableCheckpointing(checkpoint);
        }
        build(env, arguments);
        Thread.sleep(arguments.getLong("sleep-main", 0));

        String name = arguments.get("name", null);
        if (name == null) {
            env.execute();
        } else {
            env.execute(name);
        }
    }

    static void build(StreamExecutionEnvironment env, Arguments arguments) {
        double rate = Double.parseDouble(arguments.get("rate", "200"));
        long numbers = arguments.getLong("count", Long.MAX_VALUE);
        // Few lines are printed in full; a long run would fill the disk.
        long printEvery = arguments.getLong("print-every", rate <= 50 || numbers <= 5_000 ? 1 : 10);
        String label = arguments.get("label", "counter");

        // One reader only: the numbers of a key must arrive in order.
        DataStream<Long> counted =
                Ends.numbers(env, numbers, rate)
                        .setParallelism(1)
                        .keyBy(number -> number % KEYS)
                        .process(new Count(label, printEvery, arguments.getLong("fail-at", -1)))
                        .uid(arguments.get("uid", "counter"))
                        .name("counter");
        if (arguments.has("extra-operator")) {
            counted =
                    counted.keyBy(number -> number % KEYS)
                            .process(new Count(label + "-extra", printEvery, -1))
                            .uid("extra")
                            .name("extra");
        }
        Ends.discard(counted);
    }
}
