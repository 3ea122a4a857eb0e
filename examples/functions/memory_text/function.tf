# Needs Terraform 1.8. Half of it, as Flink reads it: "768 mb".
output "half" {
  value = provider::streaming::memory_text(provider::streaming::memory_bytes("1536 mb") / 2)
}
