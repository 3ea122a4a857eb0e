// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package gatewayfake

import (
	"fmt"
	"slices"
	"strings"
)

// object is a table, a view, a function, a catalog or a database.
type object struct {
	kind      string
	temporary bool
	// options are those of a table's WITH.
	options map[string]string
	columns []string
	// python is the module and name of a Python function.
	python string
}

// words of a statement that defines something.
type reader struct{ words []string }

// take removes the next word if it is the keyword.
func (r *reader) take(keyword string) bool {
	if len(r.words) == 0 || !strings.EqualFold(r.words[0], keyword) {
		return false
	}
	r.words = r.words[1:]
	return true
}

func (r *reader) takeAll(keywords ...string) bool {
	if len(r.words) < len(keywords) {
		return false
	}
	for i, keyword := range keywords {
		if !strings.EqualFold(r.words[i], keyword) {
			return false
		}
	}
	r.words = r.words[len(keywords):]
	return true
}

// name takes a name of up to three parts.
func (r *reader) name() []string {
	var parts []string
	for len(r.words) > 0 {
		parts = append(parts, strings.Trim(r.words[0], "`"))
		r.words = r.words[1:]
		if !r.take(".") {
			break
		}
	}
	return parts
}

// path makes a name whole.
func (e *execution) path(parts []string) (catalog, database, name string) {
	catalog, database = e.session.catalog, e.session.database
	switch len(parts) {
	case 1:
		return catalog, database, parts[0]
	case 2:
		return catalog, parts[0], parts[1]
	case 3:
		return parts[0], parts[1], parts[2]
	}
	return catalog, database, ""
}

// place is where the objects of a catalog are kept.
func (e *execution) place(catalog string, temporary bool) map[string]*object {
	if !temporary && e.server.set.catalogs[catalog] {
		return e.server.shared
	}
	return e.session.objects
}

func key(kind string, temporary bool, parts ...string) string {
	return fmt.Sprint(kind, temporary, parts)
}

// define runs CREATE, DROP, USE and their like.
func (e *execution) define(all []string) (outcome, trace) {
	r := &reader{all}
	switch {
	case r.take("CREATE"):
		return e.create(r)
	case r.take("DROP"):
		return e.drop(r)
	case r.takeAll("USE", "CATALOG"):
		name := strings.Join(r.name(), ".")
		if !slices.Contains(e.catalogs(), name) {
			return outcome{}, trace{catalogs + "CatalogException: A catalog with name [" + name + "] does not exist."}
		}
		e.session.catalog = name
		return done(), nil
	case r.take("USE"):
		e.session.database = strings.Join(r.name(), ".")
		return done(), nil
	case r.takeAll("ALTER", "TABLE"):
		catalog, database, name := e.path(r.name())
		if e.find("TABLE", catalog, database, name) == nil {
			return outcome{}, trace{validation + fmt.Sprintf("Table `%s`.`%s`.`%s` doesn't exist or is a temporary table.", catalog, database, name)}
		}
		return done(), nil
	case r.takeAll("ADD", "JAR") && len(r.words) > 0:
		file := strings.Trim(r.words[0], "'")
		return outcome{}, trace{
			tableException + "Could not register the specified resource [ResourceUri{resourceType=JAR, uri='" + file + "'}].",
			"java.io.FileNotFoundException: jar or artifact resource [" + file + "] not found.",
		}
	case r.take("LOAD"), r.take("UNLOAD"), r.take("ALTER"):
		return done(), nil
	}
	return outcome{}, encountered(all[0])
}

// catalogs lists the names of all catalogs.
func (e *execution) catalogs() []string {
	names := []string{"default_catalog"}
	for name := range e.server.set.catalogs {
		names = append(names, name)
	}
	for _, one := range e.session.objects {
		if one.kind == "CATALOG" {
			names = append(names, one.options["name"])
		}
	}
	slices.Sort(names)
	return names
}

func (e *execution) create(r *reader) (outcome, trace) {
	replace := r.takeAll("OR", "REPLACE") || r.takeAll("OR", "ALTER")
	temporary := r.take("TEMPORARY")
	_ = r.take("SYSTEM")
	if len(r.words) == 0 {
		return outcome{}, encountered("<EOF>")
	}
	kind := strings.ToUpper(r.words[0])
	if !slices.Contains([]string{"TABLE", "VIEW", "FUNCTION", "CATALOG", "DATABASE"}, kind) {
		return outcome{}, encountered(r.words[0])
	}
	r.words = r.words[1:]
	ifNotExists := r.takeAll("IF", "NOT", "EXISTS")
	parts := r.name()
	catalog, database, name := e.path(parts)
	one := &object{kind: kind, temporary: temporary, options: optionsOf(r.words), columns: columnsOf(r.words)}
	switch kind {
	case "CATALOG", "DATABASE":
		catalog, database, name, one.options["name"] = "", "", strings.Join(parts, "."), strings.Join(parts, ".")
		if kind == "CATALOG" && slices.Contains(e.catalogs(), name) && !ifNotExists {
			return outcome{}, exists(one, catalog, database, name)
		}
	case "FUNCTION":
		if cause := one.function(r, catalog+"."+database+"."+name); cause != nil {
			return outcome{}, cause
		}
	}
	store, at := e.place(catalog, temporary), key(place(kind), temporary, catalog, database, name)
	if store[at] != nil && !replace {
		if ifNotExists {
			return done(), nil
		}
		return outcome{}, exists(one, catalog, database, name)
	}
	store[at] = one
	return done(), nil
}

