// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.net.URL;
import java.util.List;

/** The protocol, the host and the path of a URL that Java knows how to open. */
final class JavaUrl implements Reader {
    @Override
    public List<String> read(String[] input) throws Exception {
        URL url = new URL(input[0]);
        return List.of(url.getProtocol(), url.getHost(), url.getPath());
    }
}
