// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"
	"regexp"
	"unicode/utf16"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

// Limits of Pravega 0.13, measured: it answers 400 or 500 beyond them, without a reason.
const (
	maxScopeName  = 255
	maxStreamName = 250
	maxTags       = 127
	maxTagLength  = 255
	maxInt32      = 1<<31 - 1
)

var nameCharacters = regexp.MustCompile(`^[A-Za-z0-9.-]+$`)

// checkName says what is wrong with a name, "" if nothing is.
func checkName(name string, limit int) string {
	switch {
	case name == "":
		return "It is empty."
	case name == "." || name == "..":
		return "Pravega would take it, but \".\" and \"..\" are resolved by HTTP clients and proxies, so that it could not be reached again."
	case len(name) > 1 && name[0] == '_':
		return "Names that start with \"_\" belong to Pravega itself."
	case !nameCharacters.MatchString(name):
		return "Only the letters a-z and A-Z, digits, \".\" and \"-\" are allowed; Pravega refuses everything else, \"_\" too."
	case len(name) > limit:
		return fmt.Sprintf("It has %d characters; the limit is %d.", len(name), limit)
	}
	return ""
}

// nameValidator checks the name of a scope or a stream.
type nameValidator struct {
	what  string
	limit int
}

// Description says what is checked.
func (v nameValidator) Description(context.Context) string {
	return fmt.Sprintf("1 to %d of the characters a-z, A-Z, 0-9, \".\" and \"-\"", v.limit)
}

// MarkdownDescription says what is checked.
func (v nameValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known name.
func (v nameValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if wrong := checkName(req.ConfigValue.ValueString(), v.limit); wrong != "" {
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, fmt.Sprintf("Not a name for a Pravega %s", v.what),
			fmt.Sprintf("%q cannot be the name of a %s. %s", req.ConfigValue.ValueString(), v.what, wrong)))
	}
}

// tagValidator checks one tag.
type tagValidator struct{}

// Description says what is checked.
func (tagValidator) Description(context.Context) string {
	return fmt.Sprintf("1 to %d characters", maxTagLength)
}

// MarkdownDescription says what is checked.
func (v tagValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known tag. Pravega counts as Java does, in UTF-16 units.
func (tagValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	tag := req.ConfigValue.ValueString()
	switch length := len(utf16.Encode([]rune(tag))); {
	case length == 0:
		at := req.Path
		if parent := at.ParentPath(); len(parent.Steps()) > 0 {
			// An empty element of a set has no name to point to.
			at = parent
		}
		resp.Diagnostics.Append(diags.AtAttribute(at, "A tag is empty",
			"Each tag has 1 to 255 characters. Pravega would take an empty one, but cannot store its index of tags from then on, and soon stops answering for all streams."))
	case length > maxTagLength:
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "A tag is too long",
			fmt.Sprintf("It has %d characters (in UTF-16 units, as Pravega counts); the limit is %d.", length, maxTagLength)))
	}
}
