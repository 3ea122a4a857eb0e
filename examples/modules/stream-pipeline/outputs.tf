output "job" {
  description = "The job: id, stable for its whole life; job_id, Flink's own, a new one at each start; name; status, Flink's word; and web_url."
  value = one(concat(
    [for job in streaming_flink_job.this : { id = job.id, job_id = job.job_id, name = job.name, status = job.status, web_url = job.web_url }],
    [for job in streaming_flink_python_job.this : { id = job.id, job_id = job.job_id, name = job.name, status = job.status, web_url = job.web_url }],
  ))
}

output "code_sha256" {
  description = "SHA-256 of the jar, or of the content of the Python bundle."
  value       = one(concat(streaming_flink_jar.this[*].sha256, streaming_python_bundle.this[*].sha256))
}

output "streams" {
  description = "Each stream by the name it has in the input: id (scope/name), and segment_count, the number of open segments."
  value = {
    for key, stream in streaming_pravega_stream.this : key => {
      id            = stream.id
      segment_count = stream.segment_count
    }
  }
}
