# From the environment: TF_VAR_database_password.
variable "database_password" {
  type      = string
  sensitive = true
  default   = ""
}

resource "streaming_flink_jar" "client" {
  source = "${path.module}/streampark-flink-sqlclient.jar"
}

resource "streaming_streampark_job" "clicks" {
  name = "clicks"
  jar  = { id = streaming_flink_jar.client.id, sha256 = streaming_flink_jar.client.sha256 }

  sql       = <<-SQL
    CREATE TABLE clicks (page STRING, at TIMESTAMP(3)) WITH (
      'connector' = 'datagen', 'rows-per-second' = '5'
    );
    CREATE TABLE pages (page STRING, clicks BIGINT, PRIMARY KEY (page) NOT ENFORCED) WITH (
      'connector' = 'jdbc', 'url' = 'jdbc:postgresql://db:5432/web', 'table-name' = 'pages',
      'username' = 'flink', 'password' = '$${password}'
    );
    INSERT INTO pages SELECT page, COUNT(*) FROM clicks GROUP BY page;
  SQL
  variables = { password = var.database_password }

  parallelism = 2
  checkpoint = {
    interval = "30 s"
    timeout  = "10 min"
  }
  state_backend = {
    backend         = "rocksdb"
    incremental     = true
    checkpoints_dir = "s3://state/checkpoints"
  }
  restart_strategy = {
    strategy    = "fixed-delay"
    fixed_delay = { attempts = 3, delay = "5 s" }
  }
  extra_configuration = { "flink.property.table.exec.state.ttl" = "1 d" }
  upgrade             = { savepoint_directory = "s3://state/savepoints" }
}
