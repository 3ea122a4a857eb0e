// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package flink

import (
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/service/jobkind"
)

// Changes are the tables of what a change does, by type of resource. The
// schemas and the docs are made of them, and the tests hold plans and requests
// against them.
func Changes() map[string]changes.Table {
	return map[string]changes.Table{JobType: jobChanges(), PythonJobType: pythonJobChanges(), SQLJobType: sqlJobChanges(), JarType: jarChanges(), SavepointType: savepointChanges()}
}

func jobChanges() changes.Table {
	return jobkind.Changes(append(jobkind.JarChanges(),
		changes.Row{Attribute: "entry_class", Class: changes.Restart},
		changes.Row{Attribute: "args", Class: changes.Restart},
	)...)
}

func jarChanges() changes.Table {
	return changes.Table{
		Effects: map[changes.Class]string{
			changes.None:    "nothing is sent",
			changes.InPlace: "the new content is uploaded unless it is on the cluster; the earlier file stays for the job that runs from it",
		},
		Rows: []changes.Row{
			{Attribute: "source", Class: changes.None, Note: "another content is a change of `sha256`"},
			{Attribute: "url", Class: changes.None, Note: "another content is a change of `sha256`"},
			{Attribute: "sha256", Class: changes.InPlace},

			{Attribute: "id", Class: changes.Computed, After: []changes.Class{changes.InPlace}},
			{Attribute: "size", Class: changes.Computed, After: []changes.Class{changes.InPlace}},
			{Attribute: "file_name", Class: changes.Computed, After: []changes.Class{changes.InPlace}},
			{Attribute: "entry_classes", Class: changes.Computed, After: []changes.Class{changes.InPlace}},
		},
	}
}

func savepointChanges() changes.Table {
	taken := []changes.Class{changes.Replace}
	return changes.Table{
		Effects: map[changes.Class]string{
			changes.None:    "nothing is sent",
			changes.Ignored: "it counts when a savepoint is taken",
			changes.Replace: "a new savepoint is taken",
		},
		Rows: []changes.Row{
			{Attribute: "job_id", Class: changes.Ignored},
			{Attribute: "trigger", Class: changes.Replace},
			{Attribute: "directory", Class: changes.Replace},
			{Attribute: "format_type", Class: changes.Replace},
			{Attribute: "dispose_on_destroy", Class: changes.None},
			{Attribute: "timeouts", Class: changes.Nested},
			{Attribute: "timeouts.create", Class: changes.None, Respelled: true},
			{Attribute: "timeouts.delete", Class: changes.None, Respelled: true},

			{Attribute: "id", Class: changes.Computed, After: taken},
			{Attribute: "path", Class: changes.Computed, After: taken},
			{Attribute: "created_at", Class: changes.Computed, After: taken},
			{Attribute: "cluster", Class: changes.Computed, After: taken},
		},
	}
}
