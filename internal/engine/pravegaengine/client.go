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
	"math"
	"os"
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

// clientPrograms is where what Install built from src is: its directory, and
// the classpath to run it with.
func clientPrograms(home string) (dir, path string, err error) {
	key, err := javabuild.Key(clientSources())
	if err != nil {
		return "", "", err
	}
	dir = filepath.Join(filepath.Dir(home), clientKey(key))
	return dir, classpath(append(libraries(home), filepath.Join(dir, clientJar))...), nil
}

// Client does to streams what the REST API cannot.
type Client struct {
	java      string
	classpath string
	logging   string
	access    Access
}

// NewClient returns a client of the server. It needs what Install has put into
// the cache.
func NewClient(home string, access Access, jdk javabuild.JDK) (*Client, error) {
	dir, path, err := clientPrograms(home)
	if err != nil {
		return nil, err
	}
	return &Client{java: jdk.Java, classpath: path, logging: filepath.Join(dir, clientLogging), access: access}, nil
}

// WriteEvents writes n events to the stream and returns when they are stored.
func (c *Client) WriteEvents(ctx context.Context, scope, stream string, n int) error {
	written, err := c.run(ctx, "write", scope, stream, strconv.Itoa(n))
	if err == nil && written != strconv.Itoa(n) {
		err = fmt.Errorf("%s of %d events were written to %s/%s", written, n, scope, stream)
	}
	return err
}

// CountEvents counts the events that the stream holds.
func (c *Client) CountEvents(ctx context.Context, scope, stream string) (int, error) {
	text, err := c.run(ctx, "count", scope, stream)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// Retention is a stream's retention as the server has it.
type Retention struct {
	// Type is TIME or SIZE, empty for none.
	Type string
	// Param and Max are in milliseconds or bytes; Max is the largest number for none.
	Param, Max int64
}

// NoMaximum is the Max of a retention that has none.
const NoMaximum = math.MaxInt64

// SetRetention sets a retention, to the millisecond or byte.
func (c *Client) SetRetention(ctx context.Context, scope, stream string, r Retention) error {
	return c.must(ctx, "retain", scope, stream, r.Type, strconv.FormatInt(r.Param, 10), strconv.FormatInt(r.Max, 10))
}

// Retention reads the retention.
func (c *Client) Retention(ctx context.Context, scope, stream string) (Retention, error) {
	text, err := c.run(ctx, "retention", scope, stream)
	if err != nil || text == "none" {
		return Retention{}, err
	}
	var r Retention
	if _, err := fmt.Sscanf(text, "%s %d %d", &r.Type, &r.Param, &r.Max); err != nil {
		return Retention{}, fmt.Errorf("%q is no retention: %w", text, err)
	}
	return r, nil
}

// CreateReaderGroup makes a reader group of one stream.
func (c *Client) CreateReaderGroup(ctx context.Context, scope, group, stream string) error {
	return c.must(ctx, "group", scope, group, stream)
}

// CreateTable makes a key-value table, of which REST knows nothing.
func (c *Client) CreateTable(ctx context.Context, scope, table string) error {
	return c.must(ctx, "table", scope, table)
}

// must runs an operation that answers whether it did anything.
func (c *Client) must(ctx context.Context, operation, scope, name string, more ...string) error {
	text, err := c.run(ctx, operation, scope, name, more...)
	if err == nil && text != "true" {
		err = fmt.Errorf("%s of %s/%s: %s", operation, scope, name, text)
	}
	return err
}

func (c *Client) run(ctx context.Context, operation, scope, name string, more ...string) (string, error) {
	args := []string{
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "--add-opens=java.base/java.lang=ALL-UNNAMED",
		"-Dlogback.configurationFile=" + c.logging, "-classpath", c.classpath,
		"streaming.engine.StreamData", operation, c.access.ControllerURI, scope, name,
	}
	cmd := exec.CommandContext(ctx, c.java, append(args, more...)...)
	if admin := c.access.User(UserAdmin); admin != nil {
		cmd.Env = append(os.Environ(), "STREAMING_PRAVEGA_USERNAME="+admin.Name, "STREAMING_PRAVEGA_PASSWORD="+admin.Password, "STREAMING_PRAVEGA_CA_FILE="+c.access.CAFile)
	}
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s of %s/%s: %w\n%s", operation, scope, name, err, complaints.String())
	}
	return parseAnswer(out.String())
}

// parseAnswer finds the answer among what else the client library prints.
func parseAnswer(out string) (string, error) {
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "ANSWER "); ok {
			return strings.TrimSpace(rest), nil
		}
	}
	return "", errors.New("the client said nothing")
}
