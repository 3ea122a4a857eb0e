// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// seed is a document that a list of keys is made from.
type seed struct {
	// files match its name in the folder that STREAMING_SEEDS names.
	files string
	// keys are those that the text of the document has.
	keys func(t *testing.T, text string) []string
	// sample is a text as the document has it, and want are its keys: they show
	// that keys are found where the documents themselves are not there.
	sample string
	want   []string
}

var seeds = map[string]seed{
	"dagger": {
		files: "000_*.txt", keys: daggerKeys,
		sample: "STREAMS#\n text FLINK_SQL_QUERY\nA_B#\n {\"SOURCE_NAME\": \"X\", \"SOURCE_NAME\": 1}",
		want:   []string{"A_B", "FLINK_SQL_QUERY", "SOURCE_NAME", "STREAMS"},
	},
	"groot": {
		files: "001_*.txt", keys: grootKeys,
		sample: "## Basic\n### name\ntext\n### a.b\nby prefixing `flink.`, such as `flink.x`\n| Groot Stream | Flink |\n|---|---|\n| a.b | flink.c.d  |\n| e | flink.f |\n| ... | ... |",
		want:   []string{"a.b", "e", "flink.", "flink.c.d", "flink.f", "name"},
	},
	"pravega-spark": {
		files: "002_*.txt", keys: pravegaSparkKeys,
		sample: "title\n\nParameter Description Default\na_b If true, c is. true\nd The d.\n\nmore text",
		want:   []string{"a_b", "d"},
	},
	"streampark": {
		files: "003_*.txt", keys: streamparkKeys,
		sample: "flink:\n  deployment:\n    option:\n      detached:\n    property:\n      $a.main: x\n      b.memory:\n        heap.size: 1\n  table:\n    mode: x #(y)\n\ntext\n\n" +
			"Short Param\tFull Param\n-x\tclass\t\tString\tText\n\nKey\tDescription\tRequired\ne.f\tText\n\nItem\tDescription\tValue\nattempts\tText\t3\ng.h\tText\n\n" +
			"options jobmanager.memory.limit-it\nThe currently supported configuration items and functions are as follows:\n\nmode\ncatalog\n\nItem\tDescription\n\nq: |\n  SELECT",
		want: []string{
			"option.class", "option.detached", "property.$a.main", "property.b.memory.heap.size", "property.e.f", "property.g.h",
			"property.jobmanager.memory.limit-it", "q", "table.catalog", "table.mode",
		},
	},
	"python": {
		files: "004_*.txt", keys: pythonKeys,
		sample: "<td><h5>python.a</h5></td>\n<td>python.b</td>\n<td><h5>python.c.d</h5></td>",
		want:   []string{"python.a", "python.c.d"},
	},
}

// STREAMING_SEEDS names a folder with the documents, where there is one.
func TestDocuments_TheListsOfKeysAreThoseOfTheSeeds(t *testing.T) {
	t.Parallel()
	if len(seeds) != len(documents()) {
		t.Errorf("%d seeds, %d documents", len(seeds), len(documents()))
	}
	for _, document := range documents() {
		t.Run(document.Name, func(t *testing.T) {
			t.Parallel()
			seed, ok := seeds[document.Name]
			if !ok {
				t.Fatal("no seed")
			}
			if got := sorted(seed.keys(t, seed.sample)); !slices.Equal(got, seed.want) {
				t.Fatalf("the sample has\n%q, want\n%q", got, seed.want)
			}
			content, err := os.ReadFile(filepath.Join("testdata", document.Name+".keys"))
			if err != nil {
				t.Fatal(err)
			}
			listed := strings.Fields(string(content))
			if !slices.Equal(listed, sorted(listed)) {
				t.Error("the list of keys is not sorted, or has one twice")
			}
			folder := os.Getenv("STREAMING_SEEDS")
			if folder == "" {
				return
			}
			files, err := filepath.Glob(filepath.Join(folder, seed.files))
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files %s in %s: %v", len(files), seed.files, folder, err)
			}
			text, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			got := sorted(seed.keys(t, string(text)))
			for _, key := range got {
				if !slices.Contains(listed, key) {
					t.Errorf("%s is in the document, and not in the list", key)
				}
			}
			for _, key := range listed {
				if !slices.Contains(got, key) {
					t.Errorf("%s is in the list, and not in the document", key)
				}
			}
		})
	}
}

