// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Program arguments of the form {@code --name value} and {@code --flag}. */
final class Arguments {
    private final List<String> given;

    Arguments(String[] args) {
        given = Arrays.asList(args);
    }

    boolean isEmpty() {
        return given.isEmpty();
    }

    boolean has(String name) {
        return given.contains("--" + name);
    }

    String get(String name, String otherwise) {
        int at = given.indexOf("--" + name);
        if (at < 0) {
            return otherwise;
        }
        if (at + 1 == given.size()) {
            throw new IllegalArgumentException("--" + name + " needs a value");
        }
        return given.get(at + 1);
    }

    long getLong(String name, long otherwise) {
        String value = get(name, null);
        return value == null ? otherwise : Long.parseLong(value);
    }

    /** Every argument by its name; a flag has the value "true". */
    Map<String, String> asMap() {
        Map<String, String> named = new TreeMap<>();
        for (int i = 0; i < given.size(); i++) {
            if (!given.get(i).startsWith("--")) {
                continue;
            }
            boolean valued = i + 1 < given.size() && !given.get(i + 1).startsWith("--");
            named.put(given.get(i).substring(2), valued ? given.get(i + 1) : "true");
        }
        return named;
    }
}
