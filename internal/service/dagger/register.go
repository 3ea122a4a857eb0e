// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package dagger has what concerns Dagger, which runs SQL over Protobuf and
// JSON streams as a Flink job.
package dagger

import (
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
)

// Resources lists the constructors of the package's resources.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{NewJobResource}
}

// Functions lists the constructors of the package's functions.
func Functions() []func() function.Function {
	return []func() function.Function{NewConfigurationFunction}
}

// Changes are the tables of what a change does, by type of resource.
func Changes() map[string]changes.Table {
	return map[string]changes.Table{JobType: jobChanges()}
}
