#!/usr/bin/env bash
# Runs go test through gotestsum, and fails if no test ran.
#
# usage: gotest.sh NAME [go test arguments]
set -euo pipefail
cd "$(dirname "$0")/.."

name=$1
shift
results="$BUILD/test/$name.json"
mkdir -p "$(dirname "$results")"
echo "== $name"
# -count=1: what runs Terraform depends on more than go's cache knows.
# shellcheck disable=SC2086 # the flags are words
nice "$GOTESTSUM" --format pkgname-and-test-fails --format-hide-empty-pkg --jsonfile "$results" -- \
  -count=1 -timeout 30m $GOTEST_FLAGS "$@"
grep -q '"Action":"pass".*"Test":' "$results" || {
  echo "$name: no test ran" >&2
  exit 1
}
