#!/usr/bin/env bash
# Writes docs/ and the golden file of the schema. Needs no Terraform.
#
# usage: generate.sh PATH_OF_TFPLUGINDOCS
set -euo pipefail
cd "$(dirname "$0")/.."

golden=internal/provider/testdata/schema.json
mkdir -p "$(dirname "$golden")"
go run ./internal/schemadump -out "$golden"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
docs() { "$1" "$2" --provider-dir . --provider-name streaming --providers-schema "$golden" "${@:3}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }; }
docs "$1" generate --rendered-provider-name Streaming
# After the pages of the kinds: those before it are removed.
go run ./internal/coverage -out docs/guides/coverage.md
# In a guide that is copied from templates/guides before.
go run ./internal/changetables -page docs/guides/what-happens-on-each-change.md
docs "$1" validate
