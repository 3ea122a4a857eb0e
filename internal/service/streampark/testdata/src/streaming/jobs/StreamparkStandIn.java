// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jobs;

import java.util.Map;
import org.apache.flink.api.java.utils.ParameterTool;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.streampark.common.util.DeflaterUtils;
import org.apache.streampark.common.util.PropertiesUtils;

/**
 * Stands in for StreamPark's client: it unpacks its arguments with StreamPark's own classes, gives
 * Flink what is below flink.property, and counts where the client would run the SQL. The job shows
 * what it was given as its parameters.
 */
public final class StreamparkStandIn {
    private static final String CONF = "yaml://";
    private static final String PROPERTY = "flink.property.";

    private StreamparkStandIn() {}

    public static void main(String[] args) throws Exception {
        Map<String, String> given = ParameterTool.fromArgs(args).toMap();
        Configuration shown = new Configuration();
        given.forEach(shown::setString);
        for (String packed : new String[] {"sql", "app.name"}) {
            if (given.containsKey(packed)) {
                shown.setString(packed, DeflaterUtils.unzipString(given.get(packed)));
            }
        }
        if (!given.getOrDefault("conf", "").startsWith(CONF)) {
            throw new IllegalArgumentException("--conf " + CONF + "... is wanted");
        }
        Configuration properties = new Configuration();
        PropertiesUtils.fromYamlTextAsJava(DeflaterUtils.unzipString(given.get("conf").substring(CONF.length())))
                .forEach(
                        (key, value) -> {
                            shown.setString(key, value);
                            if (key.startsWith(PROPERTY)) {
                                properties.setString(key.substring(PROPERTY.length()), value);
                            }
                        });

        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(properties);
        env.getConfig().setGlobalJobParameters(shown);
        Counter.build(env, new Arguments(args));
        env.execute(shown.getString("app.name", null));
    }
}
