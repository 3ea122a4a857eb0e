# Needs Terraform 1.8. One script, of which each environment replaces the set-up.
locals {
  job = provider::streaming::sql_statements(<<-SQL
    CREATE TABLE clicks (page STRING) WITH ('connector' = 'datagen');
    CREATE TABLE pages (page STRING) WITH ('connector' = 'print');
    INSERT INTO pages SELECT page FROM clicks;
  SQL
  )
}

resource "streaming_flink_sql_job" "pages" {
  name             = "pages"
  setup_statements = concat(["SET 'table.exec.state.ttl' = '1 h'"], local.job.setup_statements)
  statement        = local.job.statement
  on_destroy       = "cancel"
}
