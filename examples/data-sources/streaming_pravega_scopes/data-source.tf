# Scopes of a team, by the beginning of their names.
data "streaming_pravega_scopes" "team_a" {
  name_regex = "^team-a-"
}

# All that is in them.
data "streaming_pravega_streams" "team_a" {
  for_each = toset(data.streaming_pravega_scopes.team_a.names)
  scope    = each.key
}

output "streams" {
  value = flatten([for found in data.streaming_pravega_streams.team_a : found.streams[*].id])
}
