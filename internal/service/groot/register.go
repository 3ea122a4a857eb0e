// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

// Package groot has jobs of Groot Stream: a typed job file, rendered and given
// to the engine's program.
package groot

import (
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	document "github.com/terraform-streaming/terraform-provider-streaming/internal/document/groot"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// Resources lists the constructors of the package's resources.
func Resources() []func() resource.Resource { return []func() resource.Resource{NewJobResource} }

// Functions lists the constructors of the package's functions.
func Functions() []func() function.Function { return []func() function.Function{NewJobFunction} }

// Changes is the table of what a change of a job does.
func Changes() changes.Table {
	rows := append(jobkind.JarChanges(),
		changes.Row{Attribute: "entry_class", Class: changes.Restart},
		changes.Row{Attribute: "args", Class: changes.Restart},
		changes.Row{Attribute: document.EnvName, Class: changes.Nested},
		changes.Row{Attribute: document.ExtraName, Class: changes.Restart},
		changes.Row{Attribute: document.SectionsName, Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: document.SecretsName, Class: changes.Restart, Respelled: true},
		changes.Row{Attribute: "secrets_wo", Class: changes.Ignored, Note: "change `secrets_wo_version` with it"},
		changes.Row{Attribute: "secrets_wo_version", Class: changes.Restart},
		changes.Row{Attribute: document.DeliveryName, Class: changes.Nested},
		changes.Row{Attribute: "delivery.form", Class: changes.Restart},
		changes.Row{Attribute: "delivery.argument", Class: changes.Restart},
		changes.Row{Attribute: "delivery.path", Class: changes.Restart},
		changes.Row{Attribute: "rendered", Class: changes.Computed},
		changes.Row{Attribute: "env.flink", Class: changes.Restart},
	)
	for _, option := range document.Table() {
		if option.OfResource == "" {
			rows = append(rows, changes.Row{Attribute: "env." + option.Attribute(), Class: changes.Restart, Respelled: option.Kind == document.Millis})
		}
	}
	return jobkind.Changes(rows...)
}
