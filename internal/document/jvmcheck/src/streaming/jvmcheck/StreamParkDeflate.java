// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import org.apache.streampark.common.util.DeflaterUtils;

/** A text as StreamPark itself deflates it. */
final class StreamParkDeflate implements Reader {
    @Override
    public List<String> read(String[] input) {
        return List.of(DeflaterUtils.zipString(input[0]));
    }
}
