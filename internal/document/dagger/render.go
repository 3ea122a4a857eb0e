// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Document is a configuration of Dagger.
type Document struct {
	// Namespace is where the classes of the Dagger in use are.
	Namespace string
	// Values are by the attributes of Table.
	Values map[string]Value
	// Extra are keys that are not in Table.
	Extra map[string]string
}

// EncodedArgs is the argument that Dagger reads its others from.
const EncodedArgs = "--encodedArgs"

// WriteOnly stands for a value that is not to be shown.
const WriteOnly = "(write-only)"

// ErrWriteOnly is the error over a write-only value that is not at hand.
var ErrWriteOnly = errors.New("a write-only value is not at hand")

// Completed adds what Dagger needs and has no default for that works.
func (d Document) Completed() Document {
	values := maps.Clone(d.Values)
	if values == nil {
		values = map[string]Value{}
	}
	if _, set := values[atFactories]; !set {
		values[atFactories] = Array(Plain(FunctionFactory(d.Namespace)))
	}
	if streams, set := values[atStreams]; set && streams.form == list {
		items := slices.Clone(streams.items)
		for i, stream := range items {
			items[i] = withReset(stream)
		}
		values[atStreams] = Array(items...)
	}
	return Document{Namespace: d.Namespace, Values: values, Extra: d.Extra}
}

// withReset adds the documented default that KAFKA_SOURCE does not apply.
func withReset(stream Value) Value {
	details, known := stream.fields[atDetails]
	source := details.fields[atSourceName]
	switch _, set := stream.fields[atOffsetReset]; {
	case stream.form != object, set, known && source.form != scalar, source.text == ParquetSource:
		return stream
	}
	fields := maps.Clone(stream.fields)
	fields[atOffsetReset] = Plain("latest")
	return Fields(fields)
}

// Keys are what Dagger reads, by its keys. A write-only value that is not at
// hand is an error.
func (d Document) Keys() (map[string]string, error) {
	return d.keys(func(Option, Value) bool { return false })
}

// keys renders all but what is to be hidden.
func (d Document) keys(hide func(Option, Value) bool) (map[string]string, error) {
	r := renderer{hide: hide, keys: map[string]string{}, members: map[string]map[string]any{}}
	r.group(table, d.Values)
	for key, members := range r.members {
		r.keys[key] = r.encode(members)
	}
	maps.Copy(r.keys, d.Extra)
	return r.keys, r.err
}

// Args are the arguments that Dagger reads, sorted by their keys.
func (d Document) Args() ([]string, error) {
	keys, err := d.Keys()
	return argv(keys), err
}

func argv(keys map[string]string) []string {
	args := make([]string, 0, 2*len(keys))
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		value := keys[key]
		if key == "FLINK_SQL_QUERY" && strings.HasPrefix(value, "-") {
			// Otherwise the query would be taken for the next key.
			value = "\n" + value
		}
		args = append(args, "--"+key, value)
	}
	return args
}

// Encoded is the program's arguments: one that holds all others.
func (d Document) Encoded() ([]string, error) {
	args, err := d.Args()
	if err != nil {
		return nil, err
	}
	text, err := encode(args)
	if err != nil {
		return nil, err
	}
	return []string{EncodedArgs, base64.StdEncoding.EncodeToString([]byte(text))}, nil
}

// Rendered is what Dagger will read, one key a line, without write-only values.
func (d Document) Rendered() string {
	keys, err := d.keys(func(_ Option, v Value) bool { return v.form == hidden })
	if err != nil {
		return ""
	}
	var text strings.Builder
	args := argv(keys)
	for i := 0; i < len(args); i += 2 {
		text.WriteString(strings.TrimPrefix(args[i], "--") + "=" + strings.ReplaceAll(escape(args[i+1]), "\n", `\n`) + "\n")
	}
	return text.String()
}

// Fingerprint is what Dagger will read, without any secret and without the
// parallelism, which is told apart elsewhere. secret tells it of other keys.
func (d Document) Fingerprint(secret func(key string) bool) []string {
	keys, _ := d.keys(func(o Option, v Value) bool { return o.Secret || v.form == hidden })
	delete(keys, "FLINK_PARALLELISM")
	for key := range d.Extra {
		if secret(key) {
			keys[key] = WriteOnly
		}
	}
	return argv(keys)
}

