# The pipelines of a shop, as somebody writes them for the first time. Each line
# that ends in a mark is a mistake. The mark says which attribute it is in, words
# of what terraform validate has to say without any cluster, and the right line.

terraform {
  required_version = ">= 1.11"

  required_providers {
    streaming = { source = "terraform-streaming/streaming" }
  }
}

variable "kafka_brokers" {
  type    = list(string)
  default = ["kafka-1.example.com:9093", "kafka-2.example.com:9093"]
}

variable "sasl_jaas_config" {
  type      = string
  sensitive = true
}

variable "database_password" {
  type      = string
  sensitive = true
}

variable "release" {
  type = string
}

variable "checkpoints" {
  type    = string
  default = "s3://example-state/checkpoints"
}

locals {
  savepoints = "s3://example-state/savepoints"
  team       = "shop"
  delivery   = { form = "base64", argument = "--config" }
}

provider "streaming" {
  owner = "shop/prod"
  flink = {
    endpoint             = "https://flink.example.com/shop"
    sql_gateway_endpoint = "https://gateway.example.com/shop"
    request_timeout      = "20 s"
  }
  pravega = { endpoint = "https://pravega.example.com:9091" }
}

# ---------------------------------------------------------------- streams

resource "streaming_pravega_scope" "shop" {
  name = "shop"
}

resource "streaming_pravega_scope" "archive" {
  name = "shop archive" # mistake: name: Only the letters -> name = "shop-archive"
}

resource "streaming_pravega_stream" "clicks" {
  scope = streaming_pravega_scope.shop.name
  name  = "clicks"

  scaling = {
    type         = "FIXED_NUM_SEGMENTS"
    min_segments = 4
    target_rate  = 1000 # mistake: scaling.target_rate: Remove it ->
  }

  retention = { time = "90 s" } # mistake: retention.time: whole number of minutes -> retention = { time = "7d" }
  tags      = [local.team, "pii"]
}

resource "streaming_pravega_stream" "orders" {
  scope = streaming_pravega_scope.shop.name
  name  = "orders"

  scaling = {
    type         = "BY_RATE_IN_EVENTS_PER_SEC"
    target_rate  = 500
    scale_factor = 2
    min_segments = 2
  }

  retention           = { size = "10gb" }
  rollover_size       = "64mb"
  deletion_protection = true
}

# ---------------------------------------------------------------- code

resource "streaming_flink_jar" "shop" {
  source = "${path.module}/shop.jar"
}

resource "streaming_flink_jar" "connectors" {
  url = "https://repo.example.com/releases/connectors-3.2.jar" # mistake: sha256: Set sha256 -> source = "${path.module}/connectors.jar"
}

resource "streaming_flink_jar" "dagger" {
  source = "${path.module}/dagger.jar"
}

resource "streaming_python_bundle" "udfs" {
  name       = "shop-udfs"
  source_dir = "${path.module}/udfs"
}

resource "streaming_python_bundle" "tools" {
  name       = "shop-tools"
  source_dir = "${path.module}/tools" # mistake: source_dir: files ->
  files      = { "tools.py" = "def upper(text): return text.upper()" }
}

# ---------------------------------------------------------------- a job from a jar, with the most mistakes

resource "streaming_flink_job" "orders" {
  name        = "orders"
  jar         = { id = streaming_flink_jar.shop.id, sha256 = streaming_flink_jar.shop.sha256 }
  entry_class = "com.example.shop.Orders"
  args        = ["--brokers", join(",", var.kafka_brokers), "--release", var.release]
  parallelism = 0 # mistake: parallelism: Write a whole number from 1 to 32768 -> parallelism = 2

  configuration = {
    "execution.checkpointing.interval" = "ten seconds" # mistake: configuration["execution.checkpointing.interval"]: Write one whole number and one unit -> "execution.checkpointing.interval" = "10 s"
    "execution.checkpointing.dir"      = var.checkpoints
    "pipeline.name"                    = "orders-v2" # mistake: configuration["pipeline.name"]: Set name instead ->
  }

  upgrade = {
    mode                = "savepont" # mistake: upgrade.mode: Write "savepoint", "last_state" or "stateless" -> mode = "savepoint"
    savepoint_directory = "savepoints/orders" # mistake: upgrade.savepoint_directory: s3:// -> savepoint_directory = "s3://example-state/orders"
    keep_savepoints     = 10
  }

  python = {
    fn_execution_bundle_time = "1 hour and a half" # mistake: python.fn_execution_bundle_time: one number and one unit -> fn_execution_bundle_time = "1 s"
    fn_execution_bundle_size = 1000
  }

  timeouts = {
    create = "1h30m" # mistake: timeouts.create: one whole number and one unit -> create = "90 min"
    update = "20m"
  }

  state      = "paused" # mistake: state: Write "running" or "suspended" -> state = "running"
  on_destroy = "savepoint"
}

resource "streaming_flink_job" "refunds" {
  name        = "refunds"
  jar         = { source = "${path.module}/shop.jar" }
  entry_class = "com.example.shop.Refunds"
  parallelism = 2

  configuration = {
    "execution.checkpointing.interval" = "30 s"
    "taskmanager.numberOfTaskSlots"    = "4"
  }

  upgrade = { savepoint_directory = local.savepoints }
}

resource "streaming_flink_savepoint" "release" {
  job_id    = streaming_flink_job.orders.job_id
  trigger   = var.release
  directory = local.savepoints
}

