import {
  to = streaming_pravega_scope.orders
  identity = {
    name = "orders"
  }
}
