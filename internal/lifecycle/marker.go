// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package lifecycle

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// globalParameters is Flink's option for what a job shows in its user-config.
const globalParameters = "pipeline.global-job-parameters"

// Marker is what a job of this provider says about itself in Flink's REST API:
// whose it is, which job it continues, and what it was started with. It holds
// no secret.
type Marker struct {
	Owner string
	Name  string
	// From is the id of the job that this one continues, empty on create.
	From string
	// Spec is the hash of the restart attributes.
	Spec string
	// Parallelism is what the job was submitted with, empty for the default.
	Parallelism string
	// Jar is the content hash of the jar, where it is known.
	Jar string
	// Bundle is the content hash of the Python bundle, empty without one.
	Bundle string
	// Try is a random word of one submission, by which it knows its own job.
	Try string
}

// Entry is one parameter of a marker, as Flink shows it. The value is in hex,
// which needs no quoting anywhere.
type Entry struct{ Key, Value string }

// Entries are the parameters of the marker that have a value.
func (m Marker) Entries() []Entry {
	var entries []Entry
	for _, entry := range []struct{ key, value string }{
		{"terraform.owner", m.Owner},
		{"terraform.name", m.Name},
		{"terraform.from", m.From},
		{"terraform.spec", m.Spec},
		{"terraform.parallelism", m.Parallelism},
		{"terraform.jar", m.Jar},
		{"terraform.bundle", m.Bundle},
		{"terraform.try", m.Try},
	} {
		if entry.value != "" {
			entries = append(entries, Entry{entry.key, hex.EncodeToString([]byte(entry.value))})
		}
	}
	return entries
}

func (m Marker) entries() []string {
	var entries []string
	for _, entry := range m.Entries() {
		entries = append(entries, entry.Key+":"+entry.Value)
	}
	return entries
}

// ParseMarker reads a marker from a job's user-config. A program that registers
// its own global parameters overwrites it: then ok is false, and what the job
// was started with is unknown.
func ParseMarker(userConfig map[string]string) (Marker, bool) {
	var marker Marker
	for key, target := range map[string]*string{
		"terraform.owner": &marker.Owner, "terraform.name": &marker.Name, "terraform.from": &marker.From,
		"terraform.spec": &marker.Spec, "terraform.jar": &marker.Jar, "terraform.try": &marker.Try,
		"terraform.parallelism": &marker.Parallelism, "terraform.bundle": &marker.Bundle,
	} {
		value, err := hex.DecodeString(userConfig[key])
		if err != nil {
			return Marker{}, false
		}
		*target = string(value)
	}
	return marker, marker.Name != "" && marker.Spec != ""
}

// MergeMarker adds the marker to the user's own global parameters, which are
// written as Flink reads them: `k:v,k:v`, or a JSON object.
func MergeMarker(user string, marker Marker) (string, error) {
	entries := marker.entries()
	text := strings.TrimSpace(user)
	switch {
	case text == "":
	case strings.HasPrefix(text, "{"):
		var object map[string]string
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			return "", fmt.Errorf("%s is neither a list like \"key:value,key:value\" nor a JSON object of strings: %w", globalParameters, err)
		}
		quoted := make([]string, 0, len(object))
		for _, key := range slices.Sorted(maps.Keys(object)) {
			// The one quoted form that every version of Flink reads exactly.
			quoted = append(quoted, quote(key+":"+quote(object[key])))
		}
		entries = append(quoted, entries...)
	default:
		entries = append([]string{strings.TrimRight(text, ", ")}, entries...)
	}
	return strings.Join(entries, ","), nil
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
