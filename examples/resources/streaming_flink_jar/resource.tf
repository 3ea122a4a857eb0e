resource "streaming_flink_jar" "app" {
  source = "${path.module}/app.jar"
}

# Fetched by the machine that runs Terraform, and only if the cluster lacks it.
resource "streaming_flink_jar" "released" {
  url    = "https://repo.example.com/releases/orders-1.4.2.jar"
  sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
}

output "entry_classes" {
  value = streaming_flink_jar.app.entry_classes
}
