# By Flink's id of the job:
terraform import streaming_dagger_job.orders 4f2a9a7c1b0d4e6f8a3c5d7e9f1b2d4c

# By its name, if one running job has it:
terraform import streaming_dagger_job.orders name:orders-per-minute
