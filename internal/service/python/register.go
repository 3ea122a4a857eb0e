// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package python has what concerns Python code that runs on Flink: bundles of
// it, and Flink's options.
package python

import (
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
)

// Resources lists the constructors of the package's resources.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{NewBundleResource}
}

// Functions lists the constructors of the package's functions.
func Functions() []func() function.Function {
	return []func() function.Function{NewOptionsFunction}
}

// Changes are the tables of what a change does, by type of resource.
func Changes() map[string]changes.Table {
	return map[string]changes.Table{BundleType: bundleChanges()}
}

func bundleChanges() changes.Table {
	uploaded := []changes.Class{changes.InPlace}
	return changes.Table{
		Effects: map[changes.Class]string{
			changes.None:    "nothing is sent",
			changes.InPlace: "the new content is uploaded unless it is on the cluster; the earlier file stays as long as a job runs on it",
		},
		Rows: []changes.Row{
			{Attribute: "name", Class: changes.None, Note: "it counts when a content is uploaded"},
			{Attribute: "source_dir", Class: changes.None, Note: "alone, with the same content, it is no diff"},
			{Attribute: "files", Class: changes.InPlace, Note: "as far as the content of the bundle changes"},
			{Attribute: "includes", Class: changes.InPlace, Note: "as far as the content of the bundle changes"},
			{Attribute: "excludes", Class: changes.InPlace, Note: "as far as the content of the bundle changes"},
			{Attribute: "symlinks", Class: changes.InPlace, Note: "as far as the content of the bundle changes"},
			{Attribute: "requirements_file", Class: changes.InPlace},
			{Attribute: "target_platform", Class: changes.None, Note: "it is checked at plan"},
			{Attribute: "archive_path", Class: changes.None, Note: "the archive is written there"},
			{Attribute: "max_files", Class: changes.None, Note: "it is checked at plan"},
			{Attribute: "max_size", Class: changes.None, Note: "it is checked at plan", Respelled: true},

			{Attribute: "sha256", Class: changes.Computed},
			{Attribute: "size", Class: changes.Computed},
			{Attribute: "file_count", Class: changes.Computed},
			{Attribute: "manifest", Class: changes.Computed},
			{Attribute: "id", Class: changes.Computed, After: uploaded},
			{Attribute: "archive_sha256", Class: changes.Computed, After: uploaded},
			{Attribute: "archive_size", Class: changes.Computed, After: uploaded},
			{Attribute: "cluster_path", Class: changes.Computed, After: uploaded},
			{Attribute: "options", Class: changes.Computed, After: uploaded},
		},
	}
}
