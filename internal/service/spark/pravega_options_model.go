// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package spark

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pravegaspark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

type pravegaOptionsModel struct {
	Controller        types.String                 `tfsdk:"controller"`
	Scope             types.String                 `tfsdk:"scope"`
	Stream            types.String                 `tfsdk:"stream"`
	AllowCreateScope  types.Bool                   `tfsdk:"allow_create_scope"`
	AllowCreateStream types.Bool                   `tfsdk:"allow_create_stream"`
	NumSegments       types.Int64                  `tfsdk:"default_num_segments"`
	ScaleFactor       types.Int64                  `tfsdk:"default_scale_factor"`
	BytesRate         customtypes.EngineMemorySize `tfsdk:"default_segment_target_rate_bytes_per_sec"`
	EventsRate        types.Int64                  `tfsdk:"default_segment_target_rate_events_per_sec"`
	RetentionTime     customtypes.EngineDuration   `tfsdk:"default_retention_duration_milliseconds"`
	RetentionSize     customtypes.EngineMemorySize `tfsdk:"default_retention_size_bytes"`
	StartStreamCut    types.String                 `tfsdk:"start_stream_cut"`
	EndStreamCut      types.String                 `tfsdk:"end_stream_cut"`
	ExactlyOnce       types.Bool                   `tfsdk:"exactly_once"`
	ReadAfterWrite    types.Bool                   `tfsdk:"read_after_write_consistency"`
	TransactionTime   customtypes.EngineDuration   `tfsdk:"transaction_timeout_ms"`
	PollInterval      customtypes.EngineDuration   `tfsdk:"transaction_status_poll_interval_ms"`
	Metadata          types.String                 `tfsdk:"metadata"`
	BytesPerTrigger   customtypes.EngineMemorySize `tfsdk:"approx_bytes_per_trigger"`

	Mode      types.String `tfsdk:"mode"`
	Managed   types.Bool   `tfsdk:"managed"`
	OnIgnored types.String `tfsdk:"on_ignored"`

	Options      map[string]string `tfsdk:"options"`
	Ignored      []ignoredModel    `tfsdk:"ignored"`
	StreamExists types.Bool        `tfsdk:"stream_exists"`
}

type ignoredModel struct {
	Option types.String `tfsdk:"option"`
	Wanted types.String `tfsdk:"wanted"`
	Actual types.String `tfsdk:"actual"`
}

// values are the attributes that stand for options, by their names.
func (m *pravegaOptionsModel) values() map[string]attr.Value {
	return map[string]attr.Value{
		pravegaspark.Controller: m.Controller, pravegaspark.Scope: m.Scope, pravegaspark.Stream: m.Stream,
		pravegaspark.AllowCreateScope: m.AllowCreateScope, pravegaspark.AllowCreateStream: m.AllowCreateStream,
		pravegaspark.NumSegments: m.NumSegments, pravegaspark.ScaleFactor: m.ScaleFactor,
		pravegaspark.BytesRate: m.BytesRate, pravegaspark.EventsRate: m.EventsRate,
		pravegaspark.RetentionTime: m.RetentionTime, pravegaspark.RetentionSize: m.RetentionSize,
		pravegaspark.StartStreamCut: m.StartStreamCut, pravegaspark.EndStreamCut: m.EndStreamCut,
		pravegaspark.ExactlyOnce: m.ExactlyOnce, pravegaspark.ReadAfterWrite: m.ReadAfterWrite,
		pravegaspark.TransactionTime: m.TransactionTime, pravegaspark.PollInterval: m.PollInterval,
		pravegaspark.Metadata: m.Metadata, pravegaspark.BytesPerTrigger: m.BytesPerTrigger,
	}
}

// options are those that are set.
func (m *pravegaOptionsModel) options(diagnostics *diag.Diagnostics) pravegaspark.Options {
	options := pravegaspark.Options{}
	for name, value := range m.values() {
		if value.IsNull() {
			continue
		}
		one, err := optionOf(name, value)
		if err != nil {
			diagnostics.AddAttributeError(path.Root(name), "Not a value for "+name, fmt.Sprintf("%s.", err))
			continue
		}
		options[name] = one
	}
	return options
}

// optionOf reads a value that is not null.
func optionOf(name string, value attr.Value) (pravegaspark.Value, error) {
	if value.IsUnknown() {
		return pravegaspark.Unknown(), nil
	}
	text, ok := values.Spelled(value)
	if !ok {
		return pravegaspark.Value{}, fmt.Errorf("%s is neither a string, a number nor a boolean", name)
	}
	return pravegaspark.Parse(name, text)
}

// set tells whether an option is set that counts only for a new stream.
func setsDefaults(options pravegaspark.Options) bool {
	for name := range options {
		if row, ok := pravegaspark.Lookup(name); ok && row.Creates() {
			return true
		}
	}
	return false
}

// createNothing lets the job create neither scope nor stream, unless the user
// says otherwise.
func createNothing(options pravegaspark.Options) {
	for _, name := range []string{pravegaspark.AllowCreateScope, pravegaspark.AllowCreateStream} {
		if no, err := pravegaspark.Parse(name, "false"); err == nil && !options.Set(name) {
			options[name] = no
		}
	}
}
