// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package pravega

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	api "github.com/terraform-streaming/terraform-provider-streaming/internal/client/pravega"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
)

type streamModel struct {
	ID                  types.String           `tfsdk:"id"`
	Scope               types.String           `tfsdk:"scope"`
	Name                types.String           `tfsdk:"name"`
	Scaling             types.Object           `tfsdk:"scaling"`
	Retention           types.Object           `tfsdk:"retention"`
	Tags                types.Set              `tfsdk:"tags"`
	AggregationTimeout  customtypes.Duration   `tfsdk:"timestamp_aggregation_timeout"`
	RolloverSize        customtypes.MemorySize `tfsdk:"rollover_size"`
	DeletionProtection  types.Bool             `tfsdk:"deletion_protection"`
	AllowDataLoss       types.Bool             `tfsdk:"allow_data_loss"`
	AllowRetentionReset types.Bool             `tfsdk:"allow_retention_reset"`
	AdoptExisting       types.Bool             `tfsdk:"adopt_existing"`
	SegmentCount        types.Int64            `tfsdk:"segment_count"`
}

type scalingModel struct {
	Type        types.String `tfsdk:"type"`
	TargetRate  types.Int64  `tfsdk:"target_rate"`
	ScaleFactor types.Int64  `tfsdk:"scale_factor"`
	MinSegments types.Int64  `tfsdk:"min_segments"`
}

type retentionModel struct {
	Time customtypes.Duration   `tfsdk:"time"`
	Size customtypes.MemorySize `tfsdk:"size"`
}

type streamIdentity struct {
	Scope types.String `tfsdk:"scope"`
	Name  types.String `tfsdk:"name"`
}

var (
	scalingTypes = map[string]attr.Type{
		"type": types.StringType, "target_rate": types.Int64Type, "scale_factor": types.Int64Type, "min_segments": types.Int64Type,
	}
	retentionTypes = map[string]attr.Type{"time": customtypes.DurationType{}, "size": customtypes.MemorySizeType{}}
)

func defaultScaling() types.Object {
	return scalingObject(api.Scaling{Type: api.Fixed, MinSegments: 1})
}

func (m *streamModel) title() string {
	return streamTitle(m.Scope.ValueString(), m.Name.ValueString())
}

func (m *streamModel) id() types.String {
	if m.Scope.IsUnknown() || m.Name.IsUnknown() {
		return types.StringUnknown()
	}
	return types.StringValue(m.Scope.ValueString() + "/" + m.Name.ValueString())
}

func (m *streamModel) identity() streamIdentity { return streamIdentity{Scope: m.Scope, Name: m.Name} }

// config is what the controller is to be told. All values are known.
func (m *streamModel) config(ctx context.Context) (api.StreamConfig, diag.Diagnostics) {
	var config api.StreamConfig
	var diagnostics diag.Diagnostics
	var scaling scalingModel
	diagnostics.Append(m.Scaling.As(ctx, &scaling, basetypes.ObjectAsOptions{})...)
	config.Scaling = api.Scaling{
		Type: api.ScalingType(scaling.Type.ValueString()), TargetRate: scaling.TargetRate.ValueInt64(),
		ScaleFactor: scaling.ScaleFactor.ValueInt64(), MinSegments: scaling.MinSegments.ValueInt64(),
	}
	config.Retention, _ = retentionOf(ctx, m.Retention, &diagnostics)
	diagnostics.Append(m.Tags.ElementsAs(ctx, &config.Tags, false)...)
	timeout, _ := m.AggregationTimeout.Get()
	config.AggregationTimeout = timeout.Milliseconds()
	config.RolloverSize, _ = m.RolloverSize.Get()
	return config, diagnostics
}

// retentionOf is a retention as the controller counts; known is false while
// any of it is unknown.
func retentionOf(ctx context.Context, object types.Object, diagnostics *diag.Diagnostics) (retention *api.Retention, known bool) {
	if object.IsNull() || object.IsUnknown() {
		return nil, !object.IsUnknown()
	}
	var m retentionModel
	diagnostics.Append(object.As(ctx, &m, basetypes.ObjectAsOptions{})...)
	if m.Time.IsUnknown() || m.Size.IsUnknown() {
		return nil, false
	}
	if d, ok := m.Time.Get(); ok {
		return &api.Retention{Kind: api.RetainTime, Amount: int64(d / time.Minute)}, true
	}
	if size, ok := m.Size.Get(); ok {
		return &api.Retention{Kind: api.RetainSize, Amount: size / mebibyte}, true
	}
	return nil, true
}

