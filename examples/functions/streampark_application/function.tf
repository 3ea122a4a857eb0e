# Needs Terraform 1.8. In practice the text is file("${path.module}/application.yml").
locals {
  application = provider::streaming::streampark_application(<<-YAML
    flink:
      property:
        pipeline.name: clicks
        execution.checkpointing.interval: 30s
        state:
          backend: rocksdb
          backend.incremental: true
  YAML
  )
}

resource "streaming_streampark_job" "clicks" {
  name                = local.application.name
  jar                 = { source = "streampark-flink-sqlclient.jar" }
  sql                 = "INSERT INTO pages SELECT page, COUNT(*) FROM clicks GROUP BY page"
  parallelism         = local.application.parallelism
  property            = local.application.property
  checkpoint          = local.application.checkpoint
  state_backend       = local.application.state_backend
  restart_strategy    = local.application.restart_strategy
  table               = local.application.table
  extra_configuration = local.application.extra_configuration
  on_destroy          = "cancel"
}
