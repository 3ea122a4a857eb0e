// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package groot

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkoptions"
)

// flink looks at Flink's options one by one.
func (c *checker) flink() {
	for _, key := range slices.Sorted(maps.Keys(c.document.Flink)) {
		value := c.document.Flink[key]
		add := func(severity Severity, summary, detail string) {
			c.add(severity, EnvName, FlinkName, summary, detail).Key = key
		}
		version := c.around.FlinkVersion
		kind, _ := flinkoptions.TypeOf(version, key)
		switch {
		case strings.HasPrefix(key, FlinkPrefix):
			add(Refused, "Key "+key+" begins with flink. twice", "Flink's own key is wanted here, and flink. is put before it.")
		case strings.TrimSpace(key) != key || key == "":
			add(Refused, fmt.Sprintf("Key %q is empty, or begins or ends with a blank", key), "Nothing reads such a key.")
		case !flinkoptions.Valid(version, key, value) || !readable(kind, value):
			add(Refused, fmt.Sprintf("Flink cannot read the value of %s", key), fmt.Sprintf("%q is not %s.", value, kinds[kind]))
		case (key == "restart-strategy" || key == "restart-strategy.type") && strategyOf(value) == "":
			add(Refused, "Flink has no restart strategy "+strconv.Quote(value), "It has "+strings.Join(slices.Concat(strategies...), ", ")+".")
		case removed(version, key) != "":
			add(Warned, fmt.Sprintf("Flink %s has no option %s", version, key), fmt.Sprintf("Flink %s had it. It has no effect now, unless the program itself reads it.", removed(version, key)))
		case flinkoptions.OfCluster(version, key):
			add(Warned, key+" has no effect here", "Flink reads this option when its own processes start, and ignores it in a job on a session cluster. Set it in the cluster's configuration.")
		}
	}
}

func removed(version, key string) string {
	if last, is := flinkoptions.Removed(version, key); is {
		return last
	}
	return ""
}

// kinds say what a value has to be.
var kinds = map[flinkoptions.Type]string{
	flinkoptions.Duration:   "a duration, one whole number and one unit, such as \"10 s\"",
	flinkoptions.MemorySize: "a size of memory, one whole number and one unit, such as \"64 mb\"",
	"Boolean":               "true or false",
	"Integer":               "a whole number of 32 bits, without a unit",
	"Long":                  "a whole number of 64 bits, without a unit",
	"Double":                "a number",
	"Float":                 "a number",
}

// readable tells whether Flink reads a value of a type that has one spelling.
func readable(kind flinkoptions.Type, value string) bool {
	bits := map[flinkoptions.Type]int{"Integer": 32, "Long": 64}[kind]
	switch kind {
	case "Boolean":
		return strings.EqualFold(value, "true") || strings.EqualFold(value, "false")
	case "Integer", "Long":
		_, err := strconv.ParseInt(value, 10, bits)
		return err == nil
	case "Double", "Float":
		_, err := strconv.ParseFloat(strings.TrimRight(strings.TrimSpace(value), "dDfF"), 64)
		return err == nil
	case flinkoptions.Duration, flinkoptions.MemorySize:
	}
	return true
}

// javaProtocols are those that Java's own class loaders open.
var javaProtocols = []string{"file", "http", "https", "ftp", "jar"}

// locations looks at the URLs of jars and class paths.
func (c *checker) locations() {
	for _, key := range []string{JarsKey, PipelineJarsKey, ClasspathsKey} {
		for i, location := range c.document.Env[attributeOf(key)].List {
			severity, summary, detail := c.location(key, location)
			if summary != "" {
				c.add(severity, EnvName, attributeOf(key), summary, detail).Index = i
			}
		}
	}
}

func (c *checker) location(key, location string) (severity Severity, summary, detail string) {
	const wanted = "Write it like file:///opt/groot/udf.jar."
	parsed, err := url.Parse(location)
	switch {
	case strings.TrimSpace(location) != location || location == "":
		return Refused, fmt.Sprintf("%q is empty, or begins or ends with a blank", location), wanted
	case strings.Contains(location, ";"):
		return Refused, fmt.Sprintf("%q has a semicolon", location), "It is read as two. Make it two elements of the list, or give the file another name."
	case err != nil || parsed.Scheme == "" || strings.ContainsAny(location, " \t\n"):
		if key == JarsKey {
			return Warned, fmt.Sprintf("%q is no URL", location), "The documentation asks for one. " + wanted
		}
		return Refused, fmt.Sprintf("%q is no URL", location), "Flink does not start a job with it. " + wanted
	case !slices.Contains(javaProtocols, strings.ToLower(parsed.Scheme)) && key != JarsKey:
		return Refused, fmt.Sprintf("Java does not know the protocol of %q", location), "Flink makes a URL of it and fails. Java knows " + strings.Join(javaProtocols, ", ") + "."
	case strings.EqualFold(parsed.Scheme, "file") && parsed.Host != "" && !strings.EqualFold(parsed.Host, "localhost"):
		return Warned, fmt.Sprintf("%q is on the host %q", location, parsed.Host),
			fmt.Sprintf("After two slashes comes a host, and Java fetches the file from there. For a file on the disk of the cluster, write file:///%s%s.", parsed.Host, parsed.Path)
	}
	return Refused, "", ""
}
