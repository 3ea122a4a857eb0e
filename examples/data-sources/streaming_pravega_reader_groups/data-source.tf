resource "streaming_pravega_scope" "orders" {
  name = "orders"
}

data "streaming_pravega_reader_groups" "all" {
  scope = streaming_pravega_scope.orders.name
}

# Who reads what.
output "readers_of_clicks" {
  value = [for group in data.streaming_pravega_reader_groups.all.reader_groups : group.name if contains(group.streams, "orders/clicks")]
}

# Groups that nobody uses keep a scope from being deleted.
check "no_idle_reader_groups" {
  assert {
    condition     = alltrue([for group in data.streaming_pravega_reader_groups.all.reader_groups : length(group.online_readers) > 0])
    error_message = "Nobody reads: ${join(", ", [for group in data.streaming_pravega_reader_groups.all.reader_groups : group.name if length(group.online_readers) == 0])}"
  }
}
