// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is a key of a file with its value, behind all sections.
type entry struct {
	key, text string
	line      int
}

// most is how many values a file may have, references included.
const most = 10_000

// reader flattens a file as the client does.
type reader struct {
	entries []entry
	count   int
	lists   []int
}

// readYAML reads a file of one map. Errors name the line, and quote no value.
func readYAML(text string) (*reader, error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the file is empty, over which the client fails")
	case err != nil:
		return nil, fmt.Errorf("the file is no YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file has more than one document, over which the client fails")
	}
	root := &document
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		if root.Kind == yaml.ScalarNode && yamlNull.MatchString(root.Value) && root.Style == 0 {
			return nil, errors.New("the file is empty, over which the client fails")
		}
		return nil, errors.New("the file has no keys at its top, which the client needs: a list or a single value fails")
	}
	r := &reader{}
	if err := r.flatten("", root); err != nil {
		return nil, err
	}
	return r, r.twice()
}

// twice finds a key that is there both with sections and with points.
func (r *reader) twice() error {
	lines := map[string]int{}
	for _, e := range r.entries {
		if line, twice := lines[e.key]; twice {
			return fmt.Errorf("line %d: key %s is there already, in another form, at line %d", e.line, e.key, line)
		}
		lines[e.key] = e.line
	}
	return nil
}

func (r *reader) flatten(prefix string, node *yaml.Node) error {
	if r.count++; r.count > most {
		return fmt.Errorf("line %d: the file has more than %d values", node.Line, most)
	}
	switch node.Kind {
	case yaml.AliasNode:
		return r.flatten(prefix, node.Alias)
	case yaml.MappingNode:
		return r.flattenMap(prefix, node)
	case yaml.SequenceNode:
		return r.list(prefix, node)
	case yaml.ScalarNode:
		text, ok, err := scalar(node)
		if err != nil {
			return fmt.Errorf("line %d, %s: %w", node.Line, prefix, err)
		}
		if ok {
			r.add(prefix, text, node.Line)
		}
	case yaml.DocumentNode:
	}
	return nil
}

func (r *reader) flattenMap(prefix string, node *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: a key is a list or a map", key.Line)
		}
		name := key.Value
		switch {
		case key.Style == 0 && name == "<<":
			return fmt.Errorf("line %d: keys of another place are merged in, which is not read here; write them out", key.Line)
		case key.Style == 0 && !plainText(name), key.Style&yaml.TaggedStyle != 0 && key.Tag != "!!str":
			return fmt.Errorf("line %d: the key %q is no text to YAML, over which the client fails; write it in quotes", key.Line, name)
		}
		if seen[name] {
			return fmt.Errorf("line %d: key %s is there twice; StreamPark takes the last one, or fails, depending on its version", key.Line, name)
		}
		seen[name] = true
		full := name
		if prefix != "" {
			full = prefix + "." + name
		}
		if err := r.flatten(full, value); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) add(key, text string, line int) {
	r.entries = append(r.entries, entry{key: key, text: text, line: line})
}

// list turns a list into the text that each version of Flink reads as a list:
// the client makes `[a, b]` of it, which Flink before 1.19 takes for one value.
func (r *reader) list(prefix string, node *yaml.Node) error {
	items := make([]string, 0, len(node.Content))
	for _, item := range node.Content {
		if item.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d, %s: a list has more than single values in it", item.Line, prefix)
		}
		text, ok, err := scalar(item)
		if err != nil {
			return fmt.Errorf("line %d, %s: %w", item.Line, prefix, err)
		}
		if !ok {
			continue
		}
		if strings.ContainsAny(text, `;'"`) {
			text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
		}
		items = append(items, text)
	}
	if len(items) > 0 {
		r.lists = append(r.lists, node.Line)
		r.add(prefix, strings.Join(items, ";"), node.Line)
	}
	return nil
}

