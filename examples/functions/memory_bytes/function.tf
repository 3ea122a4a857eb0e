# Needs Terraform 1.8. How much of a worker's memory its slots share out.
output "managed_memory_of_a_slot" {
  value = provider::streaming::memory_bytes("4 gb") / 8
}
