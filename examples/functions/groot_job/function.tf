# Needs Terraform 1.8. A job file that exists becomes a resource without retyping.
locals {
  job = provider::streaming::groot_job(<<-YAML
    env:
      name: clicks
      parallelism: 4
      execution.restart.strategy: fixed-delay
      execution.restart.attempts: 3
      execution.restart.delayBetweenAttempts: 10 s
    sources:
      clicks: { type: kafka }
    sinks:
      out: { type: print }
  YAML
  )
}

output "env" {
  value = local.job.env
}

output "sections" {
  value = local.job.sections
}
