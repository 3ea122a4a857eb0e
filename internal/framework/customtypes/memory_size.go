// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package customtypes

import (
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/flinkvalue"
)

var (
	_ basetypes.StringTypable                    = MemorySizeType{}
	_ basetypes.StringValuableWithSemanticEquals = MemorySize{}
	_ xattr.ValidateableAttribute                = MemorySize{}
	_ basetypes.StringTypable                    = EngineMemorySizeType{}
	_ basetypes.StringValuableWithSemanticEquals = EngineMemorySize{}
	_ xattr.ValidateableAttribute                = EngineMemorySize{}
)

type (
	// MemorySizeType is a string that holds a size in bytes.
	MemorySizeType = QuantityType[int64, sizes]
	// MemorySize is a value of MemorySizeType.
	MemorySize = Quantity[int64, sizes]
	// EngineMemorySizeType is MemorySizeType for an engine's own options, where
	// a number without a unit is one of bytes.
	EngineMemorySizeType = QuantityType[int64, engineSizes]
	// EngineMemorySize is a value of EngineMemorySizeType.
	EngineMemorySize = Quantity[int64, engineSizes]
)

type sizes struct{}

func (sizes) parse(text string) (int64, error) { return flinkvalue.Memory(text) }
func (sizes) name() string                     { return "memory size" }
func (sizes) howTo() string {
	return "A memory size is one whole number and one unit (b, kb, mb, gb, tb; powers of 1024), such as \"64mb\" or \"10 gb\"."
}

type engineSizes struct{}

func (engineSizes) parse(text string) (int64, error) { return flinkvalue.BareMemory(text) }
func (engineSizes) name() string                     { return "memory size" }
func (engineSizes) howTo() string {
	return "A memory size is one whole number and one unit (b, kb, mb, gb, tb; powers of 1024), such as \"64mb\", or a whole number of bytes."
}

// NewMemorySize returns a known value.
func NewMemorySize(text string) MemorySize {
	return MemorySize{StringValue: basetypes.NewStringValue(text)}
}

// NewMemorySizeNull returns a null value.
func NewMemorySizeNull() MemorySize { return MemorySize{StringValue: basetypes.NewStringNull()} }
