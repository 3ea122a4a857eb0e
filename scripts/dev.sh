#!/usr/bin/env bash
# Writes a CLI configuration that makes Terraform and OpenTofu take the provider
# from this checkout, and prints the line that puts it to use.
#
# usage: dev.sh [FILE]
set -euo pipefail
cd "$(dirname "$0")/.."

file=${1:-$PWD/$BUILD/dev.tfrc}
mkdir -p "$(dirname "$file")"
cat >"$file" <<EOF
disable_checkpoint = true

provider_installation {
  dev_overrides {
    "registry.terraform.io/terraform-streaming/streaming" = "$PWD/$BUILD"
    "registry.opentofu.org/terraform-streaming/streaming" = "$PWD/$BUILD"
  }
  direct {}
}
EOF
if [ $# = 0 ]; then
  echo "export TF_CLI_CONFIG_FILE='$file'"
  echo "With that line in your shell, plan and apply use this build, and terraform init is not needed." >&2
fi
