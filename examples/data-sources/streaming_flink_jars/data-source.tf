# Jars that were uploaded by other means, such as a build pipeline.
data "streaming_flink_jars" "orders" {
  name_regex = "^orders-.*\\.jar$"
}

output "newest_orders_jar" {
  value = try(reverse(data.streaming_flink_jars.orders.ids)[0], null)
}
