// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import org.apache.streampark.common.util.PropertiesUtils;

/** The properties that StreamPark makes of YAML. */
final class StreamParkYaml implements Reader {
    @Override
    public List<String> read(String[] input) {
        return Reader.pairs(PropertiesUtils.fromYamlTextAsJava(input[0]));
    }
}
