variable "release" {
  type    = string
  default = "2026-11-30"
}

resource "streaming_flink_job" "orders" {
  name = "orders"
  jar  = { source = "${path.module}/app.jar" }
}

# Taken without stopping the job. Another release takes another one, and the
# files of the one before stay.
resource "streaming_flink_savepoint" "release" {
  job_id    = streaming_flink_job.orders.job_id
  trigger   = var.release
  directory = "s3://bucket/savepoints"
}

# For a short while: the files go when the resource is destroyed or replaced.
resource "streaming_flink_savepoint" "before_migration" {
  job_id             = streaming_flink_job.orders.job_id
  format_type        = "NATIVE"
  dispose_on_destroy = true
}

output "restore_from" {
  value = streaming_flink_savepoint.release.path
}
