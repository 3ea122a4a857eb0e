locals {
  jobs = yamldecode(file(var.jobs_file)).jobs
}

# A jar that several jobs run from is uploaded once.
resource "streaming_flink_jar" "this" {
  for_each = toset([for job in local.jobs : job.jar])

  source = "${dirname(var.jobs_file)}/${each.key}"
}

resource "streaming_flink_job" "this" {
  for_each = local.jobs

  name            = "${var.team}.${each.key}"
  jar             = { id = streaming_flink_jar.this[each.value.jar].id, sha256 = streaming_flink_jar.this[each.value.jar].sha256 }
  entry_class     = lookup(each.value, "entry_class", null)
  args            = lookup(each.value, "args", null)
  parallelism     = lookup(each.value, "parallelism", null)
  max_parallelism = lookup(each.value, "max_parallelism", null)
  configuration   = merge(var.configuration, lookup(each.value, "configuration", null))
  state           = lookup(each.value, "state", null)
  restart_trigger = lookup(each.value, "restart_trigger", null)
  restore_from    = lookup(each.value, "restore_from", null)
  restore_trigger = lookup(each.value, "restore_trigger", null)
  on_destroy      = coalesce(lookup(each.value, "on_destroy", null), var.on_destroy)
  upgrade         = { savepoint_directory = var.savepoint_directory }
}
