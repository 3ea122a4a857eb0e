// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import org.apache.flink.api.common.functions.OpenContext;

/** {@link Counting} as Flink since 1.19 opens it. */
final class Count extends Counting {
    private static final long serialVersionUID = 1L;

    Count(String label, long printEvery, long failAt) {
        super(label, printEvery, failAt);
    }

    @Override
    public void open(OpenContext context) {
        begin(getRuntimeContext().getJobInfo().getJobId());
    }
}
