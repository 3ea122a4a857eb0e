// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// property is a key and its value, in the order of the text.
type property struct{ key, value string }

// properties reads what people have: a file of properties, a JSON object of
// keys, the JSON array of arguments, or that array in base 64.
func properties(text string) ([]property, error) {
	trimmed := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case trimmed == "":
		return nil, errors.New("there is nothing in it")
	case !utf8.ValidString(trimmed):
		return nil, errors.New("it is not UTF-8")
	case trimmed[0] == '{':
		return ofObject(trimmed)
	case trimmed[0] == '[':
		return ofArguments(trimmed)
	}
	if decoded, ok := unbase64(trimmed); ok {
		return ofArguments(decoded)
	}
	return ofLines(trimmed)
}

// unbase64 reads what --encodedArgs has; line breaks do not count.
func unbase64(text string) (string, bool) {
	decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil || !bytes.HasPrefix(bytes.TrimSpace(decoded), []byte("[")) || !utf8.Valid(decoded) {
		return "", false
	}
	return string(decoded), true
}

func ofObject(text string) ([]property, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if _, err := decoder.Token(); err != nil {
		return nil, notJSON([]byte(text), err)
	}
	var found []property
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, notJSON([]byte(text), err)
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, notJSON([]byte(text), err)
		}
		name, ok := key.(string)
		if !ok {
			return nil, errors.New("it is no JSON object of keys")
		}
		if value == nil {
			continue
		}
		flat, err := flatJSON(value)
		if err != nil {
			return nil, err
		}
		found = append(found, property{name, flat})
	}
	if _, err := decoder.Token(); err != nil {
		return nil, notJSON([]byte(text), err)
	}
	if decoder.More() {
		return nil, errors.New("there is more behind the JSON object")
	}
	return found, nil
}

// flatJSON is a value as an argument has it.
func flatJSON(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, nil
	case json.Number:
		return value.String(), nil
	case bool:
		return strconv.FormatBool(value), nil
	}
	return encode(value)
}

// ofArguments reads arguments as Flink's ParameterTool does.
func ofArguments(text string) ([]property, error) {
	var args []string
	if err := decode([]byte(text), &args); err != nil {
		return nil, errors.New("it is no JSON array of texts: Dagger's arguments are [\"--KEY\", \"value\", ...]")
	}
	var found []property
	for i := 0; i < len(args); i++ {
		key, ok := keyOf(args[i])
		if !ok {
			return nil, fmt.Errorf("argument %d is no key: Dagger's arguments are --KEY and a value by turns", i)
		}
		if i+1 == len(args) || strings.HasPrefix(args[i+1], "-") && !numeric(args[i+1]) {
			return nil, fmt.Errorf("%s has no value: one that begins with - is taken for the next key", key)
		}
		i++
		if "--"+key == EncodedArgs {
			decoded, ok := unbase64(args[i])
			if !ok {
				return nil, errors.New("the value of --encodedArgs is no base 64 of a JSON array")
			}
			// Dagger looks at no other argument then.
			return ofArguments(decoded)
		}
		found = append(found, property{key, args[i]})
	}
	return found, nil
}

func keyOf(arg string) (string, bool) {
	key, ok := strings.CutPrefix(arg, "--")
	if !ok {
		key, ok = strings.CutPrefix(arg, "-")
	}
	return key, ok && key != ""
}

// numeric tells whether a value that begins with - is taken for one.
func numeric(value string) bool {
	_, err := strconv.ParseFloat(value, 64)
	return err == nil
}

// ofLines reads a Java file of properties.
func ofLines(text string) ([]property, error) {
	var found []property
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := 0; i < len(lines); i++ {
		line := strings.TrimLeft(lines[i], " \t\f")
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		for continued(line) {
			line = line[:len(line)-1]
			if i+1 == len(lines) {
				break
			}
			i++
			line += strings.TrimLeft(lines[i], " \t\f")
		}
		key, value := splitLine(line)
		name, err := unescape(key)
		if err != nil {
			return nil, err
		}
		content, err := unescape(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if name == "" {
			return nil, fmt.Errorf("line %d has no key", i+1)
		}
		found = append(found, property{name, content})
	}
	return found, nil
}

// continued tells whether a line ends with a backslash that no other escapes.
func continued(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// splitLine ends the key at the first separator without a backslash.
func splitLine(line string) (key, value string) {
	end := 0
	for end < len(line) && !strings.ContainsRune("=: \t\f", rune(line[end])) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	rest := strings.TrimLeft(line[end:], " \t\f")
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		rest = strings.TrimLeft(rest[1:], " \t\f")
	}
	return line[:end], rest
}

var escapes = map[byte]string{'n': "\n", 'r': "\r", 't': "\t", 'f': "\f"}

func unescape(text string) (string, error) {
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var plain strings.Builder
	var units []uint16
	flush := func() {
		plain.WriteString(string(utf16.Decode(units)))
		units = units[:0]
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			flush()
			plain.WriteByte(text[i])
			continue
		}
		i++
		if text[i] == 'u' {
			if i+5 > len(text) {
				return "", errors.New(`\u wants four hex digits`)
			}
			unit, err := strconv.ParseUint(text[i+1:i+5], 16, 16)
			if err != nil {
				return "", errors.New(`\u wants four hex digits`)
			}
			units = append(units, uint16(unit))
			i += 4
			continue
		}
		flush()
		if escaped, ok := escapes[text[i]]; ok {
			plain.WriteString(escaped)
		} else {
			plain.WriteByte(text[i])
		}
	}
	flush()
	return plain.String(), nil
}
