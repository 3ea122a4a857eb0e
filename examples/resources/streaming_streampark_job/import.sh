# By the Flink job id, or by the name of the one job that runs under it.
terraform import streaming_streampark_job.clicks name:clicks
