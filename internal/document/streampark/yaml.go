// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// sections are the keys of the file that have others in them, the longest first.
var sections = []string{
	deploymentPrefix + "option.", deploymentPrefix + "property.", optionPrefix, propertyPrefix, tablePrefix, appPrefix, sqlPrefix,
}

// writeYAML writes keys and values so that YAML 1.1 and 1.2 read each value as
// the text that it is, and in the same bytes for the same keys. Only ASCII is
// written: the client reads the file in the character set of the JobManager.
func writeYAML(flat map[string]string) string {
	root := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		at, rest := root, key
		for _, section := range sections {
			if behind, ok := strings.CutPrefix(key, section); ok && behind != "" {
				at, rest = within(root, strings.Split(strings.TrimSuffix(section, "."), ".")), behind
				break
			}
		}
		if _, section := at[rest].(map[string]any); !section {
			at[rest] = flat[key]
		}
	}
	var text strings.Builder
	writeMap(&text, root, 0)
	return text.String()
}

// within is the map at a path, made where it is not there.
func within(root map[string]any, path []string) map[string]any {
	for _, name := range path {
		next, ok := root[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			root[name] = next
		}
		root = next
	}
	return root
}

func writeMap(text *strings.Builder, entries map[string]any, depth int) {
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		text.WriteString(strings.Repeat("  ", depth) + yamlKey(key) + ":")
		switch value := entries[key].(type) {
		case map[string]any:
			text.WriteByte('\n')
			writeMap(text, value, depth+1)
		case string:
			text.WriteString(" " + yamlText(value) + "\n")
		}
	}
}

// plain are texts that need no quotes: words and whole numbers that every
// YAML reads as they are written.
var plain = regexp.MustCompile(`^(?:[A-Za-z$][A-Za-z0-9._$-]*|0|[1-9][0-9]{0,17})$`)

// notText are the words that YAML 1.1 takes for something else than a text,
// but for true and false, which come back as they were.
var notText = []string{"y", "n", "yes", "no", "on", "off", "null"}

func yamlText(text string) string {
	lower := strings.ToLower(text)
	truth := (lower == "true" || lower == "false") && text != lower
	if plain.MatchString(text) && !truth && !slices.Contains(notText, lower) {
		return text
	}
	return inQuotes(text)
}

// yamlKey is a key, which the client wants to be a text.
func yamlKey(text string) string {
	if lower := strings.ToLower(text); lower == "true" || lower == "false" || text == "" || text[0] >= '0' && text[0] <= '9' {
		return inQuotes(text)
	}
	return yamlText(text)
}

func inQuotes(text string) string {
	var quoted strings.Builder
	quoted.WriteByte('"')
	for i, r := range text {
		switch {
		case r == '"' || r == '\\':
			quoted.WriteString(`\` + string(r))
		case r == '\n':
			quoted.WriteString(`\n`)
		case r == '\t':
			quoted.WriteString(`\t`)
		case r == '\r':
			quoted.WriteString(`\r`)
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			quoted.WriteString(`\ufffd`)
		case r < ' ' || r > '~' && r <= 0xff:
			fmt.Fprintf(&quoted, `\x%02x`, r)
		case r > '~' && r <= 0xffff:
			fmt.Fprintf(&quoted, `\u%04x`, r)
		case r > 0xffff:
			fmt.Fprintf(&quoted, `\U%08x`, r)
		default:
			quoted.WriteRune(r)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}
