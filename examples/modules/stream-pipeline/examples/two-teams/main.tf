# Two teams, each with a pipeline "enrich" of its own: one in Java, one in
# Python. The endpoints come from STREAMING_FLINK_ENDPOINT and
# STREAMING_PRAVEGA_ENDPOINT; app.jar is team A's program.

terraform {
  required_providers {
    streaming = {
      source = "terraform-streaming/streaming"
    }
  }
}

provider "streaming" {
  alias = "team_a"
  owner = "team-a/prod"
}

provider "streaming" {
  alias = "team_b"
  owner = "team-b/prod"
}

variable "deletion_protection" {
  description = "Set it to false, and apply, before a destroy."
  type        = bool
  default     = true
}

resource "streaming_pravega_scope" "team_a" {
  provider = streaming.team_a

  name = "team-a.enriched"
}

resource "streaming_pravega_scope" "team_b" {
  provider = streaming.team_b

  name = "team-b.enriched"
}

module "team_a" {
  source    = "../.."
  providers = { streaming = streaming.team_a }

  team                = "team-a"
  name                = "enrich"
  jar                 = { source = "${path.module}/app.jar", entry_class = "com.example.Orders" }
  args                = ["--output", "${streaming_pravega_scope.team_a.name}/clicks"]
  parallelism         = 2
  scope               = streaming_pravega_scope.team_a.name
  deletion_protection = var.deletion_protection

  streams = {
    clicks = { segments = 2, events_per_second = 1000, retention_time = "7d" }
  }
}

module "team_b" {
  source    = "../.."
  providers = { streaming = streaming.team_b }

  team                = "team-b"
  name                = "enrich"
  python              = { source_dir = "${path.module}/udfs", module = "enrich_job" }
  args                = ["--output", "${streaming_pravega_scope.team_b.name}/clicks"]
  checkpoint_interval = "10 s"
  scope               = streaming_pravega_scope.team_b.name
  deletion_protection = var.deletion_protection
  alerts              = { max_checkpoint_age_seconds = 60 }

  streams = {
    clicks = { retention_time = "1d" }
  }
}

output "jobs" {
  description = "Job of each team."
  value       = { team-a = module.team_a.job, team-b = module.team_b.job }
}
