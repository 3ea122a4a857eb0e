resource "streaming_flink_jar" "app" {
  source = "${path.module}/app.jar"
}

output "entry_classes" {
  value = streaming_flink_jar.app.entry_classes
}
