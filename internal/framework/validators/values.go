// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package validators

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// OneOf allows these words.
func OneOf(words ...string) validator.String {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = strconv.Quote(word)
	}
	return textCheck{stringvalidator.OneOf(words...), func(f found) (string, string) {
		return f.refused(), "Write " + either(quoted) + "."
	}}
}

// NotEmpty wants at least one character.
func NotEmpty() validator.String {
	return textCheck{stringvalidator.LengthAtLeast(1), func(f found) (string, string) {
		return f.at.String() + " is empty", "Write at least one character; where the attribute is optional, it can be left out."
	}}
}

// Length wants so many bytes, from the fewest to the most.
func Length(fewest, most int) validator.String {
	return textCheck{stringvalidator.LengthBetween(fewest, most), func(f found) (string, string) {
		return f.refused(), fmt.Sprintf("Write %d to %d characters.", fewest, most)
	}}
}

// Matches wants what the rule says, which begins with "must".
func Matches(pattern *regexp.Regexp, rule string) validator.String {
	return textCheck{stringvalidator.RegexMatches(pattern, rule), func(f found) (string, string) {
		return f.refused(), "It " + rule + "."
	}}
}

// Between wants a number of a range.
func Between(least, most int64) validator.Int64 {
	return numberCheck{int64validator.Between(least, most), func(f found) (string, string) {
		return f.refused(), fmt.Sprintf("Write a whole number from %d to %d.", least, most)
	}}
}

// AtLeast wants a number that is not below another.
func AtLeast(least int64) validator.Int64 {
	return numberCheck{int64validator.AtLeast(least), func(f found) (string, string) {
		return f.refused(), fmt.Sprintf("Write a whole number of at least %d.", least)
	}}
}

func nothing(f found) (string, string) {
	return f.at.String() + " is empty", "Give it at least one element; where the attribute is optional, it can be left out."
}

// ListNotEmpty wants at least one element.
func ListNotEmpty() validator.List { return listCheck{listvalidator.SizeAtLeast(1), nothing} }

// SetNotEmpty wants at least one element.
func SetNotEmpty() validator.Set { return setCheck{setvalidator.SizeAtLeast(1), nothing} }

// MapNotEmpty wants at least one element.
func MapNotEmpty() validator.Map { return mapCheck{mapvalidator.SizeAtLeast(1), nothing} }

// SetOfAtMost wants so many elements or fewer.
func SetOfAtMost(most int) validator.Set {
	return setCheck{setvalidator.SizeAtMost(most), func(f found) (string, string) {
		return f.at.String() + " has too many elements", fmt.Sprintf("At most %d are allowed.", most)
	}}
}

func holes(f found) (string, string) {
	return "An element of " + f.at.String() + " is null", "Leave the element out, or give it a value."
}

// ListWithoutNull wants a value in each element.
func ListWithoutNull() validator.List { return listCheck{listvalidator.NoNullValues(), holes} }

// MapWithoutNull wants a value at each key.
func MapWithoutNull() validator.Map { return mapCheck{mapvalidator.NoNullValues(), holes} }

// either joins alternatives: "a", "a or b", "a, b or c".
func either(all []string) string { return joined(all, "or") }

func joined(all []string, last string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " " + last + " " + all[len(all)-1]
}

// EachOfList checks each element of a list of texts.
func EachOfList(checks ...validator.String) validator.List {
	return listvalidator.ValueStringsAre(checks...)
}

// EachOfSet checks each element of a set of texts.
func EachOfSet(checks ...validator.String) validator.Set {
	return setvalidator.ValueStringsAre(checks...)
}
