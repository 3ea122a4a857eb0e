terraform {
  required_version = ">= 1.9"

  required_providers {
    streaming = {
      source = "terraform-streaming/streaming"
    }
  }
}
