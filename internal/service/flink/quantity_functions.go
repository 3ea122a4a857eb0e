// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"context"
	"math/big"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/diags"
)

var (
	_ function.Function = (*readFunction)(nil)
	_ function.Function = (*spellFunction)(nil)
)

const needsFunctions = " Needs Terraform 1.8 or OpenTofu 1.7."

// readFunction reads a quantity as a number.
type readFunction struct {
	name, summary, description, parameter string

	read func(text string) (*big.Float, error)
	// advice is how a quantity is written.
	advice string
}

// Metadata names the function.
func (f *readFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

// Definition describes the function.
func (f *readFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: f.summary, MarkdownDescription: f.description + needsFunctions,
		Parameters: []function.Parameter{function.StringParameter{Name: "text", MarkdownDescription: f.parameter}},
		Return:     function.NumberReturn{},
	}
}

// Run reads.
func (f *readFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	number, err := f.read(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, diags.Sentence(err.Error())+" "+f.advice)
		return
	}
	resp.Error = resp.Result.Set(ctx, types.NumberValue(number))
}

// spellFunction writes a number as a quantity.
type spellFunction struct {
	name, summary, description, parameter string

	// unit is what the number counts, and parts how many of what is written make one.
	unit  string
	parts int64
	spell func(parts int64) string
}

// Metadata names the function.
func (f *spellFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

// Definition describes the function.
func (f *spellFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: f.summary, MarkdownDescription: f.description + needsFunctions,
		Parameters: []function.Parameter{function.NumberParameter{Name: f.unit, MarkdownDescription: f.parameter}},
		Return:     function.StringReturn{},
	}
}

// Run spells.
func (f *spellFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var number *big.Float
	if resp.Error = req.Arguments.Get(ctx, &number); resp.Error != nil {
		return
	}
	parts, ok := whole(new(big.Float).SetPrec(precision).Mul(number, new(big.Float).SetInt64(f.parts)))
	switch {
	case number.Sign() < 0:
		resp.Error = function.NewArgumentFuncError(0, "The number is below zero, which Flink does not take")
	case !ok:
		resp.Error = function.NewArgumentFuncError(0, "Flink has no spelling for the number: "+f.limits())
	default:
		resp.Error = resp.Result.Set(ctx, f.spell(parts))
	}
}

func (f *spellFunction) limits() string {
	if f.parts > 1 {
		return "a duration is a whole number of nanoseconds, at most 292 years"
	}
	return "a size is a whole number of bytes, below 2^63"
}

// precision is that of Terraform's own numbers, in bits.
const precision = 512

// whole is the whole number that a number stands for: a decimal fraction has no
// exact binary form, so that 0.1 million is a hundred thousand nearly.
func whole(number *big.Float) (rounded int64, ok bool) {
	half := big.NewFloat(0.5)
	rounded, _ = new(big.Float).SetPrec(precision).Add(number, half).Int64()
	off := new(big.Float).SetPrec(precision).Sub(number, new(big.Float).SetInt64(rounded))
	return rounded, off.Abs(off).Cmp(big.NewFloat(1e-30)) < 0
}

// NewDurationMillisecondsFunction returns the function that reads a duration.
func NewDurationMillisecondsFunction() function.Function {
	return &readFunction{
		name: "duration_milliseconds", summary: "A duration as Flink reads it, in milliseconds",
		description: "Reads a duration by the rules of Flink, and returns it in milliseconds, for conditions and for what counts so. A duration is one whole number and one unit: " +
			"`d`, `h`, `min`, `s`, `ms`, `µs`, `ns` and their longer names, as in `10 s` or `5 minutes`; a number alone counts milliseconds. Part of a millisecond is a fraction.",
		parameter: "The duration, such as `\"10 min\"`. At most 292 years.",
		advice:    "A duration is one whole number and one unit, such as \"10 s\", \"5 min\" or \"7 d\"",
		read: func(text string) (*big.Float, error) {
			d, err := flinkvalue.BareDuration(text)
			return new(big.Float).SetPrec(precision).Quo(new(big.Float).SetInt64(int64(d)), new(big.Float).SetInt64(int64(time.Millisecond))), err
		},
	}
}

// NewDurationTextFunction returns the function that spells a duration.
func NewDurationTextFunction() function.Function {
	return &spellFunction{
		name: "duration_text", summary: "Milliseconds as a duration that Flink reads",
		description: "Writes a number of milliseconds as Flink reads it, in the largest unit of which it is a whole number: `90000` is `90 s`, `120000` is `2 min`. " +
			"It is what `duration_milliseconds` reads.",
		parameter: "The milliseconds, from 0 to 292 years. A fraction has to be a whole number of nanoseconds.",
		unit:      "milliseconds", parts: int64(time.Millisecond),
		spell: func(parts int64) string { return flinkvalue.DurationText(time.Duration(parts)) },
	}
}

// NewMemoryBytesFunction returns the function that reads a size of memory.
func NewMemoryBytesFunction() function.Function {
	return &readFunction{
		name: "memory_bytes", summary: "A size of memory as Flink reads it, in bytes",
		description: "Reads a size of memory by the rules of Flink, and returns it in bytes, to add sizes or to compare them. A size is one whole number and one unit: " +
			"`b`, `kb`, `mb`, `gb`, `tb` and their other names, each 1024 of the one before, as in `64 mb` or `1g`; a number alone counts bytes.",
		parameter: "The size, such as `\"64 mb\"`. Below 2^63 bytes.",
		advice:    "A size is one whole number and one unit, such as \"64 mb\" or \"1 gb\"",
		read: func(text string) (*big.Float, error) {
			bytes, err := flinkvalue.BareMemory(text)
			return new(big.Float).SetInt64(bytes), err
		},
	}
}

// NewMemoryTextFunction returns the function that spells a size of memory.
func NewMemoryTextFunction() function.Function {
	return &spellFunction{
		name: "memory_text", summary: "Bytes as a size of memory that Flink reads",
		description: "Writes a number of bytes as Flink reads it, in the largest unit of which it is a whole number: `67108864` is `64 mb`, `1000` is `1000 b`. It is what `memory_bytes` reads.",
		parameter:   "The bytes, from 0 to 2^63-1.",
		unit:        "bytes", parts: 1, spell: flinkvalue.MemoryText,
	}
}
