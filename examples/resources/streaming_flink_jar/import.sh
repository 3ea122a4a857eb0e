# The id that Flink gave the jar: GET /jars of the JobManager lists them.
terraform import streaming_flink_jar.app 2a6f1d9e-7e0a-4d0f-9a56-0b8f6f0c6d11_app.jar
