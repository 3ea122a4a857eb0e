import {
  to = streaming_dagger_job.orders
  identity = {
    owner = "team-a/prod"
    name  = "orders-per-minute"
  }
}
