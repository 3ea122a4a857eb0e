// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.apache.flink.api.java.utils.ParameterTool;

/** The parameters of an array of arguments in JSON, in base64. */
final class EncodedArgs implements Reader {
    @Override
    public List<String> read(String[] input) {
        String text = new String(Base64.getMimeDecoder().decode(input[0]), StandardCharsets.UTF_8);
        return Reader.pairs(ParameterTool.fromArgs(new Gson().fromJson(text, String[].class)).toMap());
    }
}
