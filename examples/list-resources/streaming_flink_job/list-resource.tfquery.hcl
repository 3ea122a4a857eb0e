# terraform query -generate-config-out=found.tf writes an import block and a
# resource for each job that is found.
list "streaming_flink_job" "orders" {
  provider = streaming

  config {
    name_regex = "^orders-"
    statuses   = ["RUNNING"]
  }
}
