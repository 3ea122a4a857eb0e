// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package streampark

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/streampark"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/values"
)

// Functions lists the constructors of the package's functions.
func Functions() []func() function.Function {
	return []func() function.Function{NewApplicationFunction, NewSQLFunction}
}

type applicationFunction struct{}

// NewApplicationFunction returns the function that reads an application.yml.
func NewApplicationFunction() function.Function { return &applicationFunction{} }

// Metadata names the function.
func (f *applicationFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "streampark_application"
}

// Definition describes the function.
func (f *applicationFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "An application.yml of StreamPark as attributes of a job",
		MarkdownDescription: "Reads an `application.yml` of StreamPark, of either layout, with sections or with points in its keys, into the attributes of a [`streaming_streampark_job`](../resources/streampark_job.md): " +
			"`layout`, `name`, `entry_class`, `parallelism`, `option`, `property`, `memory`, `checkpoint`, `state_backend`, `restart_strategy`, `table`, `sql`, `sql_by_id` and `extra_configuration`. What the file does not set is null. " +
			"`layout` is that of the file: to move to StreamPark 2, leave it out of the job.\n\n" +
			"Values are read as YAML 1.1, which the client does: `off` is `false`, and `0777` is 511. A list becomes a text with semicolons. What the client fails over is an error: a key that is there twice, a tab, a list or a single value in the place of keys; and so is what it would write in another way, such as a date. " +
			"Whether values are good is checked by the resource. Needs Terraform 1.8 or OpenTofu 1.7.",
		Parameters: []function.Parameter{function.StringParameter{Name: "yaml", MarkdownDescription: "Text of the file, such as `file(\"application.yml\")`."}},
		Return:     function.ObjectReturn{AttributeTypes: applicationTypes},
	}
}

// applicationTypes are those of what the function returns.
var applicationTypes = func() map[string]attr.Type {
	object := map[string]attr.Type{
		streampark.LayoutName: types.StringType, streampark.Name: types.StringType, streampark.EntryClass: types.StringType, streampark.Parallelism: types.Int64Type,
		streampark.SQL: types.StringType, streampark.Statements: types.MapType{ElemType: types.StringType}, streampark.Extra: types.MapType{ElemType: types.StringType},
	}
	for group, attributes := range groupTypes {
		object[group] = types.ObjectType{AttrTypes: plainTypes(attributes)}
	}
	return object
}()

// plainTypes are types without the provider's own, which a function cannot return.
func plainTypes(attributes map[string]attr.Type) map[string]attr.Type {
	plain := map[string]attr.Type{}
	for name, of := range attributes {
		switch of := of.(type) {
		case types.ObjectType:
			plain[name] = types.ObjectType{AttrTypes: plainTypes(of.AttrTypes)}
		default:
			plain[name] = of
			if of != types.BoolType && of != types.Int64Type && of != types.NumberType {
				plain[name] = types.StringType
			}
		}
	}
	return plain
}

// Run reads.
func (f *applicationFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	d, _, err := streampark.Parse(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	result := map[string]attr.Value{
		streampark.LayoutName: types.StringValue(string(d.Layout)), streampark.Name: values.Text(d.Name), streampark.EntryClass: values.Text(d.EntryClass),
		streampark.Parallelism: types.Int64Null(), streampark.SQL: values.Text(d.SQL), streampark.Statements: texts(d.Statements), streampark.Extra: texts(d.Extra),
	}
	if d.Parallelism > 0 {
		result[streampark.Parallelism] = types.Int64Value(d.Parallelism)
	}
	for group := range groupTypes {
		object, err := objectOf(d, group, plainTypes(groupTypes[group]))
		if err != nil {
			resp.Error = function.NewArgumentFuncError(0, err.Error())
			return
		}
		result[group] = object
	}
	resp.Error = resp.Result.Set(ctx, types.ObjectValueMust(applicationTypes, result))
}

// texts is a map, null for an empty one.
func texts(of map[string]string) types.Map {
	if len(of) == 0 {
		return types.MapNull(types.StringType)
	}
	elements := map[string]attr.Value{}
	for key, text := range of {
		elements[key] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, elements)
}

// objectOf is a group of a document, null when nothing in it is set.
func objectOf(d streampark.Document, at string, attributes map[string]attr.Type) (types.Object, error) {
	elements, set := map[string]attr.Value{}, false
	for name, of := range attributes {
		var value attr.Value
		var err error
		if object, ok := of.(types.ObjectType); ok {
			value, err = objectOf(d, at+"."+name, object.AttrTypes)
		} else {
			value, err = valueOf(d, at+"."+name, of)
		}
		if err != nil {
			return types.ObjectNull(attributes), err
		}
		elements[name], set = value, set || !value.IsNull()
	}
	if !set {
		return types.ObjectNull(attributes), nil
	}
	return types.ObjectValueMust(attributes, elements), nil
}

// valueOf is one value of a document in its type.
func valueOf(d streampark.Document, at string, of attr.Type) (attr.Value, error) {
	text, set := d.Values[at]
	switch of {
	case types.BoolType:
		switch lower := strings.ToLower(text); {
		case !set:
			return types.BoolNull(), nil
		case lower == "true", lower == "false":
			return types.BoolValue(lower == "true"), nil
		}
		return nil, fmt.Errorf("%s is neither true nor false", at)
	case types.Int64Type:
		if !set {
			return types.Int64Null(), nil
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is no whole number", at)
		}
		return types.Int64Value(n), nil
	case types.NumberType:
		if !set {
			return types.NumberNull(), nil
		}
		// The precision is Terraform's own.
		n, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			return nil, fmt.Errorf("%s is no number", at)
		}
		return types.NumberValue(n), nil
	}
	return values.Text(text), nil
}

type sqlFunction struct{}

// NewSQLFunction returns the function that reads an sql.yaml.
func NewSQLFunction() function.Function { return &sqlFunction{} }

var sqlTypes = map[string]attr.Type{streampark.SQL: types.StringType, streampark.Statements: types.MapType{ElemType: types.StringType}}

// Metadata names the function.
func (f *sqlFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "streampark_sql"
}

// Definition describes the function.
func (f *sqlFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "An sql.yaml of StreamPark as attributes of a job",
		MarkdownDescription: "Reads an `sql.yaml` of StreamPark into the attributes `sql` and `sql_by_id` of a [`streaming_streampark_job`](../resources/streampark_job.md): the text of the id `sql`, and those of all other ids. " +
			"What is not in the file is null. Blanks and line ends around a text are dropped. The SQL is checked by the resource. Needs Terraform 1.8 or OpenTofu 1.7.",
		Parameters: []function.Parameter{function.StringParameter{Name: "yaml", MarkdownDescription: "Text of the file, such as `file(\"sql.yaml\")`."}},
		Return:     function.ObjectReturn{AttributeTypes: sqlTypes},
	}
}

// Run reads.
func (f *sqlFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	sql, statements, err := streampark.ParseSQL(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, types.ObjectValueMust(sqlTypes, map[string]attr.Value{streampark.SQL: values.Text(sql), streampark.Statements: texts(statements)}))
}
