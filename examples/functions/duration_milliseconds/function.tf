# Needs Terraform 1.8. A module refuses what would be too slow, however it is spelled.
variable "checkpoint_interval" {
  type    = string
  default = "30 s"

  validation {
    condition     = provider::streaming::duration_milliseconds(var.checkpoint_interval) <= provider::streaming::duration_milliseconds("10 min")
    error_message = "A checkpoint is wanted every 10 min at least."
  }
}