# ---------------------------------------------------------------- SQL and Python

resource "streaming_flink_sql_job" "pages" {
  name = "pages"

  setup_statements = [
    "CREATE TABLE clicks (page STRING) WITH ('connector' = 'datagen')",
    "CREATE TABLE pages (page STRING, clicks BIGINT) WITH ('connector' = 'print')",
  ]

  statement = "SELECT page, COUNT(*) FROM clicks GROUP BY page" # mistake: statement: write it to a table with INSERT INTO -> statement = "INSERT INTO pages SELECT page, COUNT(*) FROM clicks GROUP BY page"

  configuration = { "table.exec.state.ttl" = "1 h" }
  upgrade       = { savepoint_directory = local.savepoints }
}

resource "streaming_flink_sql_job" "copies" {
  name   = "copies"
  script = <<-SQL
    CREATE TABLE source (id BIGINT) WITH ('connector' = 'datagen');
    CREATE TABLE first (id BIGINT) WITH ('connector' = 'blackhole');
    INSERT INTO first SELECT id FROM source;
  SQL

  upgrade = { savepoint_directory = local.savepoints }
}

resource "streaming_flink_python_job" "enrich" {
  name   = "enrich"
  bundle = { id = streaming_python_bundle.udfs.id, sha256 = streaming_python_bundle.udfs.sha256 }
  module = "enrich" # mistake: module: file ->
  file   = "enrich.py"
  args   = ["--name", "enrich"]

  configuration = { "execution.checkpointing.interval" = "30 s" }
  upgrade       = { savepoint_directory = local.savepoints }
}

# ---------------------------------------------------------------- other engines

resource "streaming_dagger_job" "orders_per_minute" {
  name = "orders-per-minute"
  jar  = { id = streaming_flink_jar.dagger.id, sha256 = streaming_flink_jar.dagger.sha256 }

  streams = [{
    input_schema_table                       = "orders"
    input_schema_proto_class                 = "com.example.Order"
    input_schema_event_timestamp_field_index = 4
    source_kafka_topic_names                 = ["orders"]
    source_kafka_bootstrap_servers           = var.kafka_brokers
    source_kafka_group_id                    = "orders-per-minute"
    source_kafka_security_protocol           = "SASL_SSL"
    source_kafka_sasl_mechanism              = "SCRAM-SHA-512"
    source_kafka_sasl_jaas_config            = var.sasl_jaas_config
  }]

  rowtime_attribute_name = "rowtime"
  sql_query              = "SELECT COUNT(*) AS orders FROM orders GROUP BY TUMBLE(rowtime, INTERVAL '60' SECOND)"

  sink_type = "KAFKA" # mistake: sink_type: kafka -> sink_type = "kafka"
  sink_kafka = {
    brokers       = var.kafka_brokers
    topic         = "orders-per-minute"
    proto_message = "com.example.OrdersPerMinute"
  }

  flink = { watermark_delay_ms = "ten" } # mistake: flink.watermark_delay_ms: such as "10 s" -> flink = { watermark_delay_ms = "10 s" }

  upgrade = { savepoint_directory = local.savepoints }
}

resource "streaming_streampark_job" "visits" {
  name = "visits"
  jar  = { source = "${path.module}/streampark-flink-sqlclient.jar" }

  sql       = "CREATE TABLE visits (page STRING) WITH ('connector' = 'datagen', 'password' = '$${password}')" # mistake: sql: with INSERT INTO -> sql = "CREATE TABLE visits (page STRING) WITH ('connector' = 'datagen', 'password' = '$${password}'); INSERT INTO a SELECT * FROM visits"
  variables = { password = var.database_password }

  parallelism = 2
  checkpoint  = { interval = "30 s", timeout = "10 min" }
  restart_strategy = {
    strategy    = "fixed-delay"
    fixed_delay = { attempts = 3, delay = "soon" } # mistake: restart_strategy.fixed_delay.delay: one whole number and one unit -> fixed_delay = { attempts = 3, delay = "5 s" }
  }
  upgrade = { savepoint_directory = local.savepoints }
}

resource "streaming_groot_job" "sessions" {
  name        = "sessions"
  jar         = { source = "${path.module}/groot-stream.jar" }
  entry_class = "com.example.GrootStream"

  env = {
    execution_restart_strategy               = "fixed-delay"
    execution_restart_attempts               = 3
    execution_restart_delay_between_attempts = "10 s"
    flink                                    = { "execution.checkpointing.interval" = "30 s" }
  }

  sections = "sources: [" # mistake: sections: Line 1 -> sections = "sources: {}"

  delivery = local.delivery
  upgrade  = { savepoint_directory = local.savepoints }
}

# ---------------------------------------------------------------- for Spark

data "streaming_pravega_spark_options" "clicks" {
  controller             = "tls://pravega.example.com:9090"
  scope                  = streaming_pravega_stream.clicks.scope
  stream                 = streaming_pravega_stream.clicks.name
  managed                = true
  mode                   = "streaming"
  transaction_timeout_ms = "5 min"
}

output "spark_options" {
  value = data.streaming_pravega_spark_options.clicks.options
}

output "savepoint" {
  value = streaming_flink_savepoint.release.path
}

check "orders_run" {
  data "streaming_flink_job" "orders" {
    name = "orders"
  }

  assert {
    condition     = data.streaming_flink_job.orders.all_tasks_running
    error_message = "The job orders is not healthy."
  }
}
