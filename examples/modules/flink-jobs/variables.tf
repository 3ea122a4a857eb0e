variable "team" {
  description = "Team that owns the jobs: the first part of each job's name, before a dot and its name in the file. Lower-case letters, digits and hyphens, 2 to 32 characters, starting with a letter."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,31}$", var.team))
    error_message = "team is \"${var.team}\". Write 2 to 32 lower-case letters, digits or hyphens, starting with a letter, such as \"team-a\"."
  }
}

variable "jobs_file" {
  description = "YAML file of the jobs; it has to be there at plan. Paths of jars in it begin at its own directory."
  type        = string
  nullable    = false

  validation {
    condition     = can(keys(yamldecode(file(var.jobs_file)).jobs))
    error_message = "${var.jobs_file} cannot be read, is not YAML, or has no map \"jobs\". Give a file such as: jobs: { orders: { jar: app.jar } }."
  }

  validation {
    condition     = try(keys(yamldecode(file(var.jobs_file))) == ["jobs"], true)
    error_message = "Remove from the top of ${var.jobs_file} all but \"jobs\": what all jobs have in common is an input of the module."
  }

  validation {
    condition     = alltrue([for name in try(keys(yamldecode(file(var.jobs_file)).jobs), []) : can(regex("^[a-z][a-z0-9-]{0,62}$", name))])
    error_message = "Rename in ${var.jobs_file}: ${join(", ", [for name in try(keys(yamldecode(file(var.jobs_file)).jobs), []) : name if !can(regex("^[a-z][a-z0-9-]{0,62}$", name))])}. A name is 1 to 63 lower-case letters, digits or hyphens, starting with a letter."
  }

  validation {
    condition     = alltrue([for job in try(values(yamldecode(file(var.jobs_file)).jobs), []) : can(regex("[.]jar$", job.jar))])
    error_message = "Set jar to the path of a file that ends in .jar in ${var.jobs_file} for: ${join(", ", [for name, job in try(yamldecode(file(var.jobs_file)).jobs, {}) : name if !can(regex("[.]jar$", job.jar))])}."
  }

  validation {
    condition     = alltrue([for job in try(values(yamldecode(file(var.jobs_file)).jobs), []) : length(setsubtract(try(keys(job), []), ["jar", "entry_class", "args", "parallelism", "max_parallelism", "configuration", "state", "restart_trigger", "restore_from", "restore_trigger", "on_destroy"])) == 0])
    error_message = "The module does not know these in ${var.jobs_file}: ${join("; ", [for name, job in try(yamldecode(file(var.jobs_file)).jobs, {}) : "${name}: ${join(", ", setsubtract(try(keys(job), []), ["jar", "entry_class", "args", "parallelism", "max_parallelism", "configuration", "state", "restart_trigger", "restore_from", "restore_trigger", "on_destroy"]))}" if length(setsubtract(try(keys(job), []), ["jar", "entry_class", "args", "parallelism", "max_parallelism", "configuration", "state", "restart_trigger", "restore_from", "restore_trigger", "on_destroy"])) > 0])}. Correct the spelling, or remove them."
  }

  validation {
    condition     = alltrue([for job in try(values(yamldecode(file(var.jobs_file)).jobs), []) : !can(job.args) || try(job.args == null, false) || can([for arg in job.args : tostring(arg)])])
    error_message = "Write args as a list of plain values in ${var.jobs_file} for: ${join(", ", [for name, job in try(yamldecode(file(var.jobs_file)).jobs, {}) : name if can(job.args) && !can([for arg in job.args : tostring(arg)])])}."
  }

  validation {
    condition     = alltrue([for job in try(values(yamldecode(file(var.jobs_file)).jobs), []) : !can(job.configuration) || try(job.configuration == null, false) || can({ for key, value in job.configuration : key => tostring(value) })])
    error_message = "Write configuration as Flink's full keys with plain values in ${var.jobs_file} for: ${join(", ", [for name, job in try(yamldecode(file(var.jobs_file)).jobs, {}) : name if can(job.configuration) && !can({ for key, value in job.configuration : key => tostring(value) })])}."
  }
}

variable "configuration" {
  description = "Flink options of all jobs, by Flink's own keys; what a job's own configuration says wins."
  type        = map(string)
  nullable    = false
  default     = { "execution.checkpointing.interval" = "1 min" }
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

variable "on_destroy" {
  description = "What becomes of a job that is destroyed or leaves the file, unless the file said otherwise: savepoint stops it with a savepoint, cancel without one, detach leaves it running. What was applied last counts."
  type        = string
  nullable    = false
  default     = "savepoint"

  validation {
    condition     = contains(["savepoint", "cancel", "detach"], var.on_destroy)
    error_message = "on_destroy is \"${var.on_destroy}\". Write \"savepoint\", \"cancel\" or \"detach\"."
  }
}
