// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package dagger

import "maps"

// BundleFile stands for the archive of a job's Python bundle, whose path is
// another one at each start.
const BundleFile = "(bundle).zip"

// WithBundle is the document with the archive of a Python bundle after its own
// Python files, and with the requirements file of the bundle unless it has one;
// requirements may be empty.
func (d Document) WithBundle(archive, requirements string) Document {
	group := d.Values[atPython]
	files := group.fields[atFiles]
	if group.form == unknown || files.form == unknown {
		return d
	}
	fields := maps.Clone(group.fields)
	if fields == nil {
		fields = map[string]Value{}
	}
	fields[atFiles] = Array(append(append([]Value(nil), files.items...), Plain(archive))...)
	if own := fields[atRequirements]; own.form == absent && requirements != "" {
		fields[atRequirements] = Plain(requirements)
	}
	values := maps.Clone(d.Values)
	if values == nil {
		values = map[string]Value{}
	}
	values[atPython] = Fields(fields)
	return Document{Namespace: d.Namespace, Values: values, Extra: d.Extra}
}

// Python tells whether functions in Python are enabled; known is false while
// that is not.
func (d Document) Python() (enabled, known bool) {
	group := d.Values[atPython]
	enable := group.fields[atEnable]
	return enable.text == "true", group.form != unknown && enable.form != unknown
}
