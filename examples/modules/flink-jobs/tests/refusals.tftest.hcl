# What the inputs refuse.

variables {
  team      = "team-t"
  jobs_file = "tests/jobs.yaml"
}

run "team" {
  command = plan
  variables {
    team = "Team A"
  }
  expect_failures = [var.team]
}

run "no_file" {
  command = plan
  variables {
    jobs_file = "tests/missing.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "no_jobs" {
  command = plan
  variables {
    jobs_file = "tests/no-jobs.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "more_than_jobs" {
  command = plan
  variables {
    jobs_file = "tests/more.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "job_name" {
  command = plan
  variables {
    jobs_file = "tests/bad-name.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "no_jar" {
  command = plan
  variables {
    jobs_file = "tests/no-jar.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "misspelled" {
  command = plan
  variables {
    jobs_file = "tests/misspelled.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "savepoint_directory" {
  command = plan
  variables {
    savepoint_directory = "savepoints"
  }
  expect_failures = [var.savepoint_directory]
}

run "on_destroy" {
  command = plan
  variables {
    on_destroy = "keep"
  }
  expect_failures = [var.on_destroy]
}

run "args" {
  command = plan
  variables {
    jobs_file = "tests/bad-args.yaml"
  }
  expect_failures = [var.jobs_file]
}

run "configuration" {
  command = plan
  variables {
    jobs_file = "tests/bad-configuration.yaml"
  }
  expect_failures = [var.jobs_file]
}
