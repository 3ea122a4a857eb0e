variable "team" {
  description = "Team that owns the scope: the first part of the scope's name, and a tag of each stream. Lower-case letters, digits and hyphens, 2 to 32 characters, starting with a letter."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,31}$", var.team))
    error_message = "team is \"${var.team}\". Write 2 to 32 lower-case letters, digits or hyphens, starting with a letter, such as \"team-a\"."
  }
}

variable "name" {
  description = "What the scope is for: the second part of its name, after team and a dot. Same characters as team."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,31}$", var.name))
    error_message = "name is \"${var.name}\". Write 2 to 32 lower-case letters, digits or hyphens, starting with a letter, such as \"shop\"."
  }
}

variable "streams" {
  description = "Streams of the scope by name. Each has at most one of retention_time and retention_size, else default_retention_time; segments, the least number of them; events_per_second, the rate per segment above which Pravega splits it (null: the number is fixed); and more tags."
  type = map(object({
    segments          = optional(number, 1)
    events_per_second = optional(number)
    retention_time    = optional(string)
    retention_size    = optional(string)
    tags              = optional(set(string), [])
  }))
  nullable = false
  default  = {}

  validation {
    condition     = alltrue([for name in keys(var.streams) : can(regex("^[a-z][a-z0-9-]{0,62}$", name))])
    error_message = "Rename in streams: ${join(", ", [for name in keys(var.streams) : name if !can(regex("^[a-z][a-z0-9-]{0,62}$", name))])}. A name is 1 to 63 lower-case letters, digits or hyphens, starting with a letter."
  }

  validation {
    condition     = alltrue([for stream in values(var.streams) : stream.retention_time == null || stream.retention_size == null])
    error_message = "Remove retention_time or retention_size in streams: ${join(", ", [for name, stream in var.streams : name if stream.retention_time != null && stream.retention_size != null])}. Pravega keeps a stream by time or by size, not by both."
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

variable "default_retention_time" {
  description = "Retention of each stream that states none, such as 7d: one whole number and one unit, whole minutes. null: such a stream is kept for ever."
  type        = string
  default     = "7d"

  validation {
    condition     = var.default_retention_time == null || can(regex("^[0-9]+ ?[a-z]+$", var.default_retention_time))
    error_message = "Write default_retention_time as one whole number and one unit, such as \"7d\" or \"36 h\", or null to keep data for ever."
  }
}

variable "deletion_protection" {
  description = "Whether the scope and its streams cannot be destroyed or replaced. To remove them, set it to false and apply that first."
  type        = bool
  nullable    = false
  default     = true
}
