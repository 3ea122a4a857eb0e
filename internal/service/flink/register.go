// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package flink has the resources and data sources of plain Flink jobs.
package flink

import (
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Resources lists the constructors of the package's resources.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{NewJarResource, NewJobResource, NewPythonJobResource, NewSQLJobResource, NewSavepointResource}
}

// DataSources lists the constructors of the package's data sources.
func DataSources() []func() datasource.DataSource {
	return []func() datasource.DataSource{NewClusterDataSource, NewJobsDataSource, NewJobDataSource, NewJobGraphDataSource, NewJarsDataSource}
}

// ListResources lists the constructors of what terraform query finds.
func ListResources() []func() list.ListResource {
	return []func() list.ListResource{NewJobList, NewJarList}
}

// Actions lists the constructors of the package's actions.
func Actions() []func() action.Action { return []func() action.Action{NewSavepointAction} }

// Functions lists the constructors of the package's functions.
func Functions() []func() function.Function {
	return []func() function.Function{
		NewDurationMillisecondsFunction, NewDurationTextFunction, NewMemoryBytesFunction, NewMemoryTextFunction, NewSQLStatementsFunction,
	}
}
