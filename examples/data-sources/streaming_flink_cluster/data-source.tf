data "streaming_flink_cluster" "this" {}

check "slots" {
  assert {
    condition     = data.streaming_flink_cluster.this.slots_available > 0
    error_message = "The cluster has no free task slot: a job that starts now would wait for one."
  }
}