// escape writes a value as a file of properties has it.
func escape(value string) string {
	value = strings.NewReplacer(`\`, `\\`, "\r", `\r`, "\t", `\t`, "\f", `\f`).Replace(value)
	if strings.HasPrefix(value, " ") {
		value = `\` + value
	}
	return value
}

// renderer collects keys and their values.
type renderer struct {
	hide func(Option, Value) bool
	keys map[string]string
	// members are those of JSON objects that are values of a key.
	members map[string]map[string]any
	err     error
}

func (r *renderer) fail(o Option, err error) {
	r.err = errors.Join(r.err, fmt.Errorf("%s: %w", o.Attribute, err))
}

func (r *renderer) group(options []Option, values map[string]Value) {
	for _, o := range options {
		v, set := values[o.Attribute]
		switch {
		case !set || v.form == absent:
		case o.Kind == Group:
			r.group(o.Options, v.fields)
		case o.In != "":
			if r.members[o.In] == nil {
				r.members[o.In] = map[string]any{}
			}
			r.members[o.In][o.Key] = r.json(o, v)
		default:
			r.put(o, v)
		}
	}
}

// put renders an option that is a key of its own.
func (r *renderer) put(o Option, v Value) {
	shown, ok := r.show(o, v)
	switch {
	case !ok:
		r.keys[o.Key] = WriteOnly
	case o.Kind == Prefixed:
		for name, field := range shown.fields {
			r.keys[o.Key+name] = field.text
		}
	case o.Kind == Objects:
		r.keys[o.Key] = r.encode(r.json(o, shown))
	default:
		r.keys[o.Key] = flat(o, shown)
	}
}

// show is the value, if it is to be shown.
func (r *renderer) show(o Option, v Value) (Value, bool) {
	if r.hide(o, v) {
		return Value{}, false
	}
	shown, ok := v.shown()
	if !ok {
		r.fail(o, ErrWriteOnly)
	}
	return shown, ok
}

// flat is the text of a value that is no JSON of its own.
func flat(o Option, v Value) string {
	if o.Kind == List {
		texts := make([]string, 0, len(v.items))
		for _, item := range v.items {
			texts = append(texts, item.text)
		}
		return strings.Join(texts, o.Separator)
	}
	if o.Kind == Pairs {
		pairs := make([]string, 0, len(v.fields))
		for _, name := range v.Names() {
			pairs = append(pairs, name+":"+v.fields[name].text)
		}
		return strings.Join(pairs, ",")
	}
	return v.text
}

// json is the value as encode takes it.
func (r *renderer) json(o Option, v Value) any {
	v, ok := r.show(o, v)
	if !ok {
		return WriteOnly
	}
	switch o.Kind {
	case Flag:
		if o.Bare {
			return v.text == "true"
		}
	case Count, Millis:
		if o.Bare {
			return json.Number(v.text)
		}
	case JSONObject:
		return json.RawMessage(v.text)
	case Strings:
		texts := make([]string, 0, len(v.items))
		for _, item := range v.items {
			texts = append(texts, item.text)
		}
		return texts
	case Map, Paths:
		fields := map[string]any{}
		for name, field := range v.fields {
			fields[name] = field.text
			if o.Kind == Paths {
				fields[name] = map[string]string{"path": field.text}
			}
		}
		return fields
	case Object:
		return r.membersOf(o, v)
	case First:
		return []any{r.membersOf(o, v)}
	case Objects:
		objects := make([]any, 0, len(v.items))
		for _, item := range v.items {
			objects = append(objects, r.membersOf(o, item))
		}
		return objects
	default:
	}
	return flat(o, v)
}

func (r *renderer) membersOf(o Option, v Value) map[string]any {
	members := map[string]any{}
	for _, option := range o.Options {
		if field, set := v.fields[option.Attribute]; set && field.form != absent {
			members[option.Key] = r.json(option, field)
		}
	}
	return members
}

func (r *renderer) encode(content any) string {
	text, err := encode(content)
	if err != nil {
		r.err = errors.Join(r.err, err)
	}
	return text
}
