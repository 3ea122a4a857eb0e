// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** A text in base64. */
final class Base64Text implements Reader {
    @Override
    public List<String> read(String[] input) {
        return List.of(new String(Base64.getDecoder().decode(input[0]), StandardCharsets.UTF_8));
    }
}
