// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.source.RichSourceFunction;

/** The numbers 0, 1, 2, ... at a rate, each once through any restore. */
final class Numbers extends RichSourceFunction<Long> implements CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final long SECOND = 1_000_000_000L;

    private final long count;
    private final double rate;

    private transient ListState<Long> state;
    private volatile boolean running = true;
    private long next;

    Numbers(long count, double rate) {
        this.count = count;
        this.rate = rate;
    }

    @Override
    public void run(SourceContext<Long> context) throws Exception {
        long began = System.nanoTime();
        for (long sent = 0; running && next < count; sent++) {
            long early = began + (long) (sent / rate * SECOND) - System.nanoTime();
            if (early > 0) {
                Thread.sleep(early / 1_000_000, (int) (early % 1_000_000));
            }
            synchronized (context.getCheckpointLock()) {
                context.collect(next++);
            }
        }
    }

    @Override
    public void cancel() {
        running = false;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.clear();
        state.add(next);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        state =
                context.getOperatorStateStore()
                        .getListState(new ListStateDescriptor<>("next", Types.LONG));
        for (Long restored : state.get()) {
            next = restored;
        }
    }
}
