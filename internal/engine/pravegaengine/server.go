// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaengine

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/ports"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/process"
)

// Server is one standalone Pravega. Everything it holds is in memory.
type Server struct {
	Home, RunDir                    string
	Port, ControllerPort            int
	ZooKeeperPort, SegmentStorePort int
	AdminPort, ListenerPort         int
	// Properties are Java system properties of its own.
	Properties map[string]string
	// Secure makes it ask for TLS and passwords; nil for neither.
	Secure *Secure
}

// Access is how the server is reached.
func (s Server) Access() Access {
	access := Access{
		Endpoint:      "http://" + ports.Host + ":" + strconv.Itoa(s.Port),
		ControllerURI: "tcp://" + ports.Host + ":" + strconv.Itoa(s.ControllerPort),
	}
	if s.Secure != nil {
		access.Endpoint = "https" + strings.TrimPrefix(access.Endpoint, "http")
		access.ControllerURI = "tls" + strings.TrimPrefix(access.ControllerURI, "tcp")
		access.CAFile, access.Users = s.Secure.CAFile(), s.Secure.Users
	}
	return access
}

// Prepare writes the configuration and says how the server is started.
func (s Server) Prepare(jdk javabuild.JDK) (process.Spec, error) {
	dir := filepath.Join(s.RunDir, "pravega")
	tmp := filepath.Join(dir, "tmp")
	logFile := filepath.Join(s.RunDir, "log", "pravega.log")
	if err := errors.Join(os.MkdirAll(tmp, 0o755), os.MkdirAll(filepath.Dir(logFile), 0o755)); err != nil {
		return process.Spec{}, err
	}
	properties, logging := filepath.Join(dir, "standalone.properties"), filepath.Join(dir, "logback.xml")
	err := errors.Join(
		os.WriteFile(properties, nil, 0o644),
		os.WriteFile(logging, []byte(logback), 0o644),
	)
	if err != nil {
		return process.Spec{}, err
	}
	args := []string{
		"-Xms128m", "-Xmx768m", "-XX:MaxDirectMemorySize=1g", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC",
		// The REST server's XML binding reaches into java.lang.
		"--add-opens=java.base/java.lang=ALL-UNNAMED",
		"-Djava.io.tmpdir=" + tmp,
		"-Dlog.file=" + logFile,
		"-Dlogback.configurationFile=" + logging,
		"-Dsinglenode.configurationFile=" + properties,
		// The controller listens on all interfaces whatever one sets.
		"-Dpravegaservice.service.listener.host.nameOrIp=" + ports.Host,
		"-Dpravegaservice.rest.listener.port=" + strconv.Itoa(s.ListenerPort),
	}
	for _, setting := range []struct {
		key  string
		port int
	}{
		{"controller.rest.port", s.Port},
		{"controller.rpc.port", s.ControllerPort},
		{"zk.port", s.ZooKeeperPort},
		{"segmentStore.port", s.SegmentStorePort},
		{"admin.gateway.port", s.AdminPort},
	} {
		args = append(args, fmt.Sprintf("-Dsinglenode.%s=%d", setting.key, setting.port))
	}
	if s.Secure != nil {
		settings := s.Secure.settings()
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			args = append(args, "-Dsinglenode."+key+"="+settings[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
		args = append(args, "-D"+key+"="+s.Properties[key])
	}
	args = append(args, "-classpath", classpath(libraries(s.Home)...), "io.pravega.local.LocalPravegaEmulator")
	return process.Spec{
		Name: "pravega", Path: jdk.Java, Args: args, Dir: dir, Owner: s.RunDir,
		OutFile: filepath.Join(s.RunDir, "log", "pravega.out"), LogFile: logFile,
	}, nil
}

const logback = `<configuration>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>${log.file}</file>
    <encoder><pattern>%d [%thread] %-5level %logger{36} - %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="FILE"/></root>
</configuration>
`
