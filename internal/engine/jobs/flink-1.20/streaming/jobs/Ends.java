// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Where the numbers come from and where they go, in Flink since 1.15. */
final class Ends {
    private Ends() {}

    static SingleOutputStreamOperator<Long> numbers(
            StreamExecutionEnvironment env, long count, double rate) {
        GeneratorFunction<Long, Long> identity = index -> index;
        DataGeneratorSource<Long> source =
                new DataGeneratorSource<>(
                        identity, count, RateLimiterStrategy.perSecond(rate), Types.LONG);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "source").uid("source");
    }

    static void discard(DataStream<Long> numbers) {
        numbers.sinkTo(new DiscardingSink<>()).uid("sink").name("sink");
    }
}
