# Two teams, each with a file of jobs, and both with a job "orders" of their
# own. The endpoint comes from STREAMING_FLINK_ENDPOINT; the files name app.jar,
# which is beside them.

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

module "team_a" {
  source    = "../.."
  providers = { streaming = streaming.team_a }

  team      = "team-a"
  jobs_file = "${path.module}/team-a.yaml"
}

module "team_b" {
  source    = "../.."
  providers = { streaming = streaming.team_b }

  team          = "team-b"
  jobs_file     = "${path.module}/team-b.yaml"
  configuration = { "execution.checkpointing.interval" = "30 s" }
}

output "jobs" {
  description = "Jobs of each team."
  value       = { team-a = module.team_a.jobs, team-b = module.team_b.jobs }
}
