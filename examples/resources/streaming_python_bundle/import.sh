# The id that Flink gave the archive: GET /jars of the JobManager lists them.
terraform import streaming_python_bundle.udfs 2a6f1d9e-7e0a-4d0f-9a56-0b8f6f0c6d11_udfs-9f86d081884c7d659a2feaa0c55ad015.jar
