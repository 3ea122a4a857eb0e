// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// fieldKind is the Java type of a field in a request.
type fieldKind int

const (
	textField fieldKind = iota
	intField
	boolField
	textList
	textMap
	jobIDField
	triggerIDField
	enumField
)

type field struct {
	kind   fieldKind
	values []string
}

// bodySpec is a request's class: its simple name and its fields.
type bodySpec struct {
	class  string
	fields map[string]field
}

// decode reads a JSON body as Flink's mapper does: an empty one is {}, scalars are coerced where Java would, and
// unknown fields are refused by 1.14 and ignored by everything later.
func (s *Server) decode(c *call, spec bodySpec) (map[string]any, *reply) {
	refused := func(t *throwable) (map[string]any, *reply) {
		a := restError(http.StatusBadRequest, throw(classRest, "Request did not match expected format %s.", spec.class).by(t))
		return nil, &a
	}
	if len(c.body) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(c.body))
	d.UseNumber()
	var raw any
	if err := d.Decode(&raw); err != nil {
		return refused(throw(classJSONParse, "%s", err))
	}
	object, isObject := raw.(map[string]any)
	if !isObject {
		return refused(throw(classMismatch, "Cannot deserialize value of type `%s` from %s", spec.class, javaToken(raw)))
	}
	out := map[string]any{}
	for name, value := range object {
		f, known := spec.fields[name]
		if !known {
			if s.version.strict() {
				return refused(throw(classUnrecognized, "Unrecognized field %q (class %s), not marked as ignorable", name, spec.class))
			}
			continue
		}
		if value == nil {
			continue
		}
		v, bad := f.coerce(value)
		if bad != nil {
			return refused(bad)
		}
		out[name] = v
	}
	return out, nil
}

const classUnrecognized = jackson + "databind.exc.UnrecognizedPropertyException"

// javaToken names the kind of a JSON value as Jackson does.
func javaToken(v any) string {
	switch v.(type) {
	case map[string]any:
		return "Object value (token `JsonToken.START_OBJECT`)"
	case []any:
		return "Array value (token `JsonToken.START_ARRAY`)"
	case json.Number:
		return "Number value (token `JsonToken.VALUE_NUMBER_INT`)"
	case string:
		return "String value (token `JsonToken.VALUE_STRING`)"
	}
	return "Boolean value (token `JsonToken.VALUE_TRUE`)"
}

// nullValue stands for a null in a map of texts, which Flink takes and then trips over.
type nullValue struct{}

func (f field) coerce(v any) (any, *throwable) {
	switch f.kind {
	case textField:
		return scalarText(v)
	case intField:
		t, bad := scalarText(v)
		if bad != nil {
			return nil, bad
		}
		n, err := strconv.Atoi(t)
		if err != nil {
			return nil, throw(classFormat, "Cannot deserialize value of type `java.lang.Integer` from String %q: not a valid `java.lang.Integer` value", t)
		}
		return n, nil
	case boolField:
		t, bad := scalarText(v)
		if bad != nil {
			return nil, bad
		}
		if t != "true" && t != "false" {
			return nil, throw(classFormat, "Cannot deserialize value of type `java.lang.Boolean` from String %q: only \"true\" or \"false\" recognized", t)
		}
		return t == "true", nil
	case textList:
		return texts(v)
	case textMap:
		return textsByKey(v)
	case jobIDField, triggerIDField:
		return f.id(v)
	case enumField:
		t, bad := scalarText(v)
		if bad == nil && !slices.Contains(f.values, t) {
			bad = throw(classFormat, "Cannot deserialize value from String %q: not one of the values accepted for Enum class: %v", t, f.values)
		}
		return t, bad
	}
	return v, nil
}

func scalarText(v any) (string, *throwable) {
	switch x := v.(type) {
	case string:
		return x, nil
	case json.Number:
		return x.String(), nil
	case bool:
		return strconv.FormatBool(x), nil
	}
	return "", throw(classMismatch, "Cannot deserialize value of type `java.lang.String` from %s", javaToken(v))
}

func texts(v any) (any, *throwable) {
	list, isList := v.([]any)
	if !isList {
		return nil, throw(classMismatch, "Cannot construct instance of `java.util.ArrayList` from %s", javaToken(v))
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		t, bad := scalarText(e)
		if bad != nil {
			return nil, bad
		}
		out = append(out, t)
	}
	return out, nil
}

func textsByKey(v any) (any, *throwable) {
	m, isMap := v.(map[string]any)
	if !isMap {
		return nil, throw(classMismatch, "Cannot construct instance of `java.util.LinkedHashMap` from %s", javaToken(v))
	}
	out := map[string]string{}
	null := false
	for k, e := range m {
		if e == nil {
			null = true
			continue
		}
		t, bad := scalarText(e)
		if bad != nil {
			return nil, bad
		}
		out[k] = t
	}
	if null {
		return nullValue{}, nil
	}
	return out, nil
}

const badJobID = "Cannot parse JobID from %q. The expected format is [0-9a-fA-F]{32}, e.g. fd72014d4c864993a2e5a9287b4a9c5d."

// parseID reads an id as Flink does: in pairs of digits, each read as a number that may have a sign, an odd last
// digit left out. So one dash at an even place is taken, and makes another id of it.
func parseID(t string) (string, *throwable) {
	b := make([]byte, len(t)/2)
	for i := range b {
		n, err := strconv.ParseInt(t[2*i:2*i+2], 16, 16)
		if err != nil {
			return "", throw(classNumber, "For input string: %q under radix 16", t[2*i:2*i+2])
		}
		b[i] = byte(n)
	}
	if len(b) != 16 {
		return "", throw(classArgument, "Argument bytes must by an array of 16 bytes")
	}
	return hex.EncodeToString(b), nil
}

// id reads an id; Java says in more words when a job's is wrong.
func (f field) id(v any) (any, *throwable) {
	t, bad := scalarText(v)
	if bad != nil {
		return nil, bad
	}
	id, bad := parseID(t)
	if bad == nil {
		return id, nil
	}
	if f.kind == triggerIDField {
		return nil, throw(classJSONMap, "%s", bad.message).by(bad)
	}
	return nil, throw(classJSONMap, badJobID, t).by(throw(classArgument, badJobID, t)).by(bad)
}

// typed reads a decoded field; the zero value is for one that was not sent.
func typed[T any](body map[string]any, name string) T {
	var zero T
	v, ok := body[name].(T)
	if !ok {
		return zero
	}
	return v
}
