// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;

/** Lets numbers pass at a rate, and with them the source that it is chained to. */
final class Pace extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;
    private static final long SECOND = 1_000_000_000L;

    private final double rate;

    private transient long began;
    private transient long passed;

    Pace(double rate) {
        this.rate = rate;
    }

    @Override
    public void open(Configuration parameters) {
        began = System.nanoTime();
    }

    @Override
    public Long map(Long number) throws Exception {
        long early = began + (long) (passed++ / rate * SECOND) - System.nanoTime();
        if (early > 0) {
            Thread.sleep(early / 1_000_000, (int) (early % 1_000_000));
        }
        return number;
    }
}
