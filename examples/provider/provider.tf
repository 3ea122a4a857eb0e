terraform {
  required_providers {
    streaming = {
      source = "terraform-streaming/streaming"
    }
  }
}

variable "flink_password" {
  type      = string
  sensitive = true
  default   = null # then from STREAMING_FLINK_PASSWORD
}

provider "streaming" {
  # Part of every job's identity: another workspace's job of the same name is another job.
  owner = "team-a/prod"

  flink = {
    endpoint   = "https://flink.example.com/prod"
    basic_auth = var.flink_password == null ? null : { username = "terraform", password = var.flink_password }
  }

  pravega = {
    endpoint = "http://pravega.example.com:9091"
  }
}
