// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package schemajson

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func convertSchema(schema *tfprotov6.Schema) (*tfjson.Schema, error) {
	block, err := convertBlock(schema.Block)
	if err != nil {
		return nil, err
	}
	return &tfjson.Schema{Version: unsigned(schema.Version), Block: block}, nil
}

func convertBlock(block *tfprotov6.SchemaBlock) (*tfjson.SchemaBlock, error) {
	attributes, err := convertAttributes(block.Attributes)
	if err != nil {
		return nil, err
	}
	converted := &tfjson.SchemaBlock{
		Attributes:      attributes,
		NestedBlocks:    map[string]*tfjson.SchemaBlockType{},
		Description:     block.Description,
		DescriptionKind: descriptionKind(block.DescriptionKind),
		Deprecated:      block.Deprecated,
	}
	for _, nested := range block.BlockTypes {
		inner, err := convertBlock(nested.Block)
		if err != nil {
			return nil, fmt.Errorf("block %s: %w", nested.TypeName, err)
		}
		mode, err := blockNesting(nested.Nesting)
		if err != nil {
			return nil, fmt.Errorf("block %s: %w", nested.TypeName, err)
		}
		converted.NestedBlocks[nested.TypeName] = &tfjson.SchemaBlockType{
			NestingMode: mode,
			Block:       inner,
			MinItems:    unsigned(nested.MinItems),
			MaxItems:    unsigned(nested.MaxItems),
		}
	}
	return converted, nil
}

func convertAttributes(attributes []*tfprotov6.SchemaAttribute) (map[string]*tfjson.SchemaAttribute, error) {
	converted := make(map[string]*tfjson.SchemaAttribute, len(attributes))
	for _, attribute := range attributes {
		one, err := convertAttribute(attribute)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", attribute.Name, err)
		}
		converted[attribute.Name] = one
	}
	return converted, nil
}

func convertAttribute(attribute *tfprotov6.SchemaAttribute) (*tfjson.SchemaAttribute, error) {
	converted := &tfjson.SchemaAttribute{
		Description:     attribute.Description,
		DescriptionKind: descriptionKind(attribute.DescriptionKind),
		Deprecated:      attribute.Deprecated,
		Required:        attribute.Required,
		Optional:        attribute.Optional,
		Computed:        attribute.Computed,
		Sensitive:       attribute.Sensitive,
		WriteOnly:       attribute.WriteOnly,
	}
	if attribute.NestedType == nil {
		return converted, convertType(attribute.Type, &converted.AttributeType)
	}
	nested, err := convertAttributes(attribute.NestedType.Attributes)
	if err != nil {
		return nil, err
	}
	mode, err := objectNesting(attribute.NestedType.Nesting)
	if err != nil {
		return nil, err
	}
	converted.AttributeNestedType = &tfjson.SchemaNestedAttributeType{Attributes: nested, NestingMode: mode}
	return converted, nil
}

func descriptionKind(kind tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	if kind == tfprotov6.StringKindMarkdown {
		return tfjson.SchemaDescriptionKindMarkdown
	}
	return tfjson.SchemaDescriptionKindPlain
}

func blockNesting(mode tfprotov6.SchemaNestedBlockNestingMode) (tfjson.SchemaNestingMode, error) {
	switch mode {
	case tfprotov6.SchemaNestedBlockNestingModeSingle:
		return tfjson.SchemaNestingModeSingle, nil
	case tfprotov6.SchemaNestedBlockNestingModeGroup:
		return tfjson.SchemaNestingModeGroup, nil
	case tfprotov6.SchemaNestedBlockNestingModeList:
		return tfjson.SchemaNestingModeList, nil
	case tfprotov6.SchemaNestedBlockNestingModeSet:
		return tfjson.SchemaNestingModeSet, nil
	case tfprotov6.SchemaNestedBlockNestingModeMap:
		return tfjson.SchemaNestingModeMap, nil
	default:
		return "", fmt.Errorf("unknown nesting %s", mode)
	}
}

func objectNesting(mode tfprotov6.SchemaObjectNestingMode) (tfjson.SchemaNestingMode, error) {
	switch mode {
	case tfprotov6.SchemaObjectNestingModeSingle:
		return tfjson.SchemaNestingModeSingle, nil
	case tfprotov6.SchemaObjectNestingModeList:
		return tfjson.SchemaNestingModeList, nil
	case tfprotov6.SchemaObjectNestingModeSet:
		return tfjson.SchemaNestingModeSet, nil
	case tfprotov6.SchemaObjectNestingModeMap:
		return tfjson.SchemaNestingModeMap, nil
	default:
		return "", fmt.Errorf("unknown nesting %s", mode)
	}
}

// unsigned converts versions and counts, which the protocol sends signed.
func unsigned(n int64) uint64 { return uint64(max(n, 0)) }
