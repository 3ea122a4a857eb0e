// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;

/** Where the numbers come from and where they go, in Flink before 1.15. */
final class Ends {
    private Ends() {}

    static SingleOutputStreamOperator<Long> numbers(
            StreamExecutionEnvironment env, long count, double rate) {
        return env.fromSource(
                        new NumberSequenceSource(0, count - 1),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .uid("source")
                .setParallelism(1)
                .map(new Pace(rate))
                .name("pace")
                .uid("pace");
    }

    static void discard(DataStream<Long> numbers) {
        numbers.addSink(new DiscardingSink<>()).uid("sink").name("sink");
    }
}
