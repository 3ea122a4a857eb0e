resource "streaming_pravega_scope" "this" {
  name                = "${var.team}.${var.name}"
  deletion_protection = var.deletion_protection
}

resource "streaming_pravega_stream" "this" {
  for_each = var.streams

  scope = streaming_pravega_scope.this.name
  name  = each.key

  scaling = {
    type         = each.value.events_per_second == null ? "FIXED_NUM_SEGMENTS" : "BY_RATE_IN_EVENTS_PER_SEC"
    target_rate  = each.value.events_per_second
    scale_factor = each.value.events_per_second == null ? null : 2
    min_segments = each.value.segments
  }

  retention = (
    each.value.retention_size != null ? { time = null, size = each.value.retention_size } :
    each.value.retention_time != null ? { time = each.value.retention_time, size = null } :
    var.default_retention_time != null ? { time = var.default_retention_time, size = null } :
    null
  )

  tags                = setunion([var.team], each.value.tags)
  deletion_protection = var.deletion_protection
}
