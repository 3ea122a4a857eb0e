# By the Flink job id, or by the name of the one job that runs under it.
terraform import streaming_flink_sql_job.top_pages name:top-pages
