// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.groot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import streaming.jobs.Counter;

/**
 * Stands in for the program of Groot Stream: it reads the job file as a program of a JVM does, and
 * counts as the section counter says. The job shows what the file had as its parameters.
 */
public final class StandIn {
    private StandIn() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 2 || !args[0].equals("--config")) {
            throw new IllegalArgumentException("--config FILE is wanted, in base64, and there are " + args.length + " arguments");
        }
        String text = new String(Base64.getDecoder().decode(args[1]), StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>();
        flatten(arguments, "", new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
        Counter.main(arguments.toArray(new String[0]));
    }

    private static void flatten(List<String> arguments, String path, Object value) {
        if (value instanceof Map) {
            ((Map<?, ?>) value).forEach((key, one) -> flatten(arguments, path.isEmpty() ? key.toString() : path + "." + key, one));
            return;
        }
        arguments.add("--" + (path.startsWith("counter.") ? path.substring("counter.".length()) : path));
        arguments.add(String.valueOf(value));
    }
}
