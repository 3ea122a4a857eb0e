// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package validators

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// beside are the attributes of these names in the same object.
func beside(names []string) []path.Expression {
	all := make([]path.Expression, len(names))
	for i, name := range names {
		all[i] = path.MatchRelative().AtParent().AtName(name)
	}
	return all
}

// sibling is the path of the attribute beside that of the error.
func (f found) sibling(name string) string { return f.at.ParentPath().AtName(name).String() }

func (f found) siblings(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = f.sibling(name)
	}
	return all
}

// ExactlyOneOf wants one of these attributes of an object, of which the
// validated one is one.
func ExactlyOneOf(names ...string) validator.String {
	return textCheck{stringvalidator.ExactlyOneOf(beside(names)...), func(f found) (string, string) {
		all := f.siblings(names)
		if strings.HasPrefix(f.detail, "No attribute") {
			return "One of " + joined(all, "and") + " is needed", "Set " + either(all) + "."
		}
		return "Only one of " + joined(all, "and") + " can be set", "Keep the one that is meant, and remove the other."
	}}
}

// AtLeastOneOf wants one or more of these attributes of an object, or the
// validated one.
func AtLeastOneOf(names ...string) validator.String {
	return textCheck{stringvalidator.AtLeastOneOf(beside(names)...), func(f found) (string, string) {
		all := append([]string{f.at.String()}, f.siblings(names)...)
		return "One of " + joined(all, "and") + " is needed", "Set " + either(all) + "."
	}}
}

func exclude(names []string) wording {
	return func(f found) (string, string) {
		return f.at.String() + " and " + joined(f.siblings(names), "and") + " exclude each other", "Keep the one that is meant, and remove the other."
	}
}

// Excludes forbids the attribute beside these of the same object.
func Excludes(names ...string) validator.String {
	return textCheck{stringvalidator.ConflictsWith(beside(names)...), exclude(names)}
}

// ListExcludes is Excludes for a list.
func ListExcludes(names ...string) validator.List {
	return listCheck{listvalidator.ConflictsWith(beside(names)...), exclude(names)}
}

// MapExcludes is Excludes for a map.
func MapExcludes(names ...string) validator.Map {
	return mapCheck{mapvalidator.ConflictsWith(beside(names)...), exclude(names)}
}

func need(name string) wording {
	return func(f found) (string, string) {
		return f.at.String() + " needs " + f.sibling(name), "Set " + f.sibling(name) + " too, or remove " + f.at.String() + "."
	}
}

// Needs wants another attribute of the same object beside this one.
func Needs(name string) validator.String {
	return textCheck{stringvalidator.AlsoRequires(beside([]string{name})...), need(name)}
}

// NumberNeeds is Needs for a number.
func NumberNeeds(name string) validator.Int64 {
	return numberCheck{int64validator.AlsoRequires(beside([]string{name})...), need(name)}
}

// MapNeeds is Needs for a map.
func MapNeeds(name string) validator.Map {
	return mapCheck{mapvalidator.AlsoRequires(beside([]string{name})...), need(name)}
}
