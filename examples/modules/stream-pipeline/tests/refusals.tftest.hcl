# What the inputs refuse.

variables {
  team = "team-t"
  name = "refused"
  jar  = { source = "tests/app.jar" }
}

run "team" {
  command = plan
  variables {
    team = "Team A"
  }
  expect_failures = [var.team]
}

run "name" {
  command = plan
  variables {
    name = "a/b"
  }
  expect_failures = [var.name]
}

run "not_a_jar" {
  command = plan
  variables {
    jar = { source = "app.py" }
  }
  expect_failures = [var.jar]
}

run "no_program" {
  command = plan
  variables {
    jar = null
  }
  expect_failures = [var.python]
}

run "two_programs" {
  command = plan
  variables {
    python = { source_dir = "tests/udfs", module = "enrich_job" }
  }
  expect_failures = [var.python]
}

run "a_file_is_no_module" {
  command = plan
  variables {
    jar    = null
    python = { source_dir = "tests/udfs", module = "jobs/enrich-job.py" }
  }
  expect_failures = [var.python]
}

run "parallelism" {
  command = plan
  variables {
    parallelism = 0
  }
  expect_failures = [var.parallelism]
}

run "checkpoint_interval" {
  command = plan
  variables {
    checkpoint_interval = "1h30m"
  }
  expect_failures = [var.checkpoint_interval]
}

run "savepoint_directory" {
  command = plan
  variables {
    savepoint_directory = "savepoints"
  }
  expect_failures = [var.savepoint_directory]
}

run "state" {
  command = plan
  variables {
    state = "paused"
  }
  expect_failures = [var.state]
}

run "on_destroy" {
  command = plan
  variables {
    on_destroy = "keep"
  }
  expect_failures = [var.on_destroy]
}

run "no_scope" {
  command = plan
  variables {
    streams = { clicks = {} }
  }
  expect_failures = [var.streams]
}

run "stream_name" {
  command = plan
  variables {
    scope   = "shop"
    streams = { "_own" = {} }
  }
  expect_failures = [var.streams]
}

run "no_segments" {
  command = plan
  variables {
    scope   = "shop"
    streams = { clicks = { segments = 0 } }
  }
  expect_failures = [var.streams]
}

run "no_rate" {
  command = plan
  variables {
    scope   = "shop"
    streams = { clicks = { events_per_second = 0 } }
  }
  expect_failures = [var.streams]
}
