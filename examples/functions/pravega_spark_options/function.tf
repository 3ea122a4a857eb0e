# Needs Terraform 1.8. Nothing is asked: the options are checked and rendered.
output "options" {
  value = provider::streaming::pravega_spark_options({
    controller             = "tcp://pravega.example.com:9090"
    scope                  = "orders"
    stream                 = "clicks"
    managed                = true
    mode                   = "streaming"
    transaction_timeout_ms = "5 min"
  })
}
