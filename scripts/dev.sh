#!/usr/bin/env bash
# Writes a CLI configuration that makes Terraform and OpenTofu take the provider
# from this checkout, and prints the line that puts it to use.
#
# usage: dev.sh [FILE HOST...]
set -euo pipefail
cd "$(dirname "$0")/.."

file=${1:-$PWD/$BUILD/dev.tfrc}
hosts=("${@:2}")
if [ ${#hosts[@]} = 0 ]; then hosts=(registry.terraform.io registry.opentofu.org); fi
mkdir -p "$(dirname "$file")"
{
  echo 'disable_checkpoint = true'
  echo
  echo 'provider_installation {'
  echo '  dev_overrides {'
  for host in "${hosts[@]}"; do
    echo "    \"$host/terraform-streaming/streaming\" = \"$PWD/$BUILD\""
  done
  echo '  }'
  echo '  direct {}'
  echo '}'
} >"$file"
if [ $# = 0 ]; then
  echo "export TF_CLI_CONFIG_FILE='$file'"
  echo "With that line in your shell, plan and apply use this build, and terraform init is not needed." >&2
fi
