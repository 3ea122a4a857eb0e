// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkengine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// The processes of a cluster.
const (
	JobManager  = "jobmanager"
	TaskManager = "taskmanager"
	Gateway     = "sql-gateway"
)

// moduleFlags open what Flink reaches into on Java 17 and later.
func moduleFlags(javaVersion int) []string {
	var flags []string
	for _, name := range []string{
		// Flink 1.14, which knows nothing of Java 17, needs the first one too.
		"java.base/sun.net.util",
		"java.rmi/sun.rmi.registry", "java.security.jgss/sun.security.krb5",
		"jdk.compiler/com.sun.tools.javac.api", "jdk.compiler/com.sun.tools.javac.file",
		"jdk.compiler/com.sun.tools.javac.parser", "jdk.compiler/com.sun.tools.javac.tree",
		"jdk.compiler/com.sun.tools.javac.util",
	} {
		flags = append(flags, "--add-exports="+name+"=ALL-UNNAMED")
	}
	for _, name := range []string{
		"lang", "lang.reflect", "io", "net", "nio", "text", "time",
		"util", "util.concurrent", "util.concurrent.atomic", "util.concurrent.locks",
	} {
		flags = append(flags, "--add-opens=java.base/java."+name+"=ALL-UNNAMED")
	}
	flags = append(flags, "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
	// Flink sets a security manager, which Java 18 to 23 allow on request only.
	if javaVersion > 17 && javaVersion < 24 {
		flags = append(flags, "-Djava.security.manager=allow")
	}
	return flags
}

// JobManagerSpec says how the JobManager is started.
func (c Cluster) JobManagerSpec(ctx context.Context, jdk javabuild.JDK) (process.Spec, error) {
	jvm, dynamic, err := c.resources(ctx, jdk, "GET_JM_RESOURCE_PARAMS")
	if err != nil {
		return process.Spec{}, err
	}
	args := append([]string{"--configDir", c.confDir()}, dynamic...)
	return c.spec(jdk, JobManager, jvm, c.Home.Libraries(),
		"org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", args), nil
}

// TaskManagerSpec says how the TaskManager is started.
func (c Cluster) TaskManagerSpec(ctx context.Context, jdk javabuild.JDK) (process.Spec, error) {
	jvm, dynamic, err := c.resources(ctx, jdk, "GET_TM_RESOURCE_PARAMS")
	if err != nil {
		return process.Spec{}, err
	}
	args := append([]string{"--configDir", c.confDir()}, dynamic...)
	return c.spec(jdk, TaskManager, jvm, c.Home.Libraries(),
		"org.apache.flink.runtime.taskexecutor.TaskManagerRunner", args), nil
}

// GatewaySpec says how the SQL gateway is started.
func (c Cluster) GatewaySpec(jdk javabuild.JDK) process.Spec {
	classpath := append(c.Home.Libraries(), c.Home.gatewayJars()...)
	classpath = append(classpath, c.Home.pythonJars()...)
	return c.spec(jdk, Gateway, []string{"-Xmx512m"}, classpath, "org.apache.flink.table.gateway.SqlGateway", nil)
}

func (c Cluster) spec(jdk javabuild.JDK, name string, jvm, classpath []string, main string, args []string) process.Spec {
	log := filepath.Join(c.logDir(), name+".log")
	// The serial collector needs the fewest threads and the least memory.
	all := append([]string{"-XX:+UseSerialGC"}, jvm...)
	all = append(all, moduleFlags(jdk.Version)...)
	all = append(all,
		"-Dlog.file="+log, "-Dlog4j.configurationFile=file:"+filepath.Join(c.confDir(), "log4j.properties"),
		"-Djava.io.tmpdir="+c.tmpDir(),
		"-classpath", strings.Join(classpath, string(os.PathListSeparator)), main)
	return process.Spec{
		Name: name, Path: jdk.Java, Args: append(all, args...), Dir: c.RunDir, Owner: c.RunDir,
		OutFile: filepath.Join(c.logDir(), name+".out"), LogFile: log,
		Env: map[string]string{
			"FLINK_CONF_DIR":    c.confDir(),
			"FLINK_LIB_DIR":     filepath.Join(c.Home.Dir, "lib"),
			"FLINK_OPT_DIR":     filepath.Join(c.Home.Dir, "opt"),
			"FLINK_PLUGINS_DIR": filepath.Join(c.Home.Dir, "plugins"),
		},
	}
}

// resultPrefix marks the lines of the helper's output that are meant to be read.
const resultPrefix = "BASH_JAVA_UTILS_EXEC_RESULT:"

// resources asks the helper that Flink's own scripts ask how the configured
// memory is split: it returns flags for the JVM and arguments for main.
func (c Cluster) resources(ctx context.Context, jdk javabuild.JDK, command string) (jvm, dynamic []string, err error) {
	classpath := filepath.Join(c.Home.Dir, "bin", "bash-java-utils.jar") + string(os.PathListSeparator) + c.Home.dist()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, jdk.Java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-classpath", classpath,
		"org.apache.flink.runtime.util.bash.BashJavaUtils", command, "--configDir", c.confDir())
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("Flink refuses its configuration: %s", refusal(string(out)+stderr.String(), err))
	}
	return parseResources(string(out))
}

// refusal finds the message of the exception that ended the helper, without
// its stack and without the settings that it lists before.
func refusal(output string, err error) string {
	for line := range strings.Lines(output) {
		if _, rest, ok := strings.Cut(line, `Exception in thread "main" `); ok {
			return strings.TrimSpace(rest)
		}
	}
	return err.Error() + "\n" + strings.TrimSpace(output)
}

func parseResources(out string) (jvm, dynamic []string, err error) {
	var results []string
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, resultPrefix); ok {
			results = append(results, rest)
		}
	}
	if len(results) != 2 {
		return nil, nil, fmt.Errorf("Flink's memory configuration is unreadable:\n%s", strings.TrimSpace(out))
	}
	return strings.Fields(results[0]), strings.Fields(results[1]), nil
}
