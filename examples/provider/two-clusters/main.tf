provider "streaming" {
  owner = "team-a/prod"
  flink = { endpoint = "http://flink-eu.example.com:8081" }
}

provider "streaming" {
  alias = "us"
  owner = "team-a/prod"
  flink = { endpoint = "http://flink-us.example.com:8081" }
}

resource "streaming_flink_job" "orders" {
  name = "orders"
  jar  = { source = "${path.module}/app.jar" }
}

resource "streaming_flink_job" "orders_us" {
  provider = streaming.us

  name = "orders"
  jar  = { source = "${path.module}/app.jar" }
}
