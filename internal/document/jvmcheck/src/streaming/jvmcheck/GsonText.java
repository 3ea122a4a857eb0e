// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import java.util.List;

/** What Gson makes of JSON, written again: "[]" or "{}" says what it has to be. */
final class GsonText implements Reader {
    @Override
    public List<String> read(String[] input) {
        Gson gson = new Gson();
        JsonElement element = gson.fromJson(input[1], JsonElement.class);
        return List.of(gson.toJson(input[0].equals("[]") ? element.getAsJsonArray() : element.getAsJsonObject()));
    }
}
