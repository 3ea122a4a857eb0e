# Against the Flink and the Pravega that the environment names.

provider "streaming" {
  owner = "team-t/pipeline"
}

variables {
  team       = "team-t"
  name       = "enrich"
  on_destroy = "cancel"
}

run "scope" {
  module {
    source = "./tests/scope"
  }
}

run "jar" {
  variables {
    jar                 = { source = "tests/app.jar", entry_class = "com.example.Orders" }
    args                = ["--window", "5 min"]
    configuration       = { "state.backend.type" = "rocksdb" }
    scope               = run.scope.name
    streams             = { clicks = { segments = 2, retention_time = "7d" }, dead = {} }
    deletion_protection = false
  }

  assert {
    condition     = output.job.name == "team-t.enrich" && output.job.status == "RUNNING"
    error_message = "The job is ${jsonencode(output.job)}."
  }

  assert {
    condition     = output.streams == { clicks = { id = "team-t-pipeline/clicks", segment_count = 2 }, dead = { id = "team-t-pipeline/dead", segment_count = 1 } }
    error_message = "The streams are ${jsonencode(output.streams)}."
  }

  assert {
    condition     = streaming_flink_job.this[0].configuration == tomap({ "execution.checkpointing.interval" = "1 min", "state.backend.type" = "rocksdb" })
    error_message = "The configuration is ${jsonencode(streaming_flink_job.this[0].configuration)}."
  }

  assert {
    condition     = output.code_sha256 == filesha256("tests/app.jar")
    error_message = "code_sha256 is not the jar's."
  }
}

run "protects_by_default" {
  command = plan

  variables {
    jar           = { source = "tests/app.jar", entry_class = "com.example.Orders" }
    args          = ["--window", "5 min"]
    configuration = { "state.backend.type" = "rocksdb" }
    scope         = run.scope.name
    streams       = { clicks = { segments = 2, retention_time = "7d" }, dead = {} }
  }

  assert {
    condition     = alltrue([for stream in streaming_pravega_stream.this : stream.deletion_protection])
    error_message = "The streams are not protected by default."
  }
}

run "suspended" {
  variables {
    jar                 = { source = "tests/app.jar", entry_class = "com.example.Orders" }
    scope               = run.scope.name
    state               = "suspended"
    deletion_protection = false
  }

  assert {
    condition     = streaming_flink_job.this[0].state == "suspended" && streaming_flink_job.this[0].savepoint_path != null
    error_message = "The job has no savepoint."
  }
}

run "python" {
  variables {
    python              = { source_dir = "tests/udfs", module = "enrich_job" }
    checkpoint_interval = null
  }

  assert {
    condition     = output.job.name == "team-t.enrich" && output.job.status == "RUNNING" && length(streaming_flink_job.this) == 0
    error_message = "The job is ${jsonencode(output.job)}."
  }

  assert {
    condition     = output.code_sha256 == streaming_python_bundle.this[0].sha256
    error_message = "code_sha256 is not the bundle's."
  }
}
