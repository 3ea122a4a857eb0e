#!/usr/bin/env bash
# Writes a CLI configuration that makes Terraform take the provider from this
# checkout, and prints how to use it.
set -euo pipefail
cd "$(dirname "$0")/.."

cat >"$BUILD/dev.tfrc" <<EOF
disable_checkpoint = true

provider_installation {
  dev_overrides {
    "registry.terraform.io/terraform-streaming/streaming" = "$PWD/$BUILD"
    "registry.opentofu.org/terraform-streaming/streaming" = "$PWD/$BUILD"
  }
  direct {}
}
EOF
echo "export TF_CLI_CONFIG_FILE=$PWD/$BUILD/dev.tfrc"
echo
echo "With that line in your shell, plan and apply use this build; terraform init is not needed." >&2
