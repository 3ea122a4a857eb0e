// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import org.apache.streampark.common.util.DeflaterUtils;

/** A text that was deflated. */
final class StreamParkInflate implements Reader {
    @Override
    public List<String> read(String[] input) {
        return List.of(DeflaterUtils.unzipString(input[0]));
    }
}
