import {
  to = streaming_flink_sql_job.top_pages
  identity = {
    owner = "team-a/prod"
    name  = "top-pages"
  }
}
