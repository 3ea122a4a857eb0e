output "scope" {
  description = "Name of the scope."
  value       = streaming_pravega_scope.this.name
}

output "streams" {
  description = "Each stream by the name it has in the input: id (scope/name), name, and segment_count, the number of open segments."
  value = {
    for key, stream in streaming_pravega_stream.this : key => {
      id            = stream.id
      name          = stream.name
      segment_count = stream.segment_count
    }
  }
}
