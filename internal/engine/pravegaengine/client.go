// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegaengine

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

//go:embed src
var embedded embed.FS

func clientSources() fs.FS {
	// The folder is embedded above: it is there.
	sources, _ := fs.Sub(embedded, "src")
	return sources
}

const (
	clientJar     = "client.jar"
	clientLogging = "logback.xml"
)

// quiet keeps the client library from printing every step.
const quiet = `<configuration><root level="OFF"/></configuration>
`

func clientKey(sources string) string { return "pravega-client-" + Version + "-" + sources }

// Client reads and writes the events of streams, which the REST API cannot.
type Client struct {
	java       string
	classpath  string
	logging    string
	controller string
}

// NewClient returns a client for the controller. It needs what Install has
// put into the cache.
func NewClient(home, controllerURI string, jdk javabuild.JDK) (*Client, error) {
	key, err := javabuild.Key(clientSources())
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(filepath.Dir(home), clientKey(key))
	return &Client{
		java: jdk.Java, classpath: classpath(append(libraries(home), filepath.Join(dir, clientJar))...),
		logging: filepath.Join(dir, clientLogging), controller: controllerURI,
	}, nil
}

// WriteEvents writes n events to the stream and returns when they are stored.
func (c *Client) WriteEvents(ctx context.Context, scope, stream string, n int) error {
	written, err := c.run(ctx, "write", scope, stream, strconv.Itoa(n))
	if err == nil && written != n {
		err = fmt.Errorf("%d of %d events were written to %s/%s", written, n, scope, stream)
	}
	return err
}

// CountEvents counts the events that the stream holds.
func (c *Client) CountEvents(ctx context.Context, scope, stream string) (int, error) {
	return c.run(ctx, "count", scope, stream)
}

func (c *Client) run(ctx context.Context, operation, scope, stream string, more ...string) (int, error) {
	args := []string{
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "--add-opens=java.base/java.lang=ALL-UNNAMED",
		"-Dlogback.configurationFile=" + c.logging, "-classpath", c.classpath,
		"streaming.engine.StreamData", operation, c.controller, scope, stream,
	}
	cmd := exec.CommandContext(ctx, c.java, append(args, more...)...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("%s of %s/%s: %w\n%s", operation, scope, stream, err, complaints.String())
	}
	return parseEvents(out.String())
}

// parseEvents finds the answer among what else the client library prints.
func parseEvents(out string) (int, error) {
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "EVENTS "); ok {
			return strconv.Atoi(strings.TrimSpace(rest))
		}
	}
	return 0, errors.New("the client said nothing of events")
}
