// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package org.raystack.dagger.core;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.annotations.SerializedName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.flink.api.java.utils.ParameterTool;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import streaming.jobs.Counted;

/**
 * Stands in for Dagger under the name of its main class: it reads its arguments as Dagger does, with
 * the same classes, and counts where Dagger would run the query. The job shows all keys as its
 * parameters, and below {@code read.} what was read of the JSON in them.
 */
public final class KafkaProtoSQLProcessor {
    private static final Gson GSON = new Gson();

    private KafkaProtoSQLProcessor() {}

    public static void main(String[] args) throws Exception {
        ParameterTool keys = ParameterTool.fromArgs(args);
        if (keys.has("encodedArgs")) {
            byte[] decoded = Base64.getMimeDecoder().decode(keys.get("encodedArgs"));
            keys = ParameterTool.fromArgs(GSON.fromJson(new String(decoded, StandardCharsets.UTF_8), String[].class));
        }
        Map<String, String> read = new HashMap<>();
        JsonElement streams = GSON.fromJson(keys.get("STREAMS", ""), JsonElement.class);
        flatten(read, "read.STREAMS", streams.getAsJsonArray());
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        if (keys.getBoolean("PYTHON_UDF_ENABLE", false)) {
            List<String> functions = new ArrayList<>();
            PythonConfig python = GSON.fromJson(keys.get("PYTHON_UDF_CONFIG", ""), PythonConfig.class);
            for (String file : python.files.replaceAll("\\s", "").split(",")) {
                functions.addAll(functions(file));
                // Flink does the same with what is in python.files.
                env.registerCachedFile(file, "python");
            }
            Collections.sort(functions);
            read.put("read.functions", String.join(",", functions));
        }
        env.setParallelism(keys.getInt("FLINK_PARALLELISM", 1));
        env.setMaxParallelism(keys.getInt("FLINK_PARALLELISM_MAX", 50));
        env.enableCheckpointing(keys.getLong("FLINK_CHECKPOINT_INTERVAL_MS", 30000));
        env.getConfig().setGlobalJobParameters(keys.mergeWith(ParameterTool.fromMap(read)));
        Counted.build(env, keys.get("SINK_TYPE", "influx"));
        env.execute(keys.get("FLINK_JOB_ID", "SQL Flink job"));
    }

    /** The functions of a Python file, each file of an archive being one. */
    private static List<String> functions(String file) throws Exception {
        List<String> functions = new ArrayList<>();
        if (file.endsWith(".py")) {
            functions.add(file.substring(file.lastIndexOf('/') + 1, file.length() - ".py".length()));
            return functions;
        }
        if (!file.endsWith(".zip")) {
            throw new IllegalArgumentException("Python files should be in .py or .zip format");
        }
        try (ZipFile archive = new ZipFile(file)) {
            for (ZipEntry entry : Collections.list(archive.entries())) {
                if (entry.getName().endsWith(".py")) {
                    String module = entry.getName().replace(".py", "").replace("/", ".");
                    functions.add(module + "." + module.substring(module.lastIndexOf('.') + 1));
                }
            }
        }
        return functions;
    }

    private static void flatten(Map<String, String> read, String path, JsonElement value) {
        if (value.isJsonArray()) {
            for (int i = 0; i < value.getAsJsonArray().size(); i++) {
                flatten(read, path + "." + i, value.getAsJsonArray().get(i));
            }
        } else if (value.isJsonObject()) {
            value.getAsJsonObject().entrySet().forEach(one -> flatten(read, path + "." + one.getKey(), one.getValue()));
        } else {
            read.put(path, value.getAsString());
        }
    }

    /** What is read of the configuration of functions in Python. */
    private static final class PythonConfig {
        @SerializedName("PYTHON_FILES")
        private String files;
    }
}
