# A scope for the streams of the tests.

terraform {
  required_providers {
    streaming = {
      source = "terraform-streaming/streaming"
    }
  }
}

resource "streaming_pravega_scope" "this" {
  name = "team-t-pipeline"
}

output "name" {
  value = streaming_pravega_scope.this.name
}
