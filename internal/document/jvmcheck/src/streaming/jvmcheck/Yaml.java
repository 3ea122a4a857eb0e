// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The values of YAML with the paths that lead to them, each with the name of its class before it. */
final class Yaml implements Reader {
    @Override
    public List<String> read(String[] input) {
        Map<String, String> flat = new TreeMap<>();
        flatten(flat, "", new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).load(input[0]));
        return Reader.pairs(flat);
    }

    private static void flatten(Map<String, String> flat, String path, Object value) {
        if (value instanceof Map && !((Map<?, ?>) value).isEmpty()) {
            ((Map<?, ?>) value).forEach((key, one) -> flatten(flat, path + "/" + key, one));
        } else if (value instanceof List && !((List<?>) value).isEmpty()) {
            List<?> list = (List<?>) value;
            for (int i = 0; i < list.size(); i++) {
                flatten(flat, path + "/" + i, list.get(i));
            }
        } else {
            flat.put(path, value == null ? "null" : value.getClass().getSimpleName() + " " + value);
        }
    }
}
