import {
  to = streaming_flink_python_job.enrich
  identity = {
    owner = "team-a/prod"
    name  = "enrich"
  }
}
