# Alerts are warnings of a plan or an apply, and stop neither. The look-up is
# beside the check, not in it: Terraform reads one in a check again at each apply,
# so that no plan would end with "No changes". A suspended job is not looked up:
# Flink forgets a job some time after its end.

data "streaming_flink_job" "this" {
  count = var.state == "suspended" ? 0 : 1

  job_id = one(concat(streaming_flink_job.this[*].job_id, streaming_flink_python_job.this[*].job_id))
}

check "health" {
  assert {
    condition     = alltrue(data.streaming_flink_job.this[*].all_tasks_running)
    error_message = "${local.full_name} is ${try(data.streaming_flink_job.this[0].status, "unknown")}, and not all of its tasks run. Last failure: ${try(data.streaming_flink_job.this[0].last_failure.reason, "none")}"
  }

  # A job that has just started has no checkpoint yet.
  assert {
    condition = var.alerts.max_checkpoint_age_seconds == 0 || alltrue([for job in data.streaming_flink_job.this : try(
      job.checkpoints.last_age_seconds <= var.alerts.max_checkpoint_age_seconds,
      timecmp(plantimestamp(), timeadd(job.started_at, "${var.alerts.max_checkpoint_age_seconds}s")) <= 0,
    )])
    error_message = "The newest checkpoint of ${local.full_name} is ${try("${data.streaming_flink_job.this[0].checkpoints.last_age_seconds} s old", "missing")}; at most ${var.alerts.max_checkpoint_age_seconds} s are expected."
  }

  assert {
    condition = var.alerts.failure_window_seconds == 0 || alltrue([for job in data.streaming_flink_job.this : try(
      timecmp(plantimestamp(), timeadd(job.last_failure.at, "${var.alerts.failure_window_seconds}s")) > 0,
      true,
    )])
    error_message = "${local.full_name} failed at ${try(data.streaming_flink_job.this[0].last_failure.at, "an unknown time")}: ${try(data.streaming_flink_job.this[0].last_failure.reason, "the cause is unknown")}"
  }
}
