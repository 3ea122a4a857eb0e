import {
  to = streaming_streampark_job.clicks
  identity = {
    owner = "team-a/prod"
    name  = "clicks"
  }
}
