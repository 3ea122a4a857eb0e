# Needs Terraform 1.8. A timeout of three intervals: "90 s".
output "checkpoint_timeout" {
  value = provider::streaming::duration_text(3 * provider::streaming::duration_milliseconds("30 s"))
}
