// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flinkfake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fieldKind is the Java type of a field in a request.
type fieldKind int

const (
	textField fieldKind = iota
	intField
	boolField
	textList
	textMap
	anyField
	idField
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
	refused := func(format string, args ...any) (map[string]any, *reply) {
		text := "Request did not match expected format " + spec.class + "."
		a := restError(http.StatusBadRequest, throw(classRest, "%s", text).by(throw(jacksonClass, format, args...)))
		return nil, &a
	}
	if len(bytes.TrimSpace(c.body)) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(c.body))
	d.UseNumber()
	var raw map[string]any
	if err := d.Decode(&raw); err != nil {
		return refused("%s", err)
	}
	out := map[string]any{}
	for name, value := range raw {
		f, known := spec.fields[name]
		if !known {
			if s.version.strict() {
				return refused("Unrecognized field %q (class %s), not marked as ignorable", name, spec.class)
			}
			continue
		}
		if value == nil {
			continue
		}
		v, err := f.coerce(value)
		if err != nil {
			return refused("%s", err)
		}
		out[name] = v
	}
	return out, nil
}

const jacksonClass = "org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonMappingException"

// nullValue stands for a null in a map of texts, which Flink takes and then trips over.
type nullValue struct{}

func (f field) coerce(v any) (any, error) {
	switch f.kind {
	case textField:
		return scalarText(v)
	case intField:
		t, err := scalarText(v)
		if err != nil {
			return nil, err
		}
		return strconv.Atoi(t)
	case boolField:
		t, err := scalarText(v)
		if err != nil {
			return nil, err
		}
		return strconv.ParseBool(t)
	case textList:
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("Cannot deserialize value of type `java.util.ArrayList<java.lang.String>` from %T", v) //nolint:staticcheck // Flink's words.
		}
		return texts(list)
	case textMap:
		return textsByKey(v)
	case idField:
		return idValue(v)
	case enumField:
		t, err := scalarText(v)
		if err != nil || !slices.Contains(f.values, t) {
			return nil, fmt.Errorf("Cannot deserialize value from String %q: not one of the values accepted for Enum class: %v", t, f.values) //nolint:staticcheck // Flink's words.
		}
		return t, nil
	case anyField:
	}
	return v, nil
}

func scalarText(v any) (string, error) {
	switch x := v.(type) {
	case string:
		return x, nil
	case json.Number:
		return x.String(), nil
	case bool:
		return strconv.FormatBool(x), nil
	}
	return "", fmt.Errorf("Cannot deserialize value of type `java.lang.String` from %T", v) //nolint:staticcheck // Flink's words.
}

func texts(list []any) ([]string, error) {
	out := make([]string, 0, len(list))
	for _, e := range list {
		t, err := scalarText(e)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func textsByKey(v any) (any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("Cannot deserialize value of type `java.util.LinkedHashMap` from %T", v) //nolint:staticcheck // Flink's words.
	}
	out := map[string]string{}
	for k, e := range m {
		if e == nil {
			return nullValue{}, nil
		}
		t, err := scalarText(e)
		if err != nil {
			return nil, err
		}
		out[k] = t
	}
	return out, nil
}

var (
	idForm      = regexp.MustCompile(`^[0-9a-f]{32}$`)
	dashedID    = regexp.MustCompile(`^[0-9a-f-]{33}$`)
	errBadIDFmt = "Cannot parse JobID from \"%s\". The expected format is [0-9a-fA-F]{32}, e.g. fd72014d4c864993a2e5a9287b4a9c5d."
)

// parseID reads a job id as Flink does, down to what it makes of one dash: an f in its place, the last digit cut.
func parseID(t string) (string, bool) {
	id := strings.ToLower(t)
	if idForm.MatchString(id) {
		return id, true
	}
	if dashedID.MatchString(id) && strings.Count(id, "-") == 1 {
		return strings.Replace(id, "-", "f", 1)[:32], true
	}
	return "", false
}

func idValue(v any) (any, error) {
	t, err := scalarText(v)
	if err != nil {
		return nil, err
	}
	id, ok := parseID(t)
	if !ok {
		return nil, fmt.Errorf(errBadIDFmt, t)
	}
	return id, nil
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
