# Alerts are warnings of a plan or an apply, and stop neither. The check looks
# the job up itself, so that a job that is gone is a warning as well.

check "health" {
  data "streaming_flink_job" "this" {
    job_id = one(concat(streaming_flink_job.this[*].job_id, streaming_flink_python_job.this[*].job_id))
  }

  assert {
    condition     = var.state == "suspended" || data.streaming_flink_job.this.all_tasks_running
    error_message = "${local.full_name} is ${data.streaming_flink_job.this.status}, and not all of its tasks run. Last failure: ${try(data.streaming_flink_job.this.last_failure.reason, "none")}"
  }

  # A job that has just started has no checkpoint yet.
  assert {
    condition = var.state == "suspended" || var.alerts.max_checkpoint_age_seconds == 0 || try(
      data.streaming_flink_job.this.checkpoints.last_age_seconds <= var.alerts.max_checkpoint_age_seconds,
      timecmp(plantimestamp(), timeadd(data.streaming_flink_job.this.started_at, "${var.alerts.max_checkpoint_age_seconds}s")) <= 0,
    )
    error_message = "The newest checkpoint of ${local.full_name} is ${try("${data.streaming_flink_job.this.checkpoints.last_age_seconds} s old", "missing")}; at most ${var.alerts.max_checkpoint_age_seconds} s are expected."
  }

  assert {
    condition = var.state == "suspended" || var.alerts.failure_window_seconds == 0 || try(
      timecmp(plantimestamp(), timeadd(data.streaming_flink_job.this.last_failure.at, "${var.alerts.failure_window_seconds}s")) > 0,
      true,
    )
    error_message = "${local.full_name} failed at ${try(data.streaming_flink_job.this.last_failure.at, "an unknown time")}: ${try(data.streaming_flink_job.this.last_failure.reason, "the cause is unknown")}"
  }
}