// Parse reads an application.yml of either layout, with sections or with points
// in its keys. Values are taken as they are; Check tells what is wrong with them.
func Parse(text string) (Document, []Finding, error) {
	read, err := readYAML(text)
	if err != nil {
		return Document{}, nil, err
	}
	p := parser{Document: Document{Values: map[string]string{}, Extra: map[string]string{}, Statements: map[string]string{}}}
	found := &p.found
	for _, line := range read.lists {
		found.add(Warned, Extra, fmt.Sprintf("A list at line %d", line),
			"The client makes the text \"[a, b]\" of it, which Flink before 1.19 takes for one value. It is read as \"a;b\" here, which every version takes for a list.")
	}
	for _, e := range read.entries {
		if err := p.place(e); err != nil {
			return Document{}, nil, fmt.Errorf("line %d: %w", e.line, err)
		}
	}
	if p.Layout == "" {
		p.Layout = Current
	}
	return p.Document, p.found, nil
}

// parser is a document that is being read.
type parser struct {
	Document

	found findings
}

// current takes a key into the current layout; a file has one.
func (p *parser) current(key string) (string, error) {
	layout := Layout("")
	switch {
	case strings.HasPrefix(key, deploymentPrefix):
		layout = Deployment
		key = "flink." + strings.TrimPrefix(key, deploymentPrefix)
	case strings.HasPrefix(key, optionPrefix), strings.HasPrefix(key, propertyPrefix):
		layout = Current
	default:
		return key, nil
	}
	if p.Layout != "" && p.Layout != layout {
		return "", errors.New("flink.deployment and flink.option or flink.property are in one file: StreamPark 2 reads nothing of flink.deployment, versions before it nothing else. Keep one of them")
	}
	p.Layout = layout
	return key, nil
}

func (p *parser) place(e entry) error {
	key, err := p.current(e.key)
	if err != nil {
		return err
	}
	if key == "sql" {
		p.SQL = e.text
		return nil
	}
	if id, ok := strings.CutPrefix(key, sqlPrefix); ok {
		p.Statements[id] = e.text
		return nil
	}
	section, ok := strings.CutPrefix(key, "flink.")
	row, known := byKey(section)
	if !ok || !known || row.Attribute == SQL {
		p.Extra[key] = e.text
		return nil
	}
	if row.Elsewhere == "" {
		if _, twice := p.Values[row.Attribute]; twice {
			return fmt.Errorf("%s is there already, under the name %s", key, row.FlinkKey())
		}
		p.Values[row.Attribute] = e.text
		return nil
	}
	if strings.HasPrefix(row.Key, sectionOption) {
		p.found.add(Warned, row.Attribute, fmt.Sprintf("%s does not belong into the file", key), "The document forbids it, and the client ignores it there. It is taken for "+row.Attribute+" here.")
	}
	return p.elsewhere(row, e.text)
}

// elsewhere takes what is no key of the file here. Options come before
// properties in no order, which count more.
func (p *parser) elsewhere(row Option, text string) error {
	property := !strings.HasPrefix(row.Key, sectionOption)
	switch row.Attribute {
	case Name:
		p.Name = text
	case EntryClass:
		if property || p.EntryClass == "" {
			p.EntryClass = text
		}
	case Parallelism:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < row.Min || n > row.Max {
			return fmt.Errorf("%s is no whole number from %d to %d", row.Key, row.Min, row.Max)
		}
		if property || p.Parallelism == 0 {
			p.Parallelism = n
		}
	}
	return nil
}

// ParseSQL reads an sql.yaml: the text of the id sql, and those of other ids.
func ParseSQL(text string) (sql string, statements map[string]string, err error) {
	read, err := readYAML(text)
	if err != nil {
		return "", nil, err
	}
	statements = map[string]string{}
	for _, e := range read.entries {
		if e.key == "sql" {
			sql = e.text
			continue
		}
		statements[strings.TrimPrefix(e.key, sqlPrefix)] = e.text
	}
	if sql == "" && len(statements) == 0 {
		return "", nil, errors.New("the file has no SQL")
	}
	return sql, statements, nil
}
