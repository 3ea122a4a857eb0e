// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parse reads a configuration that exists: a file of properties, a JSON object
// of keys, the JSON array of Dagger's arguments, or that in base 64. ignored
// says what of it Dagger does not read, or reads as something else.
func Parse(text string) (document Document, ignored []string, err error) {
	found, err := properties(text)
	if err != nil {
		return Document{}, nil, err
	}
	p := parser{keys: map[string]string{}, document: Document{Values: map[string]Value{}, Extra: map[string]string{}}}
	for _, one := range found {
		// The last one counts, to Dagger as well.
		p.keys[one.key] = one.value
	}
	maps.Copy(p.document.Values, p.group(table))
	p.rest()
	p.document.Namespace = p.namespace()
	if len(p.errs) > 0 {
		return Document{}, nil, errors.Join(p.errs...)
	}
	return p.document, p.ignored, nil
}

type parser struct {
	keys     map[string]string
	document Document
	ignored  []string
	errs     []error
	// members are the JSON objects that options are members of.
	members map[string]map[string]any
}

func (p *parser) fail(key string, err error) {
	p.errs = append(p.errs, fmt.Errorf("%s: %w", key, err))
}

func (p *parser) ignore(format string, args ...any) {
	p.ignored = append(p.ignored, fmt.Sprintf(format, args...))
}

// group reads the options of a group that are set.
func (p *parser) group(options []Option) map[string]Value {
	values := map[string]Value{}
	for _, o := range options {
		switch {
		case o.Kind == Group:
			if inner := p.group(o.Options); len(inner) > 0 {
				values[o.Attribute] = Fields(inner)
			}
		case o.In != "":
			if raw, set := p.memberOf(o.In)[o.Key]; set {
				delete(p.members[o.In], o.Key)
				p.set(values, o, o.In+"."+o.Key, func() (Value, error) { return p.fromJSON(o, o.In+"."+o.Key, raw) })
			}
		case o.Kind == Prefixed:
			if fields := p.prefixed(o.Key); len(fields) > 0 {
				values[o.Attribute] = Fields(fields)
			}
		default:
			if text, set := p.keys[o.Key]; set {
				delete(p.keys, o.Key)
				p.set(values, o, o.Key, func() (Value, error) { return p.fromText(o, o.Key, text) })
			}
		}
	}
	return values
}

func (p *parser) set(values map[string]Value, o Option, key string, read func() (Value, error)) {
	v, err := read()
	switch {
	case err != nil:
		p.fail(key, err)
	case v.form != absent:
		values[o.Attribute] = v
	}
}

// prefixed are the keys that begin alike.
func (p *parser) prefixed(prefix string) map[string]Value {
	fields := map[string]Value{}
	for key, value := range p.keys {
		if name, ok := strings.CutPrefix(key, prefix); ok && name != "" {
			fields[name] = Plain(value)
			delete(p.keys, key)
		}
	}
	return fields
}

// memberOf is the JSON object that a key has.
func (p *parser) memberOf(key string) map[string]any {
	if p.members == nil {
		p.members = map[string]map[string]any{}
	}
	if members, known := p.members[key]; known {
		return members
	}
	p.members[key] = nil
	text, set := p.keys[key]
	delete(p.keys, key)
	if !set || strings.TrimSpace(text) == "" {
		return nil
	}
	var content any
	if err := decode([]byte(text), &content); err != nil {
		p.fail(key, notJSON([]byte(text), err))
		return nil
	}
	members, ok := content.(map[string]any)
	if !ok {
		p.fail(key, errors.New("it has to be a JSON object, and the array that Dagger's documentation shows fails"))
		return nil
	}
	p.members[key] = members
	return members
}

