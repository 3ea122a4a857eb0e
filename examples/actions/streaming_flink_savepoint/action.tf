variable "job_id" {
  type    = string
  default = "0123456789abcdef0123456789abcdef"
}

# terraform apply -invoke=action.streaming_flink_savepoint.before_maintenance
action "streaming_flink_savepoint" "before_maintenance" {
  config {
    job_id    = var.job_id # such as streaming_flink_job.orders.job_id
    directory = "s3://example-bucket/savepoints"
    timeout   = "30 min"
  }
}
