# Against the Flink that the environment names.

provider "streaming" {
  owner = "team-t/jobs"
}

variables {
  team       = "team-t"
  jobs_file  = "tests/jobs.yaml"
  on_destroy = "cancel"
}

run "runs_what_the_file_has" {
  assert {
    condition     = { for key, job in output.jobs : key => "${job.name} ${job.status}" } == { clicks = "team-t.clicks RUNNING", orders = "team-t.orders RUNNING" }
    error_message = "The jobs are ${jsonencode(output.jobs)}."
  }

  assert {
    condition     = output.jars == { "app.jar" = filesha256("tests/app.jar") }
    error_message = "The jars are ${jsonencode(output.jars)}."
  }

  assert {
    condition     = streaming_flink_job.this["orders"].args == tolist(["--limit", "10"]) && streaming_flink_job.this["orders"].parallelism == 2
    error_message = "orders has ${jsonencode(streaming_flink_job.this["orders"].args)}."
  }

  assert {
    condition     = streaming_flink_job.this["orders"].configuration == tomap({ "execution.checkpointing.interval" = "10 s", "execution.checkpointing.unaligned.enabled" = "true" })
    error_message = "orders has ${jsonencode(streaming_flink_job.this["orders"].configuration)}."
  }

  assert {
    condition     = streaming_flink_job.this["clicks"].configuration == tomap({ "execution.checkpointing.interval" = "1 min" })
    error_message = "clicks has ${jsonencode(streaming_flink_job.this["clicks"].configuration)}."
  }
}

run "stops_what_left_the_file" {
  variables {
    jobs_file = "tests/fewer.yaml"
  }

  assert {
    condition     = keys(output.jobs) == ["clicks"] && streaming_flink_job.this["clicks"].state == "suspended"
    error_message = "The jobs are ${jsonencode(output.jobs)}."
  }
}
