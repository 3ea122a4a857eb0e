import {
  to = streaming_groot_job.clicks
  identity = {
    owner = "team-a/prod"
    name  = "clicks"
  }
}
