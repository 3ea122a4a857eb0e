// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.options;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/**
 * Prints what Flink makes of each line of its input, read as a duration and as a size of memory:
 * nanoseconds and bytes, or "-" for what it refuses. Lines are escaped as in JSON, without quotes.
 */
public final class ParseValues {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String value = unescape(line);
            out.append(line).append('\t').append(duration(value)).append('\t').append(memory(value)).append('\n');
        }
        PrintWriter writer = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        writer.print(out);
        writer.flush();
    }

    private static String duration(String value) {
        try {
            Configuration configuration = new Configuration();
            configuration.setString("a.b", value);
            Duration duration = configuration.get(ConfigOptions.key("a.b").durationType().noDefaultValue());
            return BigInteger.valueOf(duration.getSeconds())
                    .multiply(BigInteger.valueOf(1_000_000_000L))
                    .add(BigInteger.valueOf(duration.getNano()))
                    .toString();
        } catch (RuntimeException e) {
            return "-";
        }
    }

    private static String memory(String value) {
        try {
            Configuration configuration = new Configuration();
            configuration.setString("a.b", value);
            MemorySize size = configuration.get(ConfigOptions.key("a.b").memoryType().noDefaultValue());
            return String.valueOf(size.getBytes());
        } catch (RuntimeException e) {
            return "-";
        }
    }

    private static String unescape(String line) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\\') {
                text.append((char) Integer.parseInt(line.substring(i + 2, i + 6), 16));
                i += 5;
            } else {
                text.append(line.charAt(i));
            }
        }
        return text.toString();
    }
}
