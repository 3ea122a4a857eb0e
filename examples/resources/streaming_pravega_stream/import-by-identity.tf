import {
  to = streaming_pravega_stream.clicks
  identity = {
    scope = "orders"
    name  = "clicks"
  }
}
