# Everything that is not well on this cluster.
data "streaming_flink_jobs" "broken" {
  statuses = ["FAILED", "FAILING", "RESTARTING"]
}

check "no_broken_jobs" {
  assert {
    condition     = length(data.streaming_flink_jobs.broken.jobs) == 0
    error_message = "Not well: ${join(", ", data.streaming_flink_jobs.broken.jobs[*].name)}"
  }
}

# All jobs of a team, by the beginning of their names.
data "streaming_flink_jobs" "team_a" {
  name_regex = "^team-a-"
}

output "team_a" {
  value = { for job in data.streaming_flink_jobs.team_a.jobs : job.job_id => job.name }
}
