// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package yamltree

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Limits of a text, far above what anybody writes: an alias can stand for many
// others.
const (
	maxDepth = 100
	maxNodes = 200_000
	// maxKey is what every reader takes as a key on one line.
	maxKey = 1000
)

// Parse reads one document of YAML or JSON. What an alias or a merge key stands
// for is put in its place. Of an error it tells the line, and no value.
func Parse(text string) (Node, error) {
	if !utf8.ValidString(text) {
		return Node{}, errors.New("it is not text in UTF-8")
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return Node{}, errors.New("it is empty")
	case err != nil:
		return Node{}, syntax(err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return Node{}, fmt.Errorf("line %d: a second document begins, and an engine reads one", second.Line)
	case !errors.Is(err, io.EOF):
		return Node{}, syntax(err)
	}
	reader := &reader{}
	return reader.node(&document, 0)
}

// ParseMap is Parse of a document that has to be a map.
func ParseMap(text string) (Node, error) {
	node, err := Parse(text)
	if err == nil && node.Kind != Map {
		return Node{}, errors.New("it is no map of keys and values")
	}
	return node, err
}

// syntax is an error of the parser in our words.
func syntax(err error) error {
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
	return errors.New(text)
}

type reader struct{ count int }

func (r *reader) node(from *yaml.Node, depth int) (Node, error) {
	if r.count++; r.count > maxNodes || depth > maxDepth {
		return Node{}, fmt.Errorf("line %d: it has too many values, or they are nested too deeply", from.Line)
	}
	switch from.Kind {
	case yaml.DocumentNode:
		return r.node(from.Content[0], depth)
	case yaml.AliasNode:
		return r.node(from.Alias, depth+1)
	case yaml.SequenceNode:
		if from.Style&yaml.TaggedStyle != 0 && from.ShortTag() != "!!seq" {
			return Node{}, tagged(from)
		}
		list := Node{Kind: List}
		for _, item := range from.Content {
			node, err := r.node(item, depth+1)
			if err != nil {
				return Node{}, err
			}
			list.Items = append(list.Items, node)
		}
		return list, nil
	case yaml.MappingNode:
		if from.Style&yaml.TaggedStyle != 0 && from.ShortTag() != "!!map" {
			return Node{}, tagged(from)
		}
		return r.entries(from, depth)
	case yaml.ScalarNode:
		return scalarOf(from)
	}
	return Node{}, fmt.Errorf("line %d: it cannot be read", from.Line)
}

func tagged(from *yaml.Node) error {
	return fmt.Errorf("line %d: tag %s is not supported", from.Line, from.Tag)
}

func scalarOf(from *yaml.Node) (Node, error) {
	switch {
	case from.Style&yaml.TaggedStyle != 0 && from.ShortTag() != "!!str":
		return Node{}, tagged(from)
	case from.Style == 0:
		return scalar(from.Value), nil
	}
	return Text(from.Value), nil
}

func (r *reader) entries(from *yaml.Node, depth int) (Node, error) {
	node := Node{Kind: Map, Entries: map[Key]Node{}}
	seen := map[string]bool{}
	var merges []*yaml.Node
	for i := 0; i < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return Node{}, fmt.Errorf("line %d: a key is a list or a map", key.Line)
		}
		if key.Style == 0 && key.Value == "<<" {
			merges = append(merges, value)
			continue
		}
		name, err := scalarOf(key)
		if err != nil {
			return Node{}, err
		}
		if len(Quoted(name.Text)) > maxKey {
			return Node{}, fmt.Errorf("line %d: a key is longer than %d characters", key.Line, maxKey)
		}
		if seen[name.Text] {
			return Node{}, fmt.Errorf("line %d: key %q is there twice", key.Line, name.Text)
		}
		seen[name.Text] = true
		read, err := r.node(value, depth+1)
		if err != nil {
			return Node{}, err
		}
		node.Entries[Key{Text: name.Text, Plain: name.Plain}] = read
	}
	return node, r.merge(node, merges, seen, depth)
}

// merge adds the entries of merge keys that are not there yet.
func (r *reader) merge(node Node, merges []*yaml.Node, seen map[string]bool, depth int) error {
	for _, from := range merges {
		read, err := r.node(from, depth+1)
		if err != nil {
			return err
		}
		sources := []Node{read}
		if read.Kind == List {
			sources = read.Items
		}
		for _, source := range sources {
			if source.Kind != Map {
				return fmt.Errorf("line %d: what a merge key (<<) takes is no map", from.Line)
			}
			for key, value := range source.Entries {
				if !seen[key.Text] {
					node.Entries[key] = value
				}
			}
			for key := range source.Entries {
				seen[key.Text] = true
			}
		}
	}
	return nil
}
