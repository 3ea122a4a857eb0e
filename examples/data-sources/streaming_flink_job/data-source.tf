resource "streaming_flink_job" "orders" {
  name = "orders"
  jar  = { source = "${path.module}/app.jar" }
}

# In a check block, a job that is gone is a warning and stops nothing.
check "orders" {
  data "streaming_flink_job" "orders" {
    job_id = streaming_flink_job.orders.job_id
  }

  assert {
    condition     = data.streaming_flink_job.orders.all_tasks_running
    error_message = "The job is ${data.streaming_flink_job.orders.status}. Last failure: ${try(data.streaming_flink_job.orders.last_failure.reason, "none")}"
  }

  assert {
    condition     = try(data.streaming_flink_job.orders.checkpoints.last_age_seconds < 600, false)
    error_message = "The newest checkpoint of orders is older than ten minutes, or there is none."
  }
}
