# The path of the savepoint, as the cluster reaches it.
terraform import streaming_flink_savepoint.release s3://bucket/savepoints/savepoint-1a2b3c-4d5e6f708192
