resource "streaming_pravega_scope" "orders" {
  name = "orders"
}
