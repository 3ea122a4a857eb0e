// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.options;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.MemorySize;

/**
 * Prints every option that the classes of Flink's own jars declare: key, type, default, and for an
 * older spelling of a key the one that replaced it. The arguments are the jars, which are also on
 * the class path.
 */
public final class ExtractOptions {
    /** The bytes of a class file that declares or uses a field of type ConfigOption. */
    private static final byte[] DESCRIPTOR =
            "Lorg/apache/flink/configuration/ConfigOption;".getBytes(StandardCharsets.US_ASCII);

    /**
     * Classes whose options are no keys of a configuration: those of a table's WITH clause, of a
     * catalog or a module, of a hint in a query, and the fields of an operator's own settings.
     */
    private static final Pattern NOT_OF_A_CONFIGURATION =
            Pattern.compile(
                    "org\\.apache\\.flink\\."
                            + "(formats\\..*|connector\\..*\\.table\\..*"
                            + "|table\\.(factories|connector|catalog|module|sinks|secret)\\..*"
                            + "|.*DynamicTableOptions|.*TableSourceOptions|.*HintOptions|.*RuntimeConfigOptions"
                            + "|streaming\\.api\\.graph\\.StreamConfig)");

    /** What the jars say of one key. */
    private static final class Entry {
        final Set<String> types = new TreeSet<>();
        final Set<String> defaults = new TreeSet<>();
        final Set<String> replacedBy = new TreeSet<>();

        /** What fields say that Flink itself has given up, which counts where no other does. */
        final Set<String> oldTypes = new TreeSet<>();

        final Set<String> oldDefaults = new TreeSet<>();

        String line() {
            return String.join(
                    "\t",
                    join(types.isEmpty() ? oldTypes : types),
                    join(types.isEmpty() ? oldDefaults : defaults),
                    join(replacedBy));
        }
    }

    private final Map<String, Entry> entries = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    /** Every class of the jars, and those that may declare an option. */
    private final Set<String> present = new HashSet<>();

    private final Set<String> candidates = new TreeSet<>();

    public static void main(String[] args) throws Exception {
        ExtractOptions extract = new ExtractOptions();
        for (String jar : args) {
            extract.scan(new File(jar));
        }
        for (String name : extract.candidates) {
            extract.read(name);
        }
        if (!extract.failures.isEmpty()) {
            throw new IllegalStateException("cannot read " + extract.failures);
        }
        extract.print();
    }

    private void scan(File file) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                String name = entry.getName();
                if (!name.endsWith(".class")) {
                    continue;
                }
                String type = name.substring(0, name.length() - ".class".length()).replace('/', '.');
                present.add(type);
                if (!type.startsWith("org.apache.flink.") || NOT_OF_A_CONFIGURATION.matcher(type).matches()) {
                    continue;
                }
                try (InputStream in = jar.getInputStream(entry)) {
                    if (contains(in.readAllBytes())) {
                        candidates.add(type);
                    }
                }
            }
        }
    }

    private static boolean contains(byte[] content) {
        outer:
        for (int i = 0; i + DESCRIPTOR.length <= content.length; i++) {
            for (int j = 0; j < DESCRIPTOR.length; j++) {
                if (content[i + j] != DESCRIPTOR[j]) {
                    continue outer;
                }
            }
            return true;
        }
        return false;
    }

    private void read(String name) {
        try {
            Class<?> type = Class.forName(name, false, ExtractOptions.class.getClassLoader());
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || field.getType() != ConfigOption.class || isSuffix(field)) {
                    continue;
                }
                field.setAccessible(true);
                ConfigOption<?> option = (ConfigOption<?>) field.get(null);
                // A key without a dot is a suffix, or a word of a query's hint.
                if (option != null && option.key().contains(".")) {
                    boolean old =
                            field.isAnnotationPresent(Deprecated.class) || type.isAnnotationPresent(Deprecated.class);
                    add(option, old);
                }
            }
        } catch (NoClassDefFoundError e) {
            // Some classes that use an option need Hadoop, which Flink does not bring along.
            if (present.contains(String.valueOf(e.getMessage()).replace('/', '.'))) {
                failures.add(name + ": " + e);
            }
        } catch (Throwable e) {
            failures.add(name + ": " + e);
        }
    }

    /** A suffix is no key: Flink puts the name of a reporter before it. */
    private static boolean isSuffix(Field field) {
        for (Annotation annotation : field.getAnnotations()) {
            if (annotation.annotationType().getSimpleName().equals("SuffixOption")) {
                return true;
            }
        }
        return false;
    }

    private void add(ConfigOption<?> option, boolean old) throws Exception {
        String type = typeOf(option);
        Entry entry = entries.computeIfAbsent(option.key(), key -> new Entry());
        (old ? entry.oldTypes : entry.types).add(type);
        (old ? entry.oldDefaults : entry.defaults).add(text(option.defaultValue()));
        for (FallbackKey fallback : option.fallbackKeys()) {
            Entry older = entries.computeIfAbsent(fallback.getKey(), key -> new Entry());
            (old ? older.oldTypes : older.types).add(type);
            older.replacedBy.add(option.key());
        }
    }

    private static String typeOf(ConfigOption<?> option) throws Exception {
        Method clazz = ConfigOption.class.getDeclaredMethod("getClazz");
        Method isList = ConfigOption.class.getDeclaredMethod("isList");
        clazz.setAccessible(true);
        isList.setAccessible(true);
        Class<?> type = (Class<?>) clazz.invoke(option);
        String name = type.isEnum() ? "Enum" : type.getSimpleName();
        return (Boolean) isList.invoke(option) ? "List<" + name + ">" : name;
    }

    private static String text(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Collection) {
            return ((Collection<?>) value).stream().map(ExtractOptions::text).collect(Collectors.joining(";"));
        }
        if (value instanceof Map) {
            return ((Map<?, ?>) value).entrySet().stream()
                    .map(e -> text(e.getKey()) + ":" + text(e.getValue()))
                    .sorted().collect(Collectors.joining(","));
        }
        if (value instanceof Duration) {
            return value.toString();
        }
        if (value instanceof MemorySize) {
            return ((MemorySize) value).getBytes() + " bytes";
        }
        return value.toString();
    }

    private void print() {
        PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        entries.forEach((key, entry) -> out.print(key + "\t" + entry.line() + "\n"));
        out.flush();
    }

    private static String join(Set<String> texts) {
        return texts.stream()
                .map(text -> text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t"))
                .collect(Collectors.joining("|"));
    }
}
