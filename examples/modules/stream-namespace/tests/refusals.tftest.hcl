# What the inputs refuse.

variables {
  team = "team-t"
  name = "refused"
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

run "stream_name" {
  command = plan
  variables {
    streams = { "_own" = {} }
  }
  expect_failures = [var.streams]
}

run "two_retentions" {
  command = plan
  variables {
    streams = { clicks = { retention_time = "7d", retention_size = "1gb" } }
  }
  expect_failures = [var.streams]
}

run "no_segments" {
  command = plan
  variables {
    streams = { clicks = { segments = 0 } }
  }
  expect_failures = [var.streams]
}

run "no_rate" {
  command = plan
  variables {
    streams = { clicks = { events_per_second = 0 } }
  }
  expect_failures = [var.streams]
}

run "retention" {
  command = plan
  variables {
    default_retention_time = "1h30m"
  }
  expect_failures = [var.default_retention_time]
}
