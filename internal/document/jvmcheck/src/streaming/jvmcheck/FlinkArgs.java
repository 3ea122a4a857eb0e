// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import org.apache.flink.api.java.utils.ParameterTool;

/** The parameters that a program's arguments are. */
final class FlinkArgs implements Reader {
    @Override
    public List<String> read(String[] input) {
        return Reader.pairs(ParameterTool.fromArgs(input).toMap());
    }
}
