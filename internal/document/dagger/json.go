// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// json is a JSON document without what does not count: blanks, and in an object
// of arguments the order, and a fraction of nothing. The order of a schema is
// that of the columns.
func (o Option) json(text []byte) (Value, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return Value{}, notJSON(text, err)
	}
	if err := once(text); err != nil {
		return Value{}, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, whole); err != nil {
		return Value{}, notJSON(text, err)
	}
	if o.Kind == JSONText {
		return Plain(compact.String()), nil
	}
	var content map[string]any
	if err := decode(text, &content); err != nil || content == nil {
		return Value{}, errors.New("it is no JSON object")
	}
	sorted, err := encode(shortest(content))
	if err != nil {
		return Value{}, errors.New("it is no JSON object")
	}
	return Plain(sorted), nil
}

// shortest writes 1.0 as 1: Dagger reads each number of an object as a double.
func shortest(content any) any {
	switch content := content.(type) {
	case map[string]any:
		for key, value := range content {
			content[key] = shortest(value)
		}
	case []any:
		for i, value := range content {
			content[i] = shortest(value)
		}
	case json.Number:
		if whole, fraction, ok := strings.Cut(content.String(), "."); ok && strings.Trim(fraction, "0") == "" {
			return json.Number(whole)
		}
	}
	return content
}

// once fails where an object has a key twice: Gson fails over it, or takes one
// of the values. The text is one JSON value.
func once(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return onceIn(decoder, text)
}

func onceIn(decoder *json.Decoder, text []byte) error {
	token, err := decoder.Token()
	if err != nil {
		return notJSON(text, err)
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for decoder.More() {
		if open == '{' {
			token, err := decoder.Token()
			if err != nil {
				return notJSON(text, err)
			}
			key, _ := token.(string)
			if seen[key] {
				return fmt.Errorf("%s: the key %q is there twice", place(text, decoder.InputOffset()), key)
			}
			seen[key] = true
		}
		if err := onceIn(decoder, text); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

// notJSON says where a text ends to be JSON, and nothing of what is there.
func notJSON(text []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s: it is not valid JSON", place(text, syntax.Offset))
	}
	return errors.New("it is not valid JSON: it ends too early")
}

// place is where the byte before an offset is.
func place(text []byte, offset int64) string {
	before := text[:max(0, min(offset-1, int64(len(text))))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}
