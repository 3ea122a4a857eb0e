// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"slices"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/document/pyflink"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/changes"
)

// starts are the classes whose apply starts a job.
var starts = []changes.Class{changes.Restart, changes.Restore}

// Changes is the table of a kind of job: the rows of its own attributes, then
// those that all kinds share.
func Changes(own ...changes.Row) changes.Table {
	return changes.Table{
		Effects: map[changes.Class]string{
			changes.None:    "the job is not touched",
			changes.Rescale: "in place on the adaptive scheduler, else **restart with state**",
			changes.Restart: "without state when `upgrade.mode = \"stateless\"`",
			changes.Suspend: "both with state; a resume is a start under a new job id",
		},
		Rows: slices.Concat(own, sharedChanges()),
	}
}

// sharedChanges are the same for every kind of job.
func sharedChanges() []changes.Row {
	all := slices.Concat(starts, []changes.Class{changes.Suspend, changes.Rescale})
	ends := slices.Concat(starts, []changes.Class{changes.Suspend})
	rows := []changes.Row{
		{Attribute: "name", Class: changes.Restart},
		{Attribute: "parallelism", Class: changes.Rescale},
		{Attribute: "max_parallelism", Class: changes.Restart},
		{Attribute: "configuration", Class: changes.Restart, Respelled: true},
		{Attribute: "state", Class: changes.Suspend},
		{Attribute: "restart_trigger", Class: changes.Restart},
		{Attribute: "restore_from", Class: changes.None},
		{Attribute: "restore_trigger", Class: changes.Restore},
		{Attribute: "bundle", Class: changes.Nested},
		{Attribute: "bundle.id", Class: changes.Ignored, Note: "with the same `sha256`"},
		{Attribute: "bundle.sha256", Class: changes.Restart},
		{Attribute: "python", Class: changes.Nested},
		{Attribute: "upgrade", Class: changes.Nested},
		{Attribute: "upgrade.mode", Class: changes.None},
		{Attribute: "upgrade.savepoint_directory", Class: changes.None},
		{Attribute: "upgrade.keep_savepoints", Class: changes.None},
		{Attribute: "upgrade.savepoint_format", Class: changes.None},
		{Attribute: "upgrade.drain", Class: changes.None},
		{Attribute: "upgrade.allow_non_restored_state", Class: changes.None},
		{Attribute: "upgrade.rollback_on_failure", Class: changes.None},
		{Attribute: "on_destroy", Class: changes.None},
		{Attribute: "on_finished", Class: changes.None, Note: "a finished job is started again by `rerun`"},
		{Attribute: "adopt_existing", Class: changes.None},
		{Attribute: "cluster_moved", Class: changes.None},
		{Attribute: "timeouts", Class: changes.Nested},
		{Attribute: "timeouts.create", Class: changes.None, Respelled: true},
		{Attribute: "timeouts.update", Class: changes.None, Respelled: true},
		{Attribute: "timeouts.delete", Class: changes.None, Respelled: true},

		{Attribute: "id", Class: changes.Computed},
		{Attribute: "cluster", Class: changes.Computed},
		{Attribute: "job_id", Class: changes.Computed, After: starts},
		{Attribute: "job_name", Class: changes.Computed, After: starts},
		{Attribute: "restored_from", Class: changes.Computed, After: starts},
		{Attribute: "started_at", Class: changes.Computed, After: starts},
		{Attribute: "web_url", Class: changes.Computed, After: ends},
		{Attribute: "savepoint_path", Class: changes.Computed, After: ends},
		{Attribute: "status", Class: changes.Computed, After: all},
		{Attribute: "last_checkpoint_path", Class: changes.Computed, After: all},
		{Attribute: "deployment", Class: changes.Computed},
		{Attribute: "deployment.generation", Class: changes.Computed, After: starts},
		{Attribute: "deployment.change", Class: changes.Computed},
	}
	for _, option := range pyflink.Table() {
		attribute := pythonName + "." + option.Attribute()
		if option.Kind == pyflink.Requirements {
			rows = append(rows, changes.Row{Attribute: attribute, Class: changes.Nested},
				changes.Row{Attribute: attribute + ".file", Class: changes.Restart}, changes.Row{Attribute: attribute + ".cached_dir", Class: changes.Restart})
			continue
		}
		rows = append(rows, changes.Row{Attribute: attribute, Class: changes.Restart, Respelled: option.Kind == pyflink.Millis})
	}
	return rows
}
