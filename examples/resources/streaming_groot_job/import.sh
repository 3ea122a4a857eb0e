# By the Flink job id, or by the name of the one job that runs under it.
terraform import streaming_groot_job.clicks name:clicks
