// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package schemajson turns what a provider server says of itself into the JSON
// that Terraform's tools read.
package schemajson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Document is the whole of what "terraform providers schema -json" prints, for
// one provider.
func Document(key string, schema *tfjson.ProviderSchema) *tfjson.ProviderSchemas {
	return &tfjson.ProviderSchemas{
		FormatVersion: "1.0",
		Schemas:       map[string]*tfjson.ProviderSchema{key: schema},
	}
}

// Read asks a provider server for the schemas of every kind.
func Read(ctx context.Context, server tfprotov6.ProviderServer) (*tfjson.ProviderSchema, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, fmt.Errorf("read the provider's schema: %w", err)
	}
	if err := failure(schemas.Diagnostics); err != nil {
		return nil, fmt.Errorf("read the provider's schema: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, fmt.Errorf("read the identity schemas: %w", err)
	}
	if err := failure(identities.Diagnostics); err != nil {
		return nil, fmt.Errorf("read the identity schemas: %w", err)
	}
	result := &tfjson.ProviderSchema{}
	if result.ConfigSchema, err = convertSchema(schemas.Provider); err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	kinds := []struct {
		name string
		from map[string]*tfprotov6.Schema
		to   *map[string]*tfjson.Schema
	}{
		{"resource", schemas.ResourceSchemas, &result.ResourceSchemas},
		{"data source", schemas.DataSourceSchemas, &result.DataSourceSchemas},
		{"ephemeral resource", schemas.EphemeralResourceSchemas, &result.EphemeralResourceSchemas},
		{"list resource", schemas.ListResourceSchemas, &result.ListResourceSchemas},
	}
	for _, kind := range kinds {
		if *kind.to, err = convertAll(kind.name, kind.from, convertSchema); err != nil {
			return nil, err
		}
	}
	if result.ActionSchemas, err = convertAll("action", schemas.ActionSchemas, convertAction); err != nil {
		return nil, err
	}
	if result.Functions, err = convertAll("function", schemas.Functions, convertFunction); err != nil {
		return nil, err
	}
	if result.ResourceIdentitySchemas, err = convertAll("identity of", identities.IdentitySchemas, convertIdentity); err != nil {
		return nil, err
	}
	return result, nil
}

func failure(diagnostics []*tfprotov6.Diagnostic) error {
	var failures []error
	for _, diagnostic := range diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			failures = append(failures, fmt.Errorf("%s: %s", diagnostic.Summary, diagnostic.Detail))
		}
	}
	return errors.Join(failures...)
}

func convertAll[From, To any](kind string, from map[string]From, convert func(From) (To, error)) (map[string]To, error) {
	to := make(map[string]To, len(from))
	for name, one := range from {
		converted, err := convert(one)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", kind, name, err)
		}
		to[name] = converted
	}
	return to, nil
}

func convertAction(action *tfprotov6.ActionSchema) (*tfjson.ActionSchema, error) {
	block, err := convertBlock(action.Schema.Block)
	if err != nil {
		return nil, err
	}
	return &tfjson.ActionSchema{Block: block}, nil
}

func convertFunction(function *tfprotov6.Function) (*tfjson.FunctionSignature, error) {
	signature := &tfjson.FunctionSignature{
		Description:        function.Description,
		Summary:            function.Summary,
		DeprecationMessage: function.DeprecationMessage,
	}
	if err := convertType(function.Return.Type, &signature.ReturnType); err != nil {
		return nil, err
	}
	for _, parameter := range function.Parameters {
		converted, err := convertParameter(parameter)
		if err != nil {
			return nil, err
		}
		signature.Parameters = append(signature.Parameters, converted)
	}
	if function.VariadicParameter != nil {
		var err error
		if signature.VariadicParameter, err = convertParameter(function.VariadicParameter); err != nil {
			return nil, err
		}
	}
	return signature, nil
}

func convertParameter(parameter *tfprotov6.FunctionParameter) (*tfjson.FunctionParameter, error) {
	converted := &tfjson.FunctionParameter{
		Name:        parameter.Name,
		Description: parameter.Description,
		IsNullable:  parameter.AllowNullValue,
	}
	return converted, convertType(parameter.Type, &converted.Type)
}

func convertIdentity(identity *tfprotov6.ResourceIdentitySchema) (*tfjson.IdentitySchema, error) {
	converted := &tfjson.IdentitySchema{
		Version:    unsigned(identity.Version),
		Attributes: map[string]*tfjson.IdentityAttribute{},
	}
	for _, attribute := range identity.IdentityAttributes {
		one := &tfjson.IdentityAttribute{
			Description:       attribute.Description,
			RequiredForImport: attribute.RequiredForImport,
			OptionalForImport: attribute.OptionalForImport,
		}
		if err := convertType(attribute.Type, &one.IdentityType); err != nil {
			return nil, fmt.Errorf("attribute %s: %w", attribute.Name, err)
		}
		converted.Attributes[attribute.Name] = one
	}
	return converted, nil
}

// convertType goes through JSON, in which both libraries spell types alike.
func convertType(from any, to json.Unmarshaler) error {
	content, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("encode a type: %w", err)
	}
	if err := to.UnmarshalJSON(content); err != nil {
		return fmt.Errorf("decode a type: %w", err)
	}
	return nil
}
