// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravegafake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"strings"
)

// errBroken stands for an exception in the engine, which becomes a page of HTML.
var errBroken = errors.New("exception in the engine")

// refused is what the engine's JSON reader objects to.
type refused struct{ reason string }

func (r *refused) Error() string { return r.reason }

// read decodes a request's body. Its answer is sent when it returns false.
func read(w http.ResponseWriter, r *http.Request) (object, bool) {
	content, err := io.ReadAll(r.Body)
	if err != nil {
		unreadable(w, err.Error())
		return nil, false
	}
	text := strings.TrimSpace(string(content))
	if text == "" || text == "null" {
		broken(w)
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		unreadable(w, "Unexpected character: "+err.Error())
		return nil, false
	}
	m, ok := value.(map[string]any)
	if !ok {
		unreadable(w, "Cannot deserialize value")
		return nil, false
	}
	return m, true
}

// reject answers an error of the readers below.
func reject(w http.ResponseWriter, err error) {
	if r, ok := errors.AsType[*refused](err); ok {
		unreadable(w, r.reason)
		return
	}
	broken(w)
}

// object is a JSON object, read as leniently as the engine reads it: unknown
// keys are ignored, numbers may be strings, fractions are cut off.
type object map[string]any

func (o object) object(key string) (object, error) {
	switch v := o[key].(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	default:
		return nil, &refused{fmt.Sprintf("Cannot construct instance of %s from %T", key, v)}
	}
}

func (o object) text(key string) (string, bool) {
	switch v := o[key].(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// integer reads a number of 32 or 64 bits; present is false for null and absent.
func (o object) integer(key string, bits int) (value int64, present bool, err error) {
	raw := o[key]
	if raw == nil {
		return 0, false, nil
	}
	text, ok := o.text(key)
	if _, isBool := raw.(bool); !ok || isBool {
		return 0, false, &refused{"Cannot deserialize value of type number for " + key}
	}
	number, _, parseErr := big.ParseFloat(strings.TrimSpace(text), 10, 200, big.ToZero)
	if parseErr != nil {
		return 0, false, &refused{fmt.Sprintf("Cannot deserialize value of type number from String %q: not a valid number", text)}
	}
	whole, _ := number.Int(nil)
	if whole.BitLen() >= bits && whole.Cmp(new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(bits-1)))) != 0 {
		return 0, false, &refused{fmt.Sprintf("Numeric value (%s) out of range of %s", text, map[int]string{32: "int", 64: "long"}[bits])}
	}
	return whole.Int64(), true, nil
}

// texts reads a list of strings.
func (o object) texts(key string) ([]string, error) {
	if o[key] == nil {
		return nil, nil
	}
	list, ok := o[key].([]any)
	if !ok {
		return nil, &refused{"Cannot deserialize value of type list from " + key}
	}
	var out []string
	for i := range list {
		element, ok := object{"": list[i]}.text("")
		switch {
		case list[i] == nil:
			return nil, errBroken
		case !ok:
			return nil, &refused{"Cannot deserialize value of type String from " + key}
		}
		out = append(out, element)
	}
	return out, nil
}
