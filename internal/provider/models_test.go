// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// model is a struct whose fields stand for attributes.
type model struct {
	where  string
	fields []string
}

// A field without its attribute, or the reverse, is an error only when the
// value is converted, which may be in a rare branch. So every struct with tfsdk
// tags must fit an object of some schema, and every schema must have its struct.
func TestModels_FitTheirSchemas(t *testing.T) {
	t.Parallel()
	schema := readSchema(t)
	objects := map[string]string{} // names of the attributes -> where
	roots := map[string]string{}   // where -> names of the attributes
	root := func(where string, one *tfjson.SchemaBlock) {
		collect(objects, where, one.Attributes)
		roots[where] = key(slices.Collect(maps.Keys(one.Attributes)))
	}
	root("provider", schema.ConfigSchema.Block)
	for name, one := range schema.ResourceSchemas {
		root("resource "+name, one.Block)
		if identity := schema.ResourceIdentitySchemas[name]; identity != nil {
			objects[key(slices.Collect(maps.Keys(identity.Attributes)))] = "identity of " + name
		}
	}
	for name, one := range schema.DataSourceSchemas {
		root("data source "+name, one.Block)
	}
	for name, one := range schema.ListResourceSchemas {
		root("list resource "+name, one.Block)
	}
	for name, one := range schema.ActionSchemas {
		root("action "+name, one.Block)
	}

	models := readModels(t, ".", filepath.Join("..", "service"))
	has := map[string]bool{}
	for _, m := range models {
		has[key(m.fields)] = true
		if objects[key(m.fields)] == "" {
			t.Errorf("%s fits no object of any schema: %s\nnearest: %s", m.where, strings.Join(m.fields, ", "), nearest(m.fields, objects))
		}
	}
	for where, fields := range roots {
		if !has[fields] {
			t.Errorf("%s has no struct with exactly these fields: %s", where, fields)
		}
	}
}

func key(names []string) string {
	slices.Sort(names)
	return strings.Join(names, " ")
}

func collect(objects map[string]string, where string, attributes map[string]*tfjson.SchemaAttribute) {
	objects[key(slices.Collect(maps.Keys(attributes)))] = where
	for name, attribute := range attributes {
		if attribute.AttributeNestedType != nil {
			collect(objects, where+"."+name, attribute.AttributeNestedType.Attributes)
			continue
		}
		elementType := attribute.AttributeType
		for elementType.IsCollectionType() {
			elementType = elementType.ElementType()
		}
		if elementType.IsObjectType() {
			objects[key(slices.Collect(maps.Keys(elementType.AttributeTypes())))] = where + "." + name
		}
	}
}

// nearest names the object with the fewest differences, and them.
func nearest(fields []string, objects map[string]string) string {
	best, text := 1<<30, ""
	for _, names := range slices.Sorted(maps.Keys(objects)) {
		var differences []string
		attributes := strings.Fields(names)
		for _, name := range attributes {
			if !slices.Contains(fields, name) {
				differences = append(differences, "lacks "+name)
			}
		}
		for _, name := range fields {
			if !slices.Contains(attributes, name) {
				differences = append(differences, "has no attribute for "+name)
			}
		}
		if len(differences) < best {
			best, text = len(differences), objects[names]+": "+strings.Join(differences, ", ")
		}
	}
	return text
}

