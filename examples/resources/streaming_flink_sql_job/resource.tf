resource "streaming_flink_sql_job" "top_pages" {
  name = "top-pages"

  setup_statements = [
    <<-SQL
      CREATE TABLE clicks (page STRING, at TIMESTAMP(3), WATERMARK FOR at AS at - INTERVAL '5' SECOND)
      WITH ('connector' = 'datagen', 'rows-per-second' = '100')
    SQL
    ,
    "CREATE TABLE top_pages (page STRING, clicks BIGINT) WITH ('connector' = 'print')",
  ]

  statement = "INSERT INTO top_pages SELECT page, COUNT(*) FROM clicks GROUP BY page"

  configuration = {
    "table.exec.state.ttl"             = "1 h"
    "execution.checkpointing.interval" = "30 s"
  }
  on_destroy = "cancel"
}

# All statements in one text, such as a file beside the configuration.
resource "streaming_flink_sql_job" "copy" {
  name   = "copy"
  script = <<-SQL
    CREATE TABLE source (id BIGINT) WITH ('connector' = 'datagen');
    CREATE TABLE sink (id BIGINT) WITH ('connector' = 'blackhole');
    INSERT INTO sink SELECT id FROM source;
  SQL

  on_destroy = "cancel"
}
