// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

// What YAML 1.1, which the client reads, takes for something else than a text.
var (
	yamlNull  = regexp.MustCompile(`^(?:~|null|Null|NULL|)$`)
	yamlTrue  = regexp.MustCompile(`^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$`)
	yamlFalse = regexp.MustCompile(`^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$`)
	yamlInt   = regexp.MustCompile(`^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(?::[0-5]?[0-9])*)$`)
	yamlFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	yamlTime  = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?$`)
	// plainFloat is what Java prints as it is written.
	plainFloat = regexp.MustCompile(`^-?(?:0|[1-9][0-9]{0,5})\.(?:0|[0-9]{0,5}[1-9])$`)
)

// scalar is the text that the client makes of a value; ok is false for one that
// it drops. The error has no part of the value.
func scalar(node *yaml.Node) (text string, ok bool, err error) {
	switch quoted := node.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle); {
	case node.Style&yaml.TaggedStyle != 0 && node.Tag != "!!str":
		return "", false, fmt.Errorf("the tag %s is not read here; write the value in quotes", node.Tag)
	case quoted != 0 || node.Style&yaml.TaggedStyle != 0:
		text = flinkvalue.Trim(node.Value)
	default:
		if text, err = plainScalar(node.Value); err != nil {
			return "", false, err
		}
	}
	return text, text != "", nil
}

func plainScalar(value string) (string, error) {
	switch {
	case yamlNull.MatchString(value):
		return "", nil
	case yamlTrue.MatchString(value):
		return "true", nil
	case yamlFalse.MatchString(value):
		return "false", nil
	case yamlInt.MatchString(value):
		return yamlNumber(value)
	case plainFloat.MatchString(value) && !strings.HasPrefix(value, "0.000"):
		return value, nil
	case yamlFloat.MatchString(value):
		return javaDouble(value)
	case yamlTime.MatchString(value):
		return "", fmt.Errorf("YAML takes it for a date, which the client then writes in words; write it in quotes")
	}
	return flinkvalue.Trim(value), nil
}

// plainText tells whether YAML takes a word without quotes for a text.
func plainText(value string) bool {
	return !slices.ContainsFunc([]*regexp.Regexp{yamlNull, yamlTrue, yamlFalse, yamlInt, yamlFloat, yamlTime}, func(form *regexp.Regexp) bool { return form.MatchString(value) })
}

// yamlNumber reads a whole number of YAML 1.1: 0777 is octal, 1:30 has base 60.
func yamlNumber(value string) (string, error) {
	digits := strings.ReplaceAll(value, "_", "")
	sign := ""
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = strings.TrimPrefix(digits[:1], "+"), digits[1:]
	}
	number, ok := new(big.Int), true
	switch {
	case strings.HasPrefix(digits, "0b"):
		_, ok = number.SetString(digits[2:], 2)
	case strings.HasPrefix(digits, "0x"):
		_, ok = number.SetString(digits[2:], 16)
	case digits != "0" && digits[0] == '0':
		_, ok = number.SetString(digits[1:], 8)
	default:
		for part := range strings.SplitSeq(digits, ":") {
			digit, good := new(big.Int).SetString(part, 10)
			if !good {
				return "", fmt.Errorf("it is no number; write it in quotes")
			}
			number.Mul(number, big.NewInt(60)).Add(number, digit)
		}
	}
	if !ok {
		return "", fmt.Errorf("it is no number; write it in quotes")
	}
	if number.Sign() == 0 {
		sign = ""
	}
	return sign + number.String(), nil
}

// javaDouble is how Java prints a decimal number, as far as that is simple.
func javaDouble(value string) (string, error) {
	number, err := strconv.ParseFloat(strings.ReplaceAll(value, "_", ""), 64)
	if err == nil && (number == 0 || number >= 0.001 && number < 1e7 || number <= -0.001 && number > -1e7) {
		text := strconv.FormatFloat(number, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text, nil
	}
	return "", fmt.Errorf("YAML takes it for a number, which the client then writes in another way; write it in quotes")
}
