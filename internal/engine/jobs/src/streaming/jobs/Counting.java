// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Keeps the count of each key in state, prints it, and passes the number on. */
abstract class Counting extends KeyedProcessFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1L;

    private final String label;
    private final long printEvery;
    private final long failAt;

    private transient ValueState<Long> count;
    private transient Set<Long> printed;
    private transient String prefix;

    Counting(String label, long printEvery, long failAt) {
        this.label = label;
        this.printEvery = printEvery;
        this.failAt = failAt;
    }

    /** What each version of Flink calls in its own way before the first element. */
    final void begin(Object job) {
        count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        printed = new HashSet<>();
        prefix = "COUNT job=" + job + " label=" + label;
    }

    @Override
    public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
        Long before = count.value();
        long now = before == null ? 1 : before + 1;
        count.update(now);
        Long key = context.getCurrentKey();
        // The first line after each start shows what was restored.
        if (printed.add(key) || now % printEvery == 0 || now == failAt) {
            System.out.println(prefix + " key=" + key + " value=" + number + " count=" + now);
        }
        if (now == failAt) {
            throw new IllegalStateException("key " + key + " reached count " + now + ", as asked");
        }
        out.collect(number);
    }
}
