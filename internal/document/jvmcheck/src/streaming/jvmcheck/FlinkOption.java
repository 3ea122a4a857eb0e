// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streaming.jvmcheck;

import java.util.List;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ConfigOptions.OptionBuilder;
import org.apache.flink.configuration.Configuration;

/** A value of a type, as a configuration with that text gives it. */
final class FlinkOption implements Reader {
    @Override
    public List<String> read(String[] input) {
        Configuration configuration = new Configuration();
        configuration.setString("a.b", input[1]);
        OptionBuilder key = ConfigOptions.key("a.b");
        switch (input[0]) {
            case "Boolean":
                return List.of(String.valueOf(configuration.get(key.booleanType().noDefaultValue())));
            case "Integer":
                return List.of(String.valueOf(configuration.get(key.intType().noDefaultValue())));
            case "Long":
                return List.of(String.valueOf(configuration.get(key.longType().noDefaultValue())));
            case "Double":
                return List.of(String.valueOf(configuration.get(key.doubleType().noDefaultValue())));
            case "Float":
                return List.of(String.valueOf(configuration.get(key.floatType().noDefaultValue())));
            case "Duration":
                return List.of(FlinkDuration.nanos(configuration.get(key.durationType().noDefaultValue())));
            case "MemorySize":
                return List.of(String.valueOf(configuration.get(key.memoryType().noDefaultValue()).getBytes()));
            case "List<String>":
                return configuration.get(key.stringType().asList().noDefaultValue());
            default:
                return List.of(configuration.get(key.stringType().noDefaultValue()));
        }
    }
}
