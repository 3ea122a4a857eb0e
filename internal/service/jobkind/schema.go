// Copyright (c) The terraform-provider-streaming authors
// SPDX-License-Identifier: MPL-2.0

package jobkind

import (
	"maps"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/customtypes"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/framework/validators"
	"github.com/terraform-streaming/terraform-provider-streaming/internal/lifecycle"
)

// Attributes are the same in every job resource.
func Attributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Name of the job, sent as `pipeline.name`; a program that calls `execute(name)` shows another one in `job_name`, and so does each on Flink 1.14, which takes no name. " +
				"With `owner` of the provider it identifies the job for its whole life.",
			Validators: []validator.String{validators.Length(1, 255)},
		},
		"parallelism": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Parallelism of operators that set none themselves, at least 1. Default: `parallelism.default` of `configuration` or of the cluster. " +
				"On a cluster with the adaptive scheduler, a change of it alone leaves the job running under its id, if it takes checkpoints; a parallelism that somebody else has asked for there shows as drift.",
			Validators: []validator.Int64{validators.Between(1, 32768)},
		},
		"max_parallelism": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Upper limit of parallelism for the life of the state, 1 to 32768, sent as `pipeline.max-parallelism`. " +
				"State that was taken with another one cannot be restored. Flink 1.14 takes none with a job.",
			Validators: []validator.Int64{validators.Between(1, 32768)},
		},
		"configuration": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Flink options of this job, by Flink's own keys, such as `\"execution.checkpointing.interval\" = \"10 s\"`. Only options of a job have effect; Flink ignores options of a cluster. " +
				"The provider adds `pipeline.name`, its marker in `pipeline.global-job-parameters`, and `RETAIN_ON_CANCELLATION` for checkpoints unless another retention is given. Flink cannot tell most of them again. Flink 1.14 takes no configuration with a job, so that this must not be set there, and none of these is added.\n\n" +
				"A duration or a size of memory may be spelled as Flink reads it (`\"10 min\"`, `\"600 s\"`, `\"600000\"`): another spelling of the same value is no change, and one that Flink cannot read fails the plan. " +
				"Which options these are is known for each version of Flink; every other value is compared as text.",
			Validators: []validator.Map{configurationValidator{}},
		},
		"state": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString("running"),
			MarkdownDescription: "`running` (default) or `suspended`: stopped with a savepoint, from which it goes on later. " +
				"After a refresh it holds what was found: also `finished`, `failed`, `canceled`, `lost` (the JobManager does not know the job any more) or `interrupted` (an apply ended half-way).",
			Validators: []validator.String{validators.OneOf("running", "suspended")},
		},
		"restart_trigger": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Any text; a change restarts the job.",
		},
		"restore_from": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Savepoint or checkpoint that the first start begins with, as a path with a scheme or an absolute path on the cluster. " +
				"Later it is used only when `restore_trigger` changes.",
			Validators: []validator.String{validators.Matches(
				regexp.MustCompile(`^(/|[a-zA-Z][a-zA-Z0-9+.-]*:/)`), "must be an absolute path, or a path with a scheme such as s3://bucket/savepoints/savepoint-1")},
		},
		"restore_trigger": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Any text; a change restarts the job from `restore_from`.",
		},
		"bundle":  BundleAttribute(false),
		"python":  pythonAttribute(),
		"upgrade": upgradeAttribute(),
		"on_destroy": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString(lifecycle.OnDestroySavepoint),
			MarkdownDescription: "What a destroy does: `savepoint` (default) stops with a savepoint and prints its path, `cancel` ends the job without one, `detach` leaves it running. " +
				"The value in state counts, so it has to be applied before.",
			Validators: []validator.String{validators.OneOf(lifecycle.OnDestroySavepoint, lifecycle.OnDestroyCancel, lifecycle.OnDestroyDetach)},
		},
		"on_finished": schema.StringAttribute{
			Optional: true, Computed: true, Default: stringdefault.StaticString("keep"),
			MarkdownDescription: "What a job that came to its own end means: `keep` (default), no diff; `rerun`, it is planned to run again from the beginning.",
			Validators:          []validator.String{validators.OneOf("keep", "rerun")},
		},
		"adopt_existing": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "On create, and when the job was lost, take over the one running job of this name instead of starting one. It goes on without a restart, unless it was started through this provider as something else than what is configured. More than one is an error. " +
				"It also lets the configuration of an imported job lack what Flink cannot tell and a start needs, such as `jar`. Default `false`.",
		},
		"cluster_moved": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(false),
			MarkdownDescription: "Accept that the endpoint in the provider configuration is another cluster than the one in state, where the job is not known: it is started there from its last savepoint. " +
				"Without it such a plan is an error. Default `false`.",
		},
		"timeouts": timeoutsAttribute(),
	}
	maps.Copy(attributes, computedAttributes())
	return attributes
}

func upgradeAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true, Computed: true,
		Default:             objectdefault.StaticValue(types.ObjectValueMust(upgradeTypes, defaultUpgrade())),
		MarkdownDescription: "How the job is stopped and started again.",
		Attributes: map[string]schema.Attribute{
			"mode": schema.StringAttribute{
				Optional: true, Computed: true, Default: stringdefault.StaticString(lifecycle.ModeSavepoint),
				MarkdownDescription: "`savepoint` (default): stop with a savepoint and start from it. `last_state`: cancel and start from the newest checkpoint, also for a job that is failing. `stateless`: cancel and start from nothing.",
				Validators:          []validator.String{validators.OneOf(lifecycle.ModeSavepoint, lifecycle.ModeLastState, lifecycle.ModeStateless)},
			},
			"savepoint_directory": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Parent directory of savepoints, as the cluster reaches it; each goes to `<directory>/<id>/<generation>/`. " +
					"Default: the cluster's `execution.checkpointing.savepoint-dir`. A create with neither fails at plan, unless neither `upgrade.mode` nor `on_destroy` is `savepoint`.",
				Validators: []validator.String{validators.Matches(
					regexp.MustCompile(`^(/|[a-zA-Z][a-zA-Z0-9+.-]*:/)`), "must be an absolute path, or a path with a scheme such as s3://bucket/savepoints")},
			},
			"keep_savepoints": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "How many of this job's own savepoints to keep, at least 1; older ones are deleted through Flink. The one that the job was started from always stays. Default: all.",
				Validators:          []validator.Int64{validators.AtLeast(1)},
			},
			"savepoint_format": schema.StringAttribute{
				Optional: true, Computed: true, Default: stringdefault.StaticString("CANONICAL"),
				MarkdownDescription: "`CANONICAL` (default; any state backend can read it) or `NATIVE` (faster, the same backend only; not on Flink 1.14).",
				Validators:          []validator.String{validators.OneOf("CANONICAL", "NATIVE")},
			},
			"drain": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Let sources end and windows fire before the savepoint. Only for a job that is not to go on where it was. Default `false`.",
			},
			"allow_non_restored_state": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Start although the savepoint has state that no operator of the program takes: that state is lost. Default `false`.",
			},
			"rollback_on_failure": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(true),
				MarkdownDescription: "When the new version does not start, run the old one again from the same savepoint; the apply fails all the same. Default `true`.",
			},
		},
	}
}

func timeoutsAttribute() schema.SingleNestedAttribute {
	limit := func(what, value string) schema.StringAttribute {
		return schema.StringAttribute{
			Optional: true, CustomType: customtypes.DurationType{},
			MarkdownDescription: "Limit of a " + what + ", such as `\"10m\"`. Default `" + value + "`.",
		}
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "Time limits of whole operations, one number and one unit.",
		Attributes: map[string]schema.Attribute{
			"create": limit("create", "10m"), "update": limit("change", "20m"), "delete": limit("destroy", "10m"),
		},
	}
}

func computedAttributes() map[string]schema.Attribute {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	return map[string]schema.Attribute{
		"id":                   text("Identity of the resource, stable for its whole life; part of the path of its savepoints."),
		"job_id":               text("Flink's id of the running job, a new one at each start."),
		"job_name":             text("Name of the job as Flink shows it."),
		"status":               text("State of the job in Flink's own word, such as `RUNNING` or `RESTARTING`."),
		"cluster":              text("Endpoint of the cluster that the job was last applied to."),
		"web_url":              text("Address of the job in Flink's web UI."),
		"savepoint_path":       text("The last savepoint that the job was stopped with."),
		"last_checkpoint_path": text("The newest checkpoint that the last refresh saw. A hint: a newer one exists seconds later."),
		"restored_from":        text("The savepoint or checkpoint that the running job was started from."),
		"started_at":           text("When the running job was submitted, in RFC 3339, UTC."),
		"deployment": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "The last start or stop.",
			Attributes: map[string]schema.Attribute{
				"generation": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the start that runs, from 1; 0 for a job that was imported or has not been started."},
				"change":     schema.StringAttribute{Computed: true, MarkdownDescription: "What the last plan with a start or stop said it would do."},
			},
		},
	}
}

var (
	upgradeTypes = map[string]attr.Type{
		"mode": types.StringType, "savepoint_directory": types.StringType, "keep_savepoints": types.Int64Type,
		"savepoint_format": types.StringType, "drain": types.BoolType, "allow_non_restored_state": types.BoolType,
		"rollback_on_failure": types.BoolType,
	}
	deploymentTypes = map[string]attr.Type{"generation": types.Int64Type, "change": types.StringType}
)

func defaultUpgrade() map[string]attr.Value {
	return map[string]attr.Value{
		"mode": types.StringValue(lifecycle.ModeSavepoint), "savepoint_directory": types.StringNull(), "keep_savepoints": types.Int64Null(),
		"savepoint_format": types.StringValue("CANONICAL"), "drain": types.BoolValue(false), "allow_non_restored_state": types.BoolValue(false),
		"rollback_on_failure": types.BoolValue(true),
	}
}
