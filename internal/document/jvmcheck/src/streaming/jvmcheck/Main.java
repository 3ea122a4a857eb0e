// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers each line of its input with one: the name of a reader and its arguments with tabs between,
 * "ok" and what it read, or "error" and why it read nothing. Control characters, backslashes and all
 * that is not ASCII are written as in JSON.
 */
public final class Main {
    public static void main(String[] args) throws Exception {
        // Some of the classes print to the standard output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintWriter out = new PrintWriter(answers, false, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] fields = line.split("\t", -1);
            String[] input = new String[fields.length - 1];
            for (int i = 0; i < input.length; i++) {
                input[i] = unescape(fields[i + 1]);
            }
            out.println(answer(fields[0], input));
        }
        out.flush();
    }

    private static String answer(String name, String[] input) throws Exception {
        // By name, so that a reader whose engine is not there is never loaded.
        Reader reader = (Reader) Class.forName("streaming.jvmcheck." + name).getDeclaredConstructor().newInstance();
        List<String> fields = new ArrayList<>();
        try {
            List<String> read = reader.read(input);
            fields.add("ok");
            read.forEach(field -> fields.add(escape(field)));
        } catch (Exception | StackOverflowError e) {
            fields.clear();
            fields.add("error");
            fields.add(escape(e.getClass().getSimpleName() + ": " + e.getMessage()));
        }
        return String.join("\t", fields);
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c < ' ' || c > '~' || c == '\\') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String unescape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                out.append((char) Integer.parseInt(text.substring(i + 2, i + 6), 16));
                i += 5;
            } else {
                out.append(text.charAt(i));
            }
        }
        return out.toString();
    }
}
