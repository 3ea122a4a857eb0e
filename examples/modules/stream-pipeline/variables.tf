variable "team" {
  description = "Team that owns the pipeline: the first part of the job's name, and a tag of each stream. Lower-case letters, digits and hyphens, 2 to 32 characters, starting with a letter."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,31}$", var.team))
    error_message = "team is \"${var.team}\". Write 2 to 32 lower-case letters, digits or hyphens, starting with a letter, such as \"team-a\"."
  }
}

variable "name" {
  description = "Name of the pipeline: the second part of the job's name, after team and a dot, and a tag of each stream. Same characters as team."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,31}$", var.name))
    error_message = "name is \"${var.name}\". Write 2 to 32 lower-case letters, digits or hyphens, starting with a letter, such as \"enrich\"."
  }
}

variable "jar" {
  description = "Program in a jar: source, a file on the machine that runs Terraform; entry_class, by default the one of the jar's manifest. Exactly one of jar and python is needed."
  type = object({
    source      = string
    entry_class = optional(string)
  })
  default = null

  validation {
    condition     = var.jar == null || can(regex("[.]jar$", var.jar.source))
    error_message = "jar.source is \"${try(var.jar.source, "")}\". Give the path of a file that ends in .jar, such as \"$${path.module}/app.jar\"; a program in Python goes to python."
  }
}

variable "python" {
  description = "Program in Python: source_dir, the directory of its code; module, the one to run in it; requirements_file, a path in source_dir; target_platform, such as linux_x86_64. Exactly one of jar and python is needed."
  type = object({
    source_dir        = string
    module            = string
    requirements_file = optional(string)
    target_platform   = optional(string)
  })
  default = null

  validation {
    condition     = (var.jar == null) != (var.python == null)
    error_message = "Set exactly one of jar and python: a pipeline has one program."
  }

  validation {
    condition     = var.python == null || can(regex("^[A-Za-z_]\\w*([.][A-Za-z_]\\w*)*$", var.python.module))
    error_message = "python.module is \"${try(var.python.module, "")}\". Write the module as Python imports it, without .py and with dots for directories, such as \"jobs.enrich\"."
  }
}

variable "args" {
  description = "Arguments of the program, passed on one by one."
  type        = list(string)
  nullable    = false
  default     = []
}

variable "parallelism" {
  description = "Parallelism of operators that set none themselves. null: the cluster's default."
  type        = number
  default     = null

  validation {
    condition     = var.parallelism == null || try(var.parallelism >= 1 && floor(var.parallelism) == var.parallelism, false)
    error_message = "Set parallelism to a whole number of at least 1, or to null for the cluster's default."
  }
}

variable "checkpoint_interval" {
  description = "How often the job takes a checkpoint: one whole number and one unit. null: as configuration or the cluster says."
  type        = string
  default     = "1 min"

  validation {
    condition     = var.checkpoint_interval == null || can(regex("^[0-9]+ ?[a-z]+$", var.checkpoint_interval))
    error_message = "Write checkpoint_interval as one whole number and one unit, such as \"30 s\" or \"1 min\", or null for what the cluster says."
  }
}

variable "configuration" {
  description = "More Flink options of the job, by Flink's own keys; they win over checkpoint_interval."
  type        = map(string)
  nullable    = false
  default     = {}
}

variable "savepoint_directory" {
  description = "Parent directory of savepoints, as the cluster reaches it. null: the cluster's own."
  type        = string
  default     = null

  validation {
    condition     = var.savepoint_directory == null || can(regex("^([a-z][a-z0-9+.-]*:)?/", var.savepoint_directory))
    error_message = "savepoint_directory is \"${coalesce(var.savepoint_directory, "null")}\". Write a path with a scheme, such as \"s3://bucket/savepoints\", or an absolute path on the cluster."
  }
}

variable "state" {
  description = "running, or suspended: stopped with a savepoint, from which it goes on later."
  type        = string
  nullable    = false
  default     = "running"

  validation {
    condition     = contains(["running", "suspended"], var.state)
    error_message = "state is \"${var.state}\". Write \"running\" or \"suspended\"."
  }
}

variable "on_destroy" {
  description = "What a destroy does to the job: savepoint stops it with a savepoint, cancel without one, detach leaves it running. What was applied last counts."
  type        = string
  nullable    = false
  default     = "savepoint"

  validation {
    condition     = contains(["savepoint", "cancel", "detach"], var.on_destroy)
    error_message = "on_destroy is \"${var.on_destroy}\". Write \"savepoint\", \"cancel\" or \"detach\"."
  }
}

variable "scope" {
  description = "Pravega scope that exists, for streams, such as the output scope of the module stream-namespace. null: the pipeline has no streams of its own."
  type        = string
  default     = null
}

variable "streams" {
  description = "Streams of the pipeline by name, which exist before the job starts: segments, the least number of them; events_per_second, the rate per segment above which Pravega splits it (null: the number is fixed); retention_time, such as 7d (null: kept for ever)."
  type = map(object({
    segments          = optional(number, 1)
    events_per_second = optional(number)
    retention_time    = optional(string)
  }))
  nullable = false
  default  = {}

  validation {
    condition     = length(var.streams) == 0 || var.scope != null
    error_message = "Set scope to the name of the Pravega scope that these streams go to: ${join(", ", keys(var.streams))}."
  }

  validation {
    condition     = alltrue([for name in keys(var.streams) : can(regex("^[a-z][a-z0-9-]{0,62}$", name))])
    error_message = "Rename in streams: ${join(", ", [for name in keys(var.streams) : name if !can(regex("^[a-z][a-z0-9-]{0,62}$", name))])}. A name is 1 to 63 lower-case letters, digits or hyphens, starting with a letter."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.segments >= 1 && floor(stream.segments) == stream.segments])
    error_message = "Set segments to a whole number of at least 1 in streams: ${join(", ", [for name, stream in var.streams : name if stream.segments < 1 || floor(stream.segments) != stream.segments])}."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : try(stream.events_per_second >= 1, stream.events_per_second == null)])
    error_message = "Set events_per_second to at least 1, or leave it out for a fixed number of segments, in streams: ${join(", ", [for name, stream in var.streams : name if !try(stream.events_per_second >= 1, stream.events_per_second == null)])}."
  }
}

variable "alerts" {
  description = "Limits of the alerts that have one: max_checkpoint_age_seconds, of the newest checkpoint; failure_window_seconds, how long a failure is told after the job has recovered. 0 switches the alert off."
  type = object({
    max_checkpoint_age_seconds = optional(number, 600)
    failure_window_seconds     = optional(number, 3600)
  })
  nullable = false
  default  = {}

  validation {
    condition     = alltrue([for limit in values(var.alerts) : limit >= 0 && floor(limit) == limit])
    error_message = "Set the limits in alerts to whole seconds of at least 1, or to 0 to switch an alert off."
  }
}

variable "deletion_protection" {
  description = "Whether the streams cannot be destroyed or replaced. To remove them, set it to false and apply that first."
  type        = bool
  nullable    = false
  default     = true
}
