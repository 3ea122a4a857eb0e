// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import org.apache.flink.configuration.MemorySize;

/** A size of memory in bytes. */
final class FlinkMemory implements Reader {
    @Override
    public List<String> read(String[] input) {
        return List.of(String.valueOf(MemorySize.parse(input[0]).getBytes()));
    }
}