// readModels finds the structs with tfsdk tags in the sources.
func readModels(t *testing.T, dirs ...string) []model {
	t.Helper()
	structs := map[string]*ast.StructType{} // directory/name, for embedded ones
	var order []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				spec, ok := node.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if body, ok := spec.Type.(*ast.StructType); ok {
					name := filepath.Join(filepath.Dir(path), spec.Name.Name)
					structs[name] = body
					order = append(order, name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	embedded := map[string]bool{}
	var models []model
	for _, name := range order {
		if fields := tagged(structs, embedded, name); len(fields) > 0 {
			models = append(models, model{where: name, fields: fields})
		}
	}
	if len(models) == 0 {
		t.Fatal("no struct with tfsdk tags was found")
	}
	return slices.DeleteFunc(models, func(m model) bool { return embedded[m.where] })
}

// tagged lists the tags of a struct, those of embedded ones included.
func tagged(structs map[string]*ast.StructType, embedded map[string]bool, name string) []string {
	var fields []string
	for _, field := range structs[name].Fields.List {
		if len(field.Names) == 0 {
			innerName := embeddedName(name, field.Type)
			if structs[innerName] != nil {
				if more := tagged(structs, embedded, innerName); len(more) > 0 {
					fields = append(fields, more...)
					embedded[innerName] = true
				}
			}
			continue
		}
		if field.Tag == nil {
			continue
		}
		text, err := strconv.Unquote(field.Tag.Value)
		if tag := reflect.StructTag(text).Get("tfsdk"); err == nil && tag != "" && tag != "-" {
			fields = append(fields, tag)
		}
	}
	return fields
}

// embeddedName is directory/name of an embedded struct, of the same package or
// of one beside it.
func embeddedName(outer string, inner ast.Expr) string {
	dir := filepath.Dir(outer)
	switch typ := inner.(type) {
	case *ast.Ident:
		return filepath.Join(dir, typ.Name)
	case *ast.SelectorExpr:
		if pkg, ok := typ.X.(*ast.Ident); ok {
			return filepath.Join(filepath.Dir(dir), pkg.Name, typ.Sel.Name)
		}
	}
	return ""
}

// The types fit too: a state, or a configuration, in which everything is set is
// converted. Without an endpoint nothing is sent.
func TestModels_ConvertWhatTerraformSends(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	providerType := schemas.Provider.ValueType()
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: dynamic(t, providerType, emptied(t, providerType))})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatalf("configure: %v, %v", err, configured)
	}
	for name, schema := range schemas.ResourceSchemas {
		resp, err := server.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
			TypeName: name, CurrentState: dynamic(t, schema.ValueType(), filled(t, schema.ValueType())),
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		onlyNoEndpoint(t, "resource "+name, resp.Diagnostics)
	}
	for name, schema := range schemas.DataSourceSchemas {
		resp, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
			TypeName: name, Config: dynamic(t, schema.ValueType(), filled(t, schema.ValueType())),
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		onlyNoEndpoint(t, "data source "+name, resp.Diagnostics)
	}
}

// onlyNoEndpoint wants to hear that there is no endpoint, and of no other error:
// what can do without one warns.
func onlyNoEndpoint(t *testing.T, what string, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	said := false
	for _, diagnostic := range diagnostics {
		switch {
		case strings.Contains(diagnostic.Summary, "endpoint is configured"):
			said = true
		case diagnostic.Severity == tfprotov6.DiagnosticSeverityError:
			t.Errorf("%s: %s: %s", what, diagnostic.Summary, diagnostic.Detail)
		}
	}
	if !said {
		t.Errorf("%s was read without an endpoint", what)
	}
}

func dynamic(t *testing.T, of tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	wire, err := tfprotov6.NewDynamicValue(of, value)
	if err != nil {
		t.Fatal(err)
	}
	return &wire
}

func emptied(t *testing.T, of tftypes.Type) tftypes.Value {
	t.Helper()
	return wireValue(t, of, map[string]any{})
}

// filled makes a value in which nothing is null.
func filled(t *testing.T, of tftypes.Type) tftypes.Value {
	t.Helper()
	switch of := of.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		for name, attributeType := range of.AttributeTypes {
			values[name] = filled(t, attributeType)
			if size := strings.HasSuffix(name, "size") || strings.Contains(name, "bytes"); size && attributeType.Is(tftypes.String) {
				values[name] = tftypes.NewValue(attributeType, "1 mb")
			}
		}
		return tftypes.NewValue(of, values)
	case tftypes.List:
		return tftypes.NewValue(of, []tftypes.Value{filled(t, of.ElementType)})
	case tftypes.Set:
		return tftypes.NewValue(of, []tftypes.Value{filled(t, of.ElementType)})
	case tftypes.Map:
		return tftypes.NewValue(of, map[string]tftypes.Value{"key": filled(t, of.ElementType)})
	}
	switch {
	case of.Is(tftypes.String):
		return tftypes.NewValue(of, "1 s")
	case of.Is(tftypes.Number):
		return tftypes.NewValue(of, 1)
	case of.Is(tftypes.Bool):
		return tftypes.NewValue(of, true)
	}
	t.Fatalf("no value of the type %s is known", of)
	return tftypes.Value{}
}
