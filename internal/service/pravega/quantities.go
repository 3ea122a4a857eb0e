// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

const (
	millisecond = time.Millisecond
	minute      = time.Minute
	mebibyte    = int64(1) << 20
)

// wholeDuration checks that a duration is a whole number of a unit. What is no
// duration at all is reported by its type.
type wholeDuration struct {
	unit     time.Duration
	name     string
	positive bool
}

// Description says what is checked.
func (v wholeDuration) Description(context.Context) string {
	if v.positive {
		return fmt.Sprintf("a whole number of %ss, at least one", v.name)
	}
	return fmt.Sprintf("a whole number of %ss", v.name)
}

// MarkdownDescription says what is checked.
func (v wholeDuration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known duration.
func (v wholeDuration) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	text := req.ConfigValue.ValueString()
	d, err := flinkvalue.Duration(text)
	switch {
	case err != nil:
	case v.positive && d == 0:
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Retention of nothing",
			fmt.Sprintf("%q is zero: Pravega would take it and delete all data at the next cycle. Leave retention out to keep data for ever.", text)))
	case d%v.unit != 0:
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, fmt.Sprintf("Not a whole number of %ss", v.name),
			fmt.Sprintf("%q is not %s. Pravega's REST API carries nothing finer and would round it.", text, v.Description(ctx))))
	}
}

// wholeSize checks that a size is a whole number of MiB and above zero.
type wholeSize struct{}

// Description says what is checked.
func (wholeSize) Description(context.Context) string { return "a whole number of MiB, at least one" }

// MarkdownDescription says what is checked.
func (v wholeSize) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known size. The grammar's own limit, 2^63-1 bytes,
// is below the number of MiB at which Pravega wraps around.
func (v wholeSize) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	text := req.ConfigValue.ValueString()
	size, err := flinkvalue.Memory(text)
	switch {
	case err != nil:
	case size == 0:
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Retention of nothing",
			fmt.Sprintf("%q is zero: Pravega would take it and delete all data at the next cycle. Leave retention out to keep data for ever.", text)))
	case size%mebibyte != 0:
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Not a whole number of MiB",
			fmt.Sprintf("%q is not %s. Pravega's REST API carries nothing finer and would round it. Note that mb, gb and tb are powers of 1024.", text, v.Description(ctx))))
	}
}
