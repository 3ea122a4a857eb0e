# Two teams, each with a scope "shop" and a stream "clicks" of its own. The
# endpoint comes from STREAMING_PRAVEGA_ENDPOINT.

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

module "team_a" {
  source    = "../.."
  providers = { streaming = streaming.team_a }

  team                = "team-a"
  name                = "shop"
  deletion_protection = var.deletion_protection

  streams = {
    clicks = { segments = 2, events_per_second = 1000, tags = ["pii"] }
    orders = { retention_time = "30d" }
  }
}

module "team_b" {
  source    = "../.."
  providers = { streaming = streaming.team_b }

  team                   = "team-b"
  name                   = "shop"
  default_retention_time = "1d"
  deletion_protection    = var.deletion_protection

  streams = {
    clicks = {}
    audit  = { retention_size = "10gb" }
  }
}

output "scopes" {
  description = "Scope of each team."
  value       = { team-a = module.team_a.scope, team-b = module.team_b.scope }
}
