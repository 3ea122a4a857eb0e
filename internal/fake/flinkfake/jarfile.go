// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Jar makes a tiny jar with the main class in its manifest and an empty entry for every program that the fake
// knows by itself. Different extra texts make different contents, and so different hashes; the same ones the same.
func Jar(mainClass string, extra ...string) []byte {
	manifest := "Manifest-Version: 1.0\r\n"
	if mainClass != "" {
		manifest += "Main-Class: " + mainClass + "\r\n"
	}
	classes := append([]string{}, defaultClasses...)
	if mainClass != "" && !slices.Contains(classes, mainClass) {
		classes = append(classes, mainClass)
	}
	return zipOf(manifest+"\r\n", classes, extra)
}

func zipOf(manifest string, classes, extra []string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name, content string) {
		f, err := w.CreateHeader(&zip.FileHeader{
			Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		if err != nil {
			panic(err) // A zip in memory cannot fail.
		}
	}
	add("META-INF/MANIFEST.MF", manifest)
	for _, c := range classes {
		add(strings.ReplaceAll(c, ".", "/")+".class", "")
	}
	for i, e := range extra {
		add(fmt.Sprintf("extra/%d.txt", i), e)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// jarContent is what the JobManager can see in a jar.
type jarContent struct {
	mainClass      string
	programClasses []string
	files          map[string]bool
}

// readJar looks into the bytes of an upload. Anything that is no zip has no entries, as for the real engine.
func readJar(data []byte) (jarContent, bool) {
	c := jarContent{files: map[string]bool{}}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return c, false
	}
	for _, f := range r.File {
		c.files[f.Name] = true
		if f.Name != "META-INF/MANIFEST.MF" {
			continue
		}
		rc, err := f.Open()
		if err != nil {
			continue
		}
		var b bytes.Buffer
		_, err = b.ReadFrom(rc)
		_ = rc.Close()
		if err == nil {
			c.readManifest(b.String())
		}
	}
	return c, true
}

// readManifest takes the two attributes that Flink looks at; a line that starts with a space continues the last.
func (c *jarContent) readManifest(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\n ", "")
	for l := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(l, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(key) {
		case "main-class":
			c.mainClass = value
		case "program-class":
			for p := range strings.SplitSeq(value, ",") {
				c.programClasses = append(c.programClasses, strings.TrimSpace(p))
			}
		}
	}
}

// entries lists the classes that GET /jars shows: those of program-class, else the main class.
func (c *jarContent) entries() []string {
	if len(c.programClasses) > 0 {
		return c.programClasses
	}
	if c.mainClass != "" {
		return []string{c.mainClass}
	}
	return nil
}

// has tells whether the class is in the jar.
func (c *jarContent) has(class string) bool {
	return c.files[strings.ReplaceAll(class, ".", "/")+".class"]
}
