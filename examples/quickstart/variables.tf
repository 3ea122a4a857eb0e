variable "parallelism" {
  description = "How many subtasks the job has. Change it while the job runs."
  type        = number
  default     = 1
}

variable "state" {
  description = "running or suspended."
  type        = string
  default     = "running"
}

variable "jar" {
  description = "The job's jar; by default the one that make quickstart builds."
  type        = string
  default     = null
}
