resource "streaming_flink_job" "orders" {
  name = "orders"
  jar  = { source = "${path.module}/app.jar" }
}

data "streaming_flink_job_graph" "orders" {
  job_id = streaming_flink_job.orders.job_id
}

# Mermaid, for a page in Markdown: terraform output -raw picture
output "picture" {
  value = "```mermaid\n${data.streaming_flink_job_graph.orders.mermaid}```\n"
}

# An SVG by Graphviz: terraform output -raw dot | dot -Tsvg > orders.svg
output "dot" {
  value = data.streaming_flink_job_graph.orders.dot
}

output "sources" {
  value = [for vertex in data.streaming_flink_job_graph.orders.vertices : vertex.name if vertex.source]
}