func sorted(keys []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(keys)))
}

// found are the first groups of all matches.
func found(pattern, text string) []string {
	var groups []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		groups = append(groups, match[1])
	}
	return groups
}

// daggerKeys are headings, members of the samples, and the one key that is in
// the text without a heading.
func daggerKeys(_ *testing.T, text string) []string {
	return slices.Concat(found(`(?m)^([A-Z][A-Z0-9_]+)#$`, text), found(`"([A-Z][A-Z0-9_]+)":`, text), found(`(FLINK_SQL_QUERY)`, text))
}

// grootKeys are headings, both columns of the table of names, and the prefix of
// Flink's own.
func grootKeys(_ *testing.T, text string) []string {
	return slices.Concat(found(`(?m)^### (\S+)$`, text), found("by prefixing `(\\S+)`", text),
		found(`(?m)^\| ([a-z]\S+?) +\|`, text), found(`(?m)^\| [a-z]\S* +\| (\S+) +\|`, text), found(`(?m)^\| ([a-z]) +\|`, text))
}

// pravegaSparkKeys are the first words of the lines of the table.
func pravegaSparkKeys(_ *testing.T, text string) []string {
	_, table, _ := strings.Cut(text, "Parameter Description Default\n")
	table, _, _ = strings.Cut(table, "\n\n")
	return found(`(?m)^(\S+) `, table)
}

func pythonKeys(_ *testing.T, text string) []string { return found(`<h5>(\S+)</h5>`, text) }

// streamparkKeys are those of the sample of the file, of the tables, and of the
// text where it names a key of memory.
func streamparkKeys(t *testing.T, text string) []string {
	t.Helper()
	_, sample, _ := strings.Cut("\n"+text, "\nflink:\n")
	sample, _, _ = strings.Cut(sample, "\n\n")
	var file yaml.Node
	if err := yaml.Unmarshal([]byte("flink:\n"+sample), &file); err != nil || len(file.Content) == 0 {
		t.Fatalf("the sample of application.yml: %v", err)
	}
	var keys []string
	for _, key := range leavesOf(file.Content[0], "") {
		keys = append(keys, strings.TrimPrefix(strings.TrimPrefix(key, "flink."), "deployment."))
	}
	for _, name := range found(`(?m)^-[a-z]+\t(\w+)\t`, text) {
		keys = append(keys, "option."+name)
	}
	property := slices.Concat(found(`\b((?:job|task)manager\.memory\.[a-z-]+(?:\.[a-z-]+)*)\b`, text), found(`(?m)^([$a-z]\S*\.\S+)\t`, text))
	for _, table := range found(`(?s)(?:^|\n)Key\tDescription\tRequired\n(.*?)\n\n`, text) {
		property = append(property, found(`(?m)^(\S+)\t`, table)...)
	}
	for _, name := range property {
		keys = append(keys, "property."+name)
	}
	_, items, _ := strings.Cut(text, "The currently supported configuration items and functions are as follows:\n")
	items, _, _ = strings.Cut(items, "Item\t")
	for name := range strings.FieldsSeq(items) {
		keys = append(keys, "table."+name)
	}
	return append(keys, found(`(?m)^(\w+): \|$`, text)...)
}

// leavesOf are the paths of a document's scalars, with points between.
func leavesOf(node *yaml.Node, path string) []string {
	if node.Kind != yaml.MappingNode {
		return []string{path}
	}
	var paths []string
	for i := 0; i < len(node.Content); i += 2 {
		paths = append(paths, leavesOf(node.Content[i+1], strings.TrimPrefix(path+"."+node.Content[i].Value, "."))...)
	}
	return paths
}
