# Needs Terraform 1.8. Nothing is asked: the options are checked and rendered.
output "options" {
  value = provider::streaming::python_options({
    archives                 = [{ path = "/opt/envs/venv.tgz", target = "venv" }]
    executable               = "venv/bin/python"
    fn_execution_bundle_time = "500 ms"
  })
}
