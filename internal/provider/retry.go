// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/client/rest"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
)

// The limits of retry.
const (
	mostTries    = 100
	shortestWait = time.Millisecond
	longestWait  = 10 * time.Minute
)

func retrySchema() schema.SingleNestedAttribute {
	limits := []validator.String{waitValidator{}}
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "How requests are repeated. Reads are, when no whole answer came or the answer is 429, 502, 503 or 504. " +
			"A request that changes something is only when it surely was not executed: no connection was made, or Flink itself refused it while it elected a leader. " +
			"A resource's `timeouts` limit all tries together, `request_timeout` each one.",
		Attributes: map[string]schema.Attribute{
			"max_tries": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: fmt.Sprintf("How often a request is sent, the first time included, from 1, which repeats nothing, to %d. Default `%d`.",
					mostTries, rest.DefaultMaxTries),
				Validators: []validator.Int64{validators.Between(1, mostTries)},
			},
			"min_wait": schema.StringAttribute{
				Optional: true, CustomType: customtypes.DurationType{},
				MarkdownDescription: "Pause before the second try, from `1 ms` to `10 min`; it doubles from try to try, and up to half of it is left off at random. Default `500 ms`, or `max_wait` if that is shorter.",
				Validators:          limits,
			},
			"max_wait": schema.StringAttribute{
				Optional: true, CustomType: customtypes.DurationType{},
				MarkdownDescription: "Longest pause, from `1 ms` to `10 min`. Default `8 s`, or `min_wait` if that is longer.",
				Validators:          limits,
			},
		},
		Validators: []validator.Object{waitsValidator{}},
	}
}

// waitValidator refuses pauses that are no pauses, or that nobody waits for.
type waitValidator struct{}

// Description says what is checked.
func (waitValidator) Description(context.Context) string {
	return fmt.Sprintf("a duration from %s to %s", spell(shortestWait), spell(longestWait))
}

// MarkdownDescription says what is checked.
func (v waitValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a known value; one that is no duration is told of by its type.
func (v waitValidator) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	wait, ok := customtypes.Duration{StringValue: req.ConfigValue}.Get()
	if ok && (wait < shortestWait || wait > longestWait) {
		resp.Diagnostics.Append(diags.AtAttribute(req.Path, "Not a pause between two tries",
			fmt.Sprintf("%s = %q must be %s.", req.Path, req.ConfigValue.ValueString(), v.Description(ctx))))
	}
}

// spell writes whole units.
func spell(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%d ms", d/time.Millisecond)
}

// waitsValidator refuses a shortest pause above the longest.
type waitsValidator struct{}

// Description says what is checked.
func (waitsValidator) Description(context.Context) string { return "min_wait is at most max_wait" }

// MarkdownDescription says what is checked.
func (v waitsValidator) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateObject checks two known values.
func (waitsValidator) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	var unknown bool
	retry := readBlock(req.ConfigValue, &unknown)
	if low, high := retry.duration("min_wait"), retry.duration("max_wait"); high > 0 && low > high {
		resp.Diagnostics.Append(diags.AtAttribute(req.Path.AtName("min_wait"), "The shortest pause is above the longest",
			fmt.Sprintf("%s is longer than %s. Raise max_wait, or lower min_wait.", req.Path.AtName("min_wait"), req.Path.AtName("max_wait"))))
	}
}