// function reads what is behind the name of a function. Flink looks for a class
// at once if the function is temporary, and for a Python one not before its use.
func (o *object) function(r *reader, path string) trace {
	if !r.take("AS") || len(r.words) == 0 {
		return encountered("<EOF>")
	}
	class := strings.Trim(r.words[0], "'")
	r.words = r.words[1:]
	if r.takeAll("LANGUAGE", "PYTHON") {
		o.python = class
		return nil
	}
	if o.temporary {
		return trace{
			validation + "Could not register temporary catalog function '" + path + "' due to implementation errors.",
			"java.lang.ClassNotFoundException: " + class,
		}
	}
	return nil
}

// place is where a kind has its names: a table and a view share them.
func place(kind string) string {
	if kind == "VIEW" {
		return "TABLE"
	}
	return kind
}

// exists is what Flink says to a second one of a name, in other words for each
// kind.
func exists(one *object, catalog, database, name string) trace {
	switch path := fmt.Sprintf("`%s`.`%s`.`%s`", catalog, database, name); {
	case one.kind == "CATALOG":
		return trace{validation + "Could not execute CREATE CATALOG: (catalogName: [" + name + "])", catalogs + "CatalogException: Catalog " + name + " already exists."}
	case one.kind == "DATABASE":
		return trace{
			validation + "Could not execute CREATE DATABASE: (databaseName: [" + name + "])",
			catalogs + "DatabaseAlreadyExistException: Database " + name + " already exists in Catalog default_catalog.",
		}
	case one.kind == "FUNCTION" && one.temporary:
		return trace{validation + fmt.Sprintf("Could not register temporary catalog function. A function '%s.%s.%s' does already exist.", catalog, database, name)}
	case one.kind == "FUNCTION":
		text := fmt.Sprintf("Function %s.%s already exists in Catalog %s.", database, name, catalog)
		return trace{validation + text, catalogs + "FunctionAlreadyExistException: " + text}
	case one.temporary:
		return trace{validation + "Temporary table '" + path + "' already exists"}
	default:
		return trace{
			validation + "Could not execute CreateTable in path " + path,
			catalogs + fmt.Sprintf("TableAlreadyExistException: Table (or view) %s.%s already exists in Catalog %s.", database, name, catalog),
		}
	}
}

func (e *execution) drop(r *reader) (outcome, trace) {
	temporary := r.take("TEMPORARY")
	_ = r.take("SYSTEM")
	if len(r.words) == 0 {
		return outcome{}, encountered("<EOF>")
	}
	kind := strings.ToUpper(r.words[0])
	r.words = r.words[1:]
	ifExists := r.takeAll("IF", "EXISTS")
	parts := r.name()
	catalog, database, name := e.path(parts)
	if kind == "CATALOG" || kind == "DATABASE" {
		catalog, database, name = "", "", strings.Join(parts, ".")
	}
	store, at := e.place(catalog, temporary), key(place(kind), temporary, catalog, database, name)
	if store[at] == nil && !ifExists {
		word := "Table"
		if temporary {
			word = "Temporary table"
		}
		return outcome{}, trace{validation + fmt.Sprintf("%s with identifier '%s.%s.%s' does not exist.", word, catalog, database, name)}
	}
	delete(store, at)
	return done(), nil
}

// find looks for an object: a temporary one hides another of its name.
func (e *execution) find(kind, catalog, database, name string) *object {
	for _, temporary := range []bool{true, false} {
		if one := e.place(catalog, temporary)[key(kind, temporary, catalog, database, name)]; one != nil {
			return one
		}
	}
	return nil
}

// columnsOf reads the names of a table's columns.
func columnsOf(all []string) []string {
	var columns []string
	depth := 0
	for i, word := range all {
		switch word {
		case "(", "<":
			depth++
		case ")", ">":
			depth--
		}
		if depth == 1 && (word == "(" || word == ",") && i+1 < len(all) {
			columns = append(columns, strings.Trim(all[i+1], "`"))
		}
		if depth == 0 {
			return columns
		}
	}
	return columns
}

// optionsOf reads 'key' = 'value' pairs.
func optionsOf(all []string) map[string]string {
	options := map[string]string{}
	for i := range all {
		if i >= 1 && i+1 < len(all) && all[i] == "=" && strings.HasPrefix(all[i-1], "'") && strings.HasPrefix(all[i+1], "'") {
			options[strings.Trim(all[i-1], "'")] = strings.ReplaceAll(strings.Trim(all[i+1], "'"), "''", "'")
		}
	}
	return options
}
