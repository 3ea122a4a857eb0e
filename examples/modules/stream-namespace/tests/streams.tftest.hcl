# Against whatever Pravega STREAMING_PRAVEGA_ENDPOINT names.

variables {
  team = "team-t"
  name = "shop"
  streams = {
    clicks = { segments = 2, events_per_second = 1000, tags = ["pii"] }
    audit  = { retention_size = "10gb" }
  }
}

run "protects_by_default" {
  command = plan

  assert {
    condition     = streaming_pravega_scope.this.deletion_protection && alltrue([for stream in streaming_pravega_stream.this : stream.deletion_protection])
    error_message = "The scope and its streams are not protected by default."
  }
}

run "names_and_keeps" {
  variables {
    deletion_protection = false
  }

  assert {
    condition     = output.scope == "team-t.shop"
    error_message = "The scope is ${output.scope}."
  }

  assert {
    condition     = output.streams["clicks"] == { id = "team-t.shop/clicks", name = "clicks", segment_count = 2 }
    error_message = "clicks is ${jsonencode(output.streams["clicks"])}."
  }

  assert {
    condition     = streaming_pravega_stream.this["clicks"].retention.time == "7d" && streaming_pravega_stream.this["clicks"].tags == toset(["pii", "team-t"])
    error_message = "clicks lacks the default retention or a tag."
  }

  assert {
    condition     = streaming_pravega_stream.this["audit"].retention.size == "10gb" && streaming_pravega_stream.this["audit"].retention.time == null
    error_message = "audit is not kept by size alone."
  }
}

run "keeps_for_ever" {
  command = plan

  variables {
    name                   = "archive"
    default_retention_time = null
    streams                = { all = {} }
  }

  assert {
    condition     = streaming_pravega_stream.this["all"].retention == null
    error_message = "A stream has a retention that nobody asked for."
  }
}
