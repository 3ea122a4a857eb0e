// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// Prefixes of keys in the current layout.
const (
	optionPrefix     = "flink.option."
	propertyPrefix   = "flink.property."
	tablePrefix      = "flink.table."
	deploymentPrefix = "flink.deployment."
	appPrefix        = "app."
	sqlPrefix        = "sql."
)

// Arguments that the client reads.
const (
	argConf = "--conf"
	argSQL  = "--sql"
	argName = "--app.name"
	yamlURI = "yaml://"
)

const nameKey = propertyPrefix + "pipeline.name"

// Rendered is what the program is given, before it is packed.
type Rendered struct {
	// Configuration is the text of application.yml.
	Configuration string
	SQL, Name     string
	Args          []string
}

// Render makes the texts. Variables are left where they are: see Resolved.
// What is not known yet is left out.
func Render(d Document) Rendered {
	flat := map[string]string{}
	put := func(key, value string) {
		// StreamPark 2.1 drops blanks around a value, and 2.0 keeps them.
		if value = flinkvalue.Trim(value); value != "" {
			flat[d.Layout.key(key)] = value
		}
	}
	put(nameKey, d.Name)
	for attribute, value := range d.Values {
		if row, ok := Lookup(attribute); ok && row.Elsewhere == "" {
			put("flink."+row.Key, value)
		}
	}
	for key, value := range d.Extra {
		put(key, value)
	}
	for id, statements := range d.Statements {
		put(sqlPrefix+id, statements)
	}
	return Rendered{Configuration: writeYAML(flat), SQL: d.SQL, Name: d.Name, Args: d.Args}
}

// key is a key of the current layout in this one.
func (l Layout) key(key string) string {
	if l == Deployment && (strings.HasPrefix(key, optionPrefix) || strings.HasPrefix(key, propertyPrefix)) {
		return deploymentPrefix + strings.TrimPrefix(key, "flink.")
	}
	return key
}

// Arguments are those of the program's main method.
func (r Rendered) Arguments() []string {
	arguments := append([]string(nil), r.Args...)
	arguments = append(arguments, argConf, yamlURI+pack(r.Configuration))
	if r.SQL != "" {
		arguments = append(arguments, argSQL, pack(r.SQL))
	}
	return append(arguments, argName, pack(r.Name))
}

// Text is what the engine reads, for people.
func (r Rendered) Text() string {
	var text strings.Builder
	section := func(title, content string) {
		if content == "" {
			return
		}
		fmt.Fprintf(&text, "# %s\n%s", title, content)
		if !strings.HasSuffix(content, "\n") {
			text.WriteByte('\n')
		}
	}
	section("arguments", strings.Join(r.Args, "\n"))
	section(argConf, r.Configuration)
	section(argSQL, r.SQL)
	section(argName, r.Name)
	return text.String()
}

// Fingerprint tells two programs apart. Packed texts are no measure: the same
// text may be packed into other bytes by another release of Go.
func (r Rendered) Fingerprint() []string {
	return append([]string{"streampark", r.Configuration, r.SQL, r.Name}, r.Args...)
}

// pack is what StreamPark's DeflaterUtils makes of a text.
func pack(text string) string {
	var packed bytes.Buffer
	// Neither can fail: the level is one of those that there are, and a buffer
	// takes what it is given.
	writer, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	_, _ = io.WriteString(writer, text)
	_ = writer.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}

// maxText is how much is unpacked at the most.
const maxText = 64 << 20

// Unpack reads what StreamPark packed: the value of --conf, --sql or --app.name.
func Unpack(argument string) (string, error) {
	packed, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(argument, yamlURI))
	if err != nil {
		return "", fmt.Errorf("no base-64: %w", err)
	}
	reader, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", fmt.Errorf("nothing that was deflated: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(reader, maxText))
	if err != nil {
		return "", fmt.Errorf("not whole: %w", err)
	}
	return string(text), nil
}