// fromText reads an option that is a key of its own.
func (p *parser) fromText(o Option, key, text string) (Value, error) {
	switch o.Kind {
	case Objects:
		var raw any
		if err := decode([]byte(text), &raw); err != nil {
			return Value{}, notJSON([]byte(text), err)
		}
		return p.fromJSON(o, key, raw)
	case List:
		return o.split(text), nil
	case Pairs:
		return p.pairs(key, text), nil
	case Flag:
		return p.flag(key, text), nil
	default:
	}
	if (o.Kind == JSONText || o.Kind == Count || o.Kind == Millis) && strings.TrimSpace(text) == "" {
		return Value{}, nil
	}
	if o.Kind == Millis || o.Kind == Count {
		// Dagger knows no units.
		o.Kind = Count
	}
	return o.Scalar(text)
}

// split reads a list.
func (o Option) split(text string) Value {
	if text == "" {
		return Array()
	}
	parts := strings.Split(text, o.Separator)
	if o.Separator == "|" {
		parts = alternatives(text)
	}
	items := make([]Value, 0, len(parts))
	for _, item := range parts {
		if o.Trims {
			item = strings.TrimSpace(item)
		}
		items = append(items, Plain(item))
	}
	return Array(items...)
}

// Texts is the value of a list. Topics that are written as one are told apart.
func (o Option) Texts(items ...Value) Value {
	if o.Separator != "|" || slices.ContainsFunc(items, func(v Value) bool { return v.form != scalar || v.text == "" }) {
		return Array(items...)
	}
	return o.split(flat(o, Array(items...)))
}

// alternatives splits a regular expression where none of its groups is open.
func alternatives(pattern string) []string {
	var parts []string
	depth, class, begin := 0, false, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			parts = append(parts, pattern[begin:i])
			begin = i + 1
		}
	}
	return append(parts, pattern[begin:])
}

// pairs drops what Dagger drops.
func (p *parser) pairs(key, text string) Value {
	fields := map[string]Value{}
	for pair := range strings.SplitSeq(text, ",") {
		parts := strings.Split(pair, ":")
		switch {
		case len(parts) == 2:
			fields[strings.TrimSpace(parts[0])] = Plain(strings.TrimSpace(parts[1]))
		case strings.TrimSpace(pair) != "":
			p.ignore("%s: an entry that is not one name, one colon and one value is dropped by Dagger", key)
		}
	}
	return Fields(fields)
}

// flag is false for all that is not true, as it is to Dagger.
func (p *parser) flag(key, text string) Value {
	switch strings.ToLower(text) {
	case "true":
		return Plain("true")
	case "false":
	default:
		p.ignore("%s = %q is false to Dagger", key, text)
	}
	return Plain("false")
}

// fromJSON reads an option that is a JSON value.
func (p *parser) fromJSON(o Option, key string, raw any) (Value, error) {
	if raw == nil {
		return Value{}, nil
	}
	switch o.Kind {
	case Object:
		return p.object(o, key, raw)
	case Objects, First:
		items, ok := raw.([]any)
		switch {
		case !ok:
			return Value{}, errors.New("it has to be a JSON array")
		case o.Kind == First && len(items) != 1:
			return Value{}, fmt.Errorf("it has %d elements, and Dagger takes exactly one", len(items))
		case o.Kind == First:
			return p.object(o, key+"[0]", items[0])
		}
		objects := make([]Value, 0, len(items))
		for i, item := range items {
			object, err := p.object(o, fmt.Sprintf("%s[%d]", key, i), item)
			if err != nil {
				return Value{}, fmt.Errorf("[%d]: %w", i, err)
			}
			objects = append(objects, object)
		}
		return Array(objects...), nil
	case Strings:
		return stringsOf(o, raw)
	case Map, Paths:
		return p.entries(o, raw)
	case JSONObject:
		text, err := encode(raw)
		if err != nil {
			return Value{}, err
		}
		return o.Scalar(text)
	default:
	}
	text, err := flatJSON(raw)
	if err != nil {
		return Value{}, err
	}
	return p.fromText(o, key, text)
}

