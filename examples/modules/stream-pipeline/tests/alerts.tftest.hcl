# What the alerts tell. The look-up's answers are made up, and differ from the
# first one, which is well, in one point each. A made-up null needs a type, which it
# has in a choice between null and a number.

provider "streaming" {
  owner = "team-t/alerts"
}

variables {
  team       = "team-t"
  name       = "alerts"
  jar        = { source = "tests/app.jar" }
  on_destroy = "cancel"
}

run "a_new_job_is_well" {}

run "well" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 600 }
    }
  }
}

run "not_running" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = false
      status            = "RESTARTING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 600 }
    }
  }

  expect_failures = [check.health]
}

run "old_checkpoint" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 601 }
    }
  }

  expect_failures = [check.health]
}

run "another_limit" {
  command = plan

  variables {
    alerts = { max_checkpoint_age_seconds = 599 }
  }

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 600 }
    }
  }

  expect_failures = [check.health]
}

run "no_checkpoint" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = true ? null : 0 }
    }
  }

  expect_failures = [check.health]
}

run "no_checkpoint_yet" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2999-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = true ? null : 0 }
    }
  }
}

run "recent_failure" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 600 }
      last_failure      = { at = "2999-01-01T00:00:00Z", reason = "java.io.IOException: disk full" }
    }
  }

  expect_failures = [check.health]
}

run "old_failure" {
  command = plan

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 600 }
      last_failure      = { at = "2001-01-01T00:00:00Z", reason = "java.io.IOException: disk full" }
    }
  }
}

run "switched_off" {
  command = plan

  variables {
    alerts = { max_checkpoint_age_seconds = 0, failure_window_seconds = 0 }
  }

  override_data {
    target = data.streaming_flink_job.this
    values = {
      all_tasks_running = true
      status            = "RUNNING"
      started_at        = "2001-01-01T00:00:00Z"
      checkpoints       = { last_age_seconds = 601 }
      last_failure      = { at = "2999-01-01T00:00:00Z", reason = "java.io.IOException: disk full" }
    }
  }
}

run "no_age" {
  command = plan
  variables {
    alerts = { max_checkpoint_age_seconds = -1 }
  }
  expect_failures = [var.alerts]
}
