// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package spark has what concerns Spark jobs: the options of their connectors.
package spark

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
)

// DataSources lists the constructors of the package's data sources.
func DataSources() []func() datasource.DataSource {
	return []func() datasource.DataSource{NewPravegaOptionsDataSource}
}

// Functions lists the constructors of the package's functions.
func Functions() []func() function.Function {
	return []func() function.Function{NewPravegaOptionsFunction}
}
