import {
  to = streaming_flink_jar.app
  identity = {
    id = "2a6f1d9e-7e0a-4d0f-9a56-0b8f6f0c6d11_app.jar"
  }
}
