output "jobs" {
  description = "Each job by the name it has in the file: id, stable for its whole life; job_id, Flink's own, a new one at each start; name; status, Flink's word; and web_url."
  value = {
    for key, job in streaming_flink_job.this : key => {
      id      = job.id
      job_id  = job.job_id
      name    = job.name
      status  = job.status
      web_url = job.web_url
    }
  }
}

output "jars" {
  description = "SHA-256 of each jar by its path in the file."
  value       = { for key, jar in streaming_flink_jar.this : key => jar.sha256 }
}
