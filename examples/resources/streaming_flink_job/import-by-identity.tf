import {
  to = streaming_flink_job.orders
  identity = {
    owner = "team-a/prod"
    name  = "orders"
  }
}
