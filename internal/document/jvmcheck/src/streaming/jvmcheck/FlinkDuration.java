// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import org.apache.flink.util.TimeUtils;

/** A duration in nanoseconds. */
final class FlinkDuration implements Reader {
    @Override
    public List<String> read(String[] input) {
        return List.of(nanos(TimeUtils.parseDuration(input[0])));
    }

    static String nanos(Duration duration) {
        return BigInteger.valueOf(duration.getSeconds())
                .multiply(BigInteger.valueOf(1_000_000_000L))
                .add(BigInteger.valueOf(duration.getNano()))
                .toString();
    }
}
