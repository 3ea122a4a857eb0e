list "streaming_pravega_scope" "team_a" {
  provider = streaming

  config {
    name_regex = "^team-a-"
  }
}