// refresh takes over what was read, and keeps the spelling of what is the same.
func (m *streamModel) refresh(ctx context.Context, stream api.Stream, segments int64) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	m.ID = m.id()
	m.Scaling = scalingObject(stream.Scaling)
	before, _ := retentionOf(ctx, m.Retention, &diagnostics)
	switch now := stream.Retention; {
	case now == nil || now.Inexact:
		m.Retention = types.ObjectNull(retentionTypes)
	case before == nil || *before != *now:
		m.Retention = retentionObject(*now)
	}
	// No tags are an empty set, also where the answer leaves them out.
	tags, more := types.SetValueFrom(ctx, types.StringType, append([]string{}, stream.Tags...))
	diagnostics.Append(more...)
	m.Tags = tags
	if timeout, ok := m.AggregationTimeout.Get(); !ok || timeout.Milliseconds() != stream.AggregationTimeout {
		m.AggregationTimeout = customtypes.NewDuration(formatMillis(stream.AggregationTimeout))
	}
	if size, ok := m.RolloverSize.Get(); !ok || size != stream.RolloverSize {
		m.RolloverSize = customtypes.NewMemorySize(formatBytes(stream.RolloverSize))
	}
	m.SegmentCount = types.Int64Value(segments)
	return diagnostics
}

func scalingObject(s api.Scaling) types.Object {
	number := func(n int64) types.Int64 {
		if s.Type == api.Fixed {
			return types.Int64Null()
		}
		return types.Int64Value(n)
	}
	return types.ObjectValueMust(scalingTypes, map[string]attr.Value{
		"type": types.StringValue(string(s.Type)), "target_rate": number(s.TargetRate),
		"scale_factor": number(s.ScaleFactor), "min_segments": types.Int64Value(s.MinSegments),
	})
}

func retentionObject(r api.Retention) types.Object {
	m := map[string]attr.Value{"time": customtypes.NewDurationNull(), "size": customtypes.NewMemorySizeNull()}
	if r.Kind == api.RetainTime {
		m["time"] = customtypes.NewDuration(formatMinutes(r.Amount))
	} else {
		m["size"] = customtypes.NewMemorySize(formatMebibytes(r.Amount))
	}
	return types.ObjectValueMust(retentionTypes, m)
}

// unit is a number of the smaller unit, and its name.
type unit struct {
	size int64
	name string
}

// format writes a number in the largest unit that it is a whole number of.
func format(n int64, units ...unit) string {
	for _, u := range units {
		if n%u.size == 0 && n != 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d %s", n, units[len(units)-1].name)
}

func formatMinutes(n int64) string {
	return format(n, unit{24 * 60, "d"}, unit{60, "h"}, unit{1, "min"})
}

func formatMebibytes(n int64) string {
	return format(n, unit{1 << 20, "tb"}, unit{1 << 10, "gb"}, unit{1, "mb"})
}

func formatMillis(n int64) string {
	return format(n, unit{24 * 3600 * 1000, "d"}, unit{3600 * 1000, "h"}, unit{60 * 1000, "min"}, unit{1000, "s"}, unit{1, "ms"})
}

func formatBytes(n int64) string {
	return format(n, unit{1 << 40, "tb"}, unit{1 << 30, "gb"}, unit{1 << 20, "mb"}, unit{1 << 10, "kb"}, unit{1, "b"})
}

// describe says what a retention keeps.
func describe(r *api.Retention) string {
	switch {
	case r == nil:
		return "everything"
	case r.Inexact && r.Kind == api.RetainTime && r.Amount < 1:
		return "less than a minute"
	case r.Inexact && r.Kind == api.RetainTime:
		return "between " + formatMinutes(r.Amount) + " and a minute more"
	case r.Inexact:
		return "less than 1 mb"
	case r.Kind == api.RetainTime:
		return formatMinutes(r.Amount)
	}
	return formatMebibytes(r.Amount)
}

// differences lists in words where a stream differs from what is wanted.
func differences(is, wanted api.StreamConfig) string {
	var lines []string
	differ := func(attribute string, is, wanted any) {
		lines = append(lines, fmt.Sprintf("  %s: is %v, configured %v", attribute, is, wanted))
	}
	if is.Scaling != wanted.Scaling {
		differ("scaling", describeScaling(is.Scaling), describeScaling(wanted.Scaling))
	}
	if !is.Retention.Equal(wanted.Retention) {
		differ("retention", "keeps "+describe(is.Retention), "keeps "+describe(wanted.Retention))
	}
	if !api.SameTags(is.Tags, wanted.Tags) {
		differ("tags", "["+enumerate(is.Tags)+"]", "["+enumerate(wanted.Tags)+"]")
	}
	if is.AggregationTimeout != wanted.AggregationTimeout {
		differ("timestamp_aggregation_timeout", formatMillis(is.AggregationTimeout), formatMillis(wanted.AggregationTimeout))
	}
	if is.RolloverSize != wanted.RolloverSize {
		differ("rollover_size", formatBytes(is.RolloverSize), formatBytes(wanted.RolloverSize))
	}
	return strings.Join(lines, "\n")
}

func describeScaling(s api.Scaling) string {
	if s.Type == api.Fixed {
		return fmt.Sprintf("%s with %d segments", s.Type, s.MinSegments)
	}
	return fmt.Sprintf("%s with rate %d, factor %d, at least %d segments", s.Type, s.TargetRate, s.ScaleFactor, s.MinSegments)
}
