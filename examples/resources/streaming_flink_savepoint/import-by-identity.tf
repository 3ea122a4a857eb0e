import {
  to = streaming_flink_savepoint.release
  identity = {
    path = "s3://bucket/savepoints/savepoint-1a2b3c-4d5e6f708192"
  }
}
