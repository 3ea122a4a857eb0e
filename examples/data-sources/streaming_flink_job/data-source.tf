resource "streaming_flink_job" "orders" {
  name          = "orders"
  jar           = { source = "${path.module}/app.jar" }
  configuration = { "execution.checkpointing.interval" = "1 min" }
}

# In a check block, a job that is not well, or gone, is a warning of each plan
# and each apply, and stops nothing; Terraform reads the job again at each apply.
# Outside of one, a job that is gone is an error.
check "orders" {
  data "streaming_flink_job" "orders" {
    job_id = streaming_flink_job.orders.job_id
  }

  assert {
    condition     = data.streaming_flink_job.orders.all_tasks_running
    error_message = "orders is ${data.streaming_flink_job.orders.status}, and not all of its tasks run. Last failure: ${try(data.streaming_flink_job.orders.last_failure.reason, "none")}"
  }

  # null, not counted yet, is no alert.
  assert {
    condition     = coalesce(data.streaming_flink_job.orders.restarts, 0) <= 3
    error_message = "Flink has restarted orders ${coalesce(data.streaming_flink_job.orders.restarts, 0)} times. Last failure: ${try(data.streaming_flink_job.orders.last_failure.reason, "none")}"
  }

  # A job that has just started has no checkpoint yet.
  assert {
    condition = try(
      data.streaming_flink_job.orders.checkpoints.last_age_seconds <= 600,
      timecmp(plantimestamp(), timeadd(data.streaming_flink_job.orders.started_at, "10m")) <= 0,
    )
    error_message = "The newest checkpoint of orders is older than ten minutes, or there is none."
  }
}
