#!/usr/bin/env bash
# Writes docs/ and the golden file of the schema. Needs no Terraform.
#
# usage: generate.sh PATH_OF_TFPLUGINDOCS
set -euo pipefail
cd "$(dirname "$0")/.."

golden=internal/provider/testdata/schema.json
mkdir -p "$(dirname "$golden")"
go run ./internal/schemadump -out "$golden"
"$1" generate --provider-dir . --provider-name streaming --rendered-provider-name Streaming \
  --providers-schema "$golden" >/dev/null
"$1" validate --provider-dir . --provider-name streaming --providers-schema "$golden" >/dev/null
