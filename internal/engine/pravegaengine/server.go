// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaengine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

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
}

// Endpoint is the base URL of the REST API, without /v1.
func (s Server) Endpoint() string { return "http://" + ports.Host + ":" + strconv.Itoa(s.Port) }

// ControllerURI is what Pravega clients connect to.
func (s Server) ControllerURI() string {
	return "tcp://" + ports.Host + ":" + strconv.Itoa(s.ControllerPort)
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

// Ready reports whether the REST API lists scopes. That it answers a ping says
// nothing: the controller behind it may still be down.
func Ready(ctx context.Context, endpoint string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint+"/v1/scopes", http.NoBody)
	if err != nil {
		return err
	}
	response, err := httpClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s/v1/scopes: %s", endpoint, response.Status)
	}
	return nil
}

var httpClient = &http.Client{Timeout: 5 * time.Second}
