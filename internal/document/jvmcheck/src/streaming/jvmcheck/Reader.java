// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads something with the classes of an engine. */
interface Reader {
    List<String> read(String[] input) throws Exception;

    /** The keys and values of a map, sorted. */
    static List<String> pairs(Map<String, String> map) {
        List<String> fields = new ArrayList<>();
        new TreeMap<>(map).forEach(
                (key, value) -> {
                    fields.add(key);
                    fields.add(value);
                });
        return fields;
    }
}
