// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package jvmcheck hands what the provider renders to the classes with which
// the engines themselves read it. It needs a JDK and Maven, and no engine that
// runs.
//
// An engine is added with a case in a test: the name of a reader below src, its
// input, and what it has to read.
package jvmcheck

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/install"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/engine/javabuild"
)

// World is a set of jars that belong together.
type World struct {
	// Name is that of the set in the cache.
	Name string
	// Artifacts are Maven's, as group:artifact:version. What they depend on comes
	// along, unless Bare says that it does not.
	Artifacts []string
	Bare      bool
}

// The worlds. What Flink 1.14 has is what Dagger is built with; StreamPark asks
// for half of Hadoop, which the classes in question do not need.
var (
	Flink114 = World{Name: "flink-1.14.3", Artifacts: []string{
		"org.apache.flink:flink-java:1.14.3", "com.google.code.gson:gson:2.8.2", "org.yaml:snakeyaml:1.33",
	}}
	Flink120 = World{Name: "flink-1.20.0", Artifacts: []string{
		"org.apache.flink:flink-java:1.20.0", "com.google.code.gson:gson:2.8.2", "org.yaml:snakeyaml:1.33",
	}}
	StreamPark = World{Name: "streampark-2.0.0", Bare: true, Artifacts: []string{
		"org.apache.streampark:streampark-common_2.12:2.0.0", "org.scala-lang:scala-library:2.12.8",
		"org.yaml:snakeyaml:1.32", "com.typesafe:config:1.4.2", "org.slf4j:slf4j-api:1.7.36",
	}}
)

// Call is one thing to read.
type Call struct {
	// Reader is the name of a class of src.
	Reader string
	Input  []string
}

// Answer is what was read, or why nothing was.
type Answer struct {
	Fields []string
	Error  string
}

//go:embed src
var sources embed.FS

// JVM runs readers.
type JVM struct {
	jdk   javabuild.JDK
	cache install.Cache
	// program is the jar of the readers.
	program string
}

// Prepare compiles the readers, unless it was done before.
func Prepare(ctx context.Context, log io.Writer) (*JVM, error) {
	jdk, err := javabuild.FindJDK(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := install.DefaultDir()
	if err != nil {
		return nil, err
	}
	jvm := &JVM{jdk: jdk, cache: install.Cache{Dir: dir, Log: log}}
	src, err := fs.Sub(sources, "src")
	if err != nil {
		return nil, err
	}
	key, err := javabuild.Key(src)
	if err != nil {
		return nil, err
	}
	made, err := jvm.cache.Once(ctx, "jvmcheck-readers-"+key, func(ctx context.Context, dir string) error {
		var classpath []string
		for _, world := range []World{Flink114, StreamPark} {
			jars, err := jvm.Jars(ctx, world)
			if err != nil {
				return err
			}
			classpath = append(classpath, jars...)
		}
		jar, err := javabuild.Build{Sources: []fs.FS{src}, Classpath: classpath, Release: 11}.Jar(ctx, jdk)
		if err != nil {
			return err
		}
		return javabuild.WriteFile(filepath.Join(dir, "readers.jar"), jar)
	})
	jvm.program = filepath.Join(made, "readers.jar")
	return jvm, err
}

// Jars are those of a world, fetched if they are not in the cache.
func (j *JVM) Jars(ctx context.Context, world World) ([]string, error) {
	pom, err := world.project()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(pom)
	dir, err := j.cache.Once(ctx, "jvmcheck-"+world.Name+"-"+hex.EncodeToString(sum[:4]), func(ctx context.Context, dir string) error {
		_, _ = fmt.Fprintf(j.cache.Log, "fetching the jars of %s\n", world.Name)
		file := filepath.Join(dir, "pom.xml")
		if err := os.WriteFile(file, pom, 0o600); err != nil {
			return err
		}
		return install.MavenClosure(ctx, filepath.Join(dir, "lib"), file)
	})
	if err != nil {
		return nil, fmt.Errorf("fetch the jars of %s: %w", world.Name, err)
	}
	jars, err := filepath.Glob(filepath.Join(dir, "lib", "*.jar"))
	slices.Sort(jars)
	return jars, err
}

type project struct {
	XMLName      xml.Name     `xml:"project"`
	Model        string       `xml:"modelVersion"`
	Group        string       `xml:"groupId"`
	Artifact     string       `xml:"artifactId"`
	Version      string       `xml:"version"`
	Dependencies []dependency `xml:"dependencies>dependency"`
}

type dependency struct {
	Group      string      `xml:"groupId"`
	Artifact   string      `xml:"artifactId"`
	Version    string      `xml:"version"`
	Exclusions []exclusion `xml:"exclusions>exclusion"`
}

type exclusion struct {
	Group    string `xml:"groupId"`
	Artifact string `xml:"artifactId"`
}

// project is a project of Maven's that needs the artifacts.
func (w World) project() ([]byte, error) {
	p := project{Model: "4.0.0", Group: "streaming", Artifact: w.Name, Version: "1"}
	for _, artifact := range w.Artifacts {
		parts := strings.Split(artifact, ":")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%q is not group:artifact:version", artifact)
		}
		d := dependency{Group: parts[0], Artifact: parts[1], Version: parts[2]}
		if w.Bare {
			d.Exclusions = []exclusion{{Group: "*", Artifact: "*"}}
		}
		p.Dependencies = append(p.Dependencies, d)
	}
	return xml.MarshalIndent(p, "", "  ")
}

// Read lets the classes of a world read, and returns an answer to each call.
func (j *JVM) Read(ctx context.Context, world World, calls []Call) ([]Answer, error) {
	jars, err := j.Jars(ctx, world)
	if err != nil {
		return nil, err
	}
	var in, out, errs bytes.Buffer
	for _, call := range calls {
		in.WriteString(call.Reader)
		for _, field := range call.Input {
			in.WriteString("\t" + escaped(field))
		}
		in.WriteByte('\n')
	}
	classpath := strings.Join(append([]string{j.program}, jars...), string(os.PathListSeparator))
	cmd := exec.CommandContext(ctx, j.jdk.Java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", "-cp", classpath, "streaming.jvmcheck.Main")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("java: %w\n%s", err, errs.String())
	}
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(out.String(), "\r\n", "\n"), "\n"), "\n")
	if len(lines) != len(calls) {
		return nil, fmt.Errorf("%d answers to %d calls", len(lines), len(calls))
	}
	answers := make([]Answer, 0, len(lines))
	for _, line := range lines {
		answers = append(answers, answer(line))
	}
	return answers, nil
}

func answer(line string) Answer {
	fields := strings.Split(line, "\t")
	for i, field := range fields {
		fields[i] = unescaped(field)
	}
	if fields[0] == "ok" {
		return Answer{Fields: fields[1:]}
	}
	return Answer{Error: strings.Join(fields[1:], " ")}
}

// escaped is a text in ASCII on one line.
func escaped(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		if unit < ' ' || unit > '~' || unit == '\\' {
			_, _ = fmt.Fprintf(&out, `\u%04x`, unit)
		} else {
			out.WriteByte(byte(unit))
		}
	}
	return out.String()
}

func unescaped(text string) string {
	var units []uint16
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+6 > len(text) {
			units = append(units, uint16(text[i]))
			continue
		}
		unit, err := strconv.ParseUint(text[i+2:i+6], 16, 16)
		if err != nil {
			unit = 0xfffd
		}
		units = append(units, uint16(unit))
		i += 5
	}
	return string(utf16.Decode(units))
}
