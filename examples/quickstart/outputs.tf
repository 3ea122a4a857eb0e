output "job_id" {
  description = "Flink's id of the job; a new one with each start."
  value       = streaming_flink_job.counter.job_id
}

output "status" {
  description = "What Flink says of the job."
  value       = streaming_flink_job.counter.status
}

output "web_url" {
  description = "The job in Flink's web UI."
  value       = streaming_flink_job.counter.web_url
}

output "restored_from" {
  description = "The savepoint that the job was started from."
  value       = streaming_flink_job.counter.restored_from
}

output "stream" {
  description = "The stream's id."
  value       = streaming_pravega_stream.clicks.id
}