// object reads the options of an object, and says what else it has.
func (p *parser) object(o Option, key string, raw any) (Value, error) {
	members, ok := raw.(map[string]any)
	if !ok {
		return Value{}, errors.New("it has to be a JSON object")
	}
	fields := map[string]Value{}
	for _, option := range o.Options {
		member, set := members[option.Key]
		if !set {
			continue
		}
		v, err := p.fromJSON(option, key+"."+option.Key, member)
		if err != nil {
			return Value{}, fmt.Errorf("%s: %w", option.Key, err)
		}
		if v.form != absent {
			fields[option.Attribute] = v
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.ContainsFunc(o.Options, func(option Option) bool { return option.Key == name }) {
			p.ignore("%s.%s: Dagger does not read it%s", key, name, instead(o.Options, name))
		}
	}
	return Fields(fields), nil
}

// instead names what a key may be meant to be.
func instead(options []Option, key string) string {
	for _, o := range options {
		if o.Documented == key || strings.EqualFold(o.Key, key) {
			return ", but " + o.Key
		}
	}
	return ""
}

func stringsOf(o Option, raw any) (Value, error) {
	items, ok := raw.([]any)
	if !ok {
		return Value{}, errors.New("it has to be a JSON array")
	}
	texts := make([]Value, 0, len(items))
	for _, item := range items {
		text, ok := item.(string)
		if !ok {
			return Value{}, errors.New("it has to be a JSON array of texts")
		}
		if o.Trims {
			text = strings.TrimSpace(text)
		}
		texts = append(texts, Plain(text))
	}
	return Array(texts...), nil
}

// entries reads a JSON object of the user's own names.
func (p *parser) entries(o Option, raw any) (Value, error) {
	members, ok := raw.(map[string]any)
	if !ok {
		return Value{}, errors.New("it has to be a JSON object")
	}
	fields := map[string]Value{}
	for name, member := range members {
		if o.Kind == Paths {
			inner, ok := member.(map[string]any)
			if member, ok = inner["path"], ok && inner["path"] != nil; !ok {
				return Value{}, fmt.Errorf("%q has no path", name)
			}
		}
		switch member.(type) {
		case string, json.Number, bool:
		default:
			return Value{}, fmt.Errorf("%q has to be a text", name)
		}
		text, err := flatJSON(member)
		if err != nil {
			return Value{}, err
		}
		fields[name] = Plain(text)
	}
	return Fields(fields), nil
}

// rest are the keys and members that no option has.
func (p *parser) rest() {
	for _, key := range slices.Sorted(maps.Keys(p.members)) {
		for _, name := range slices.Sorted(maps.Keys(p.members[key])) {
			p.ignore("%s.%s: Dagger does not read it", key, name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.keys)) {
		if o, _, known := Find(key); known && o.Documented == key {
			p.ignore("%s: Dagger does not read it%s", key, instead([]Option{o}, key))
			continue
		}
		p.document.Extra[key] = p.keys[key]
	}
}

// namespace is that of the first class of Dagger's own that is named.
func (p *parser) namespace() string {
	for _, class := range p.document.Values[atFactories].items {
		if namespace, ok := namespaceOf(class.text); ok {
			return namespace
		}
	}
	return ""
}

// namespaceOf tells whose class it is, if it is Dagger's own.
func namespaceOf(class string) (string, bool) {
	for _, namespace := range Namespaces() {
		if strings.HasPrefix(class, packageOf(namespace)+".") {
			return namespace, true
		}
	}
	return "", false
}

// Find is the option of a top-level key, by Dagger's key or the documentation's,
// and the path of its attribute.
func Find(key string) (option Option, attribute string, ok bool) {
	if key == "" {
		return Option{}, "", false
	}
	for _, o := range table {
		if o.Kind != Group {
			if o.Key == key || o.Documented == key {
				return o, o.Attribute, true
			}
			continue
		}
		for _, inner := range o.Options {
			switch {
			case inner.In == key:
				return inner, o.Attribute, true
			case inner.In != "":
			case inner.Key == key, inner.Kind == Prefixed && strings.HasPrefix(key, inner.Key) && key != inner.Key:
				return inner, o.Attribute + "." + inner.Attribute, true
			}
		}
	}
	return Option{}, "", false
}
