// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkengine

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/ports"
)

// Cluster is one session cluster: where it lives and how it is configured.
type Cluster struct {
	Home        Home
	RunDir      string
	Port        int
	RPCPort     int
	GatewayPort int
	Slots       int
	// Python is the interpreter with PyFlink, "" for a cluster without Python.
	Python string
	// Conf holds settings that are added to ours or replace them.
	Conf map[string]string
}

// Endpoint is the base URL of the JobManager's REST API.
func (c Cluster) Endpoint() string { return url(c.Port) }

// GatewayEndpoint is the base URL of the SQL gateway's REST API, "" where this
// version has none.
func (c Cluster) GatewayEndpoint() string {
	if !c.Home.HasGateway() {
		return ""
	}
	return url(c.GatewayPort)
}

func url(port int) string { return "http://" + ports.Host + ":" + strconv.Itoa(port) }

// CheckpointDir is the cluster's checkpoint directory on disk.
func (c Cluster) CheckpointDir() string { return filepath.Join(c.RunDir, "checkpoints") }

// SavepointDir is the cluster's savepoint directory on disk.
func (c Cluster) SavepointDir() string { return filepath.Join(c.RunDir, "savepoints") }

// UploadDir is where the JobManager keeps uploaded jars.
func (c Cluster) UploadDir() string {
	return filepath.Join(c.RunDir, "upload", "flink-web-upload")
}

func (c Cluster) confDir() string { return filepath.Join(c.RunDir, "conf") }
func (c Cluster) logDir() string  { return filepath.Join(c.RunDir, "log") }
func (c Cluster) tmpDir() string  { return filepath.Join(c.RunDir, "tmp") }

// Prepare writes the configuration and makes the directories it names.
func (c Cluster) Prepare() error {
	for _, dir := range []string{
		c.confDir(), c.logDir(), c.tmpDir(), c.CheckpointDir(), c.SavepointDir(), filepath.Dir(c.UploadDir()),
	} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	return errors.Join(
		os.WriteFile(filepath.Join(c.confDir(), c.confFile()), []byte(c.render()), 0o644),
		os.WriteFile(filepath.Join(c.confDir(), "log4j.properties"), []byte(log4j), 0o644),
	)
}

// confFile is the name of the configuration's file.
func (c Cluster) confFile() string {
	if releases[c.Home.Version].earlier {
		return "flink-conf.yaml"
	}
	return "config.yaml"
}

// render returns the configuration: one flat key a line, no key twice (Flink
// refuses to start on that). Each value is quoted in config.yaml; in the earlier
// flink-conf.yaml, which is no YAML, quotes would be part of the value.
func (c Cluster) render() string {
	settings := c.settings()
	maps.Copy(settings, c.Conf)
	var out strings.Builder
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if releases[c.Home.Version].earlier {
			fmt.Fprintf(&out, "%s: %s\n", key, settings[key])
			continue
		}
		// A JSON string is a YAML string. Marshalling a string cannot fail.
		value, _ := json.Marshal(settings[key])
		fmt.Fprintf(&out, "%s: %s\n", key, value)
	}
	return out.String()
}

func (c Cluster) settings() map[string]string {
	port, gateway := strconv.Itoa(c.Port), strconv.Itoa(c.GatewayPort)
	settings := map[string]string{
		"jobmanager.rpc.address":         ports.Host,
		"jobmanager.bind-host":           ports.Host,
		"jobmanager.rpc.port":            strconv.Itoa(c.RPCPort),
		"jobmanager.memory.process.size": "1024m",

		"taskmanager.host":                ports.Host,
		"taskmanager.bind-host":           ports.Host,
		"taskmanager.resource-id":         "taskmanager",
		"taskmanager.numberOfTaskSlots":   strconv.Itoa(c.Slots),
		"taskmanager.memory.process.size": "1536m",
		// Each submission brings a class loader of its own, and the old ones go
		// late. The jobs of tests need no managed memory to speak of.
		"taskmanager.memory.jvm-metaspace.size": "512m",
		"taskmanager.memory.managed.size":       "128m",

		// A TaskManager looks for a new JobManager only when the heartbeat of the
		// old one has timed out: 50 seconds by default. Tests do not wait so long.
		"heartbeat.interval": "2000",
		"heartbeat.timeout":  "20000",
		// A standalone cluster younger than slot.request.timeout, five minutes,
		// lets a job wait for slots that will never come.
		"resourcemanager.standalone.start-up-time":        "1000",
		"cluster.registration.error-delay":                "500",
		"cluster.registration.refused-registration-delay": "1000",
		"cluster.registration.max-timeout":                "2000",

		"parallelism.default": "1",
		"rest.address":        ports.Host,
		"rest.bind-address":   ports.Host,
		"rest.port":           port,
		"rest.bind-port":      port,
		"web.submit.enable":   "true",
		"web.cancel.enable":   "true",
		"web.upload.dir":      filepath.Dir(c.UploadDir()),
		"io.tmp.dirs":         c.tmpDir(),
	}
	checkpoints, savepoints := "execution.checkpointing.dir", "execution.checkpointing.savepoint-dir"
	if releases[c.Home.Version].earlier {
		checkpoints, savepoints = "state.checkpoints.dir", "state.savepoints.dir"
	}
	settings[checkpoints], settings[savepoints] = "file://"+c.CheckpointDir(), "file://"+c.SavepointDir()
	maps.Copy(settings, c.pythonSettings())
	if c.Home.HasGateway() {
		// The gateway reads the same file: without a bind port of its own it
		// would take the JobManager's.
		maps.Copy(settings, map[string]string{
			"sql-gateway.endpoint.rest.address":      ports.Host,
			"sql-gateway.endpoint.rest.bind-address": ports.Host,
			"sql-gateway.endpoint.rest.port":         gateway,
			"sql-gateway.endpoint.rest.bind-port":    gateway,
		})
	}
	return settings
}

// log4j sends everything from INFO on to the file that the process is given.
const log4j = `monitorInterval = 0
rootLogger.level = INFO
rootLogger.appenderRef.file.ref = File
appender.file.name = File
appender.file.type = RollingFile
appender.file.append = true
appender.file.fileName = ${sys:log.file}
appender.file.filePattern = ${sys:log.file}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %c{1} - %m%n
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 50MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 3
logger.netty.name = org.jboss.netty.channel.DefaultChannelPipeline
logger.netty.level = OFF
`
