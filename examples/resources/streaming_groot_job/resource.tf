variable "kafka_jaas" {
  type      = string
  sensitive = true
  default   = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"p\";"
}

resource "streaming_groot_job" "clicks" {
  name        = "clicks"
  jar         = { source = "${path.module}/groot-stream.jar" }
  entry_class = "com.example.GrootStream"

  env = {
    execution_buffer_timeout                 = "200 ms"
    execution_restart_strategy               = "fixed-delay"
    execution_restart_attempts               = 3
    execution_restart_delay_between_attempts = "10 s"
    flink                                    = { "execution.checkpointing.interval" = "30 s" }
  }

  # Everything else in the job file is given as it is: here, or file("job.yaml").
  sections = yamlencode({
    sources = {
      clicks = { type = "kafka", properties = { topic = "clicks" } }
    }
    sinks = {
      out = { type = "print" }
    }
  })

  # Goes over the sections, and is neither in a plan nor in the state.
  secrets_wo = yamlencode({
    sources = { clicks = { properties = { "kafka.sasl.jaas.config" = var.kafka_jaas } } }
  })
  secrets_wo_version = 1

  delivery   = { form = "base64", argument = "--config" }
  on_destroy = "cancel"
}
