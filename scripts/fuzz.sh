#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other.
#
# usage: fuzz.sh TIME
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:?usage: fuzz.sh TIME}
count=0
while IFS=: read -r file target; do
  echo "== fuzz $target in ./$(dirname "$file") for $time"
  nice go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -parallel 2 "./$(dirname "$file")"
  count=$((count + 1))
done < <(grep -rho --with-filename --include='*_test.go' -E '^func Fuzz[A-Za-z0-9_]+' internal | sed 's/:func /:/' | sort)

echo "$count fuzz targets ran"
[ "$count" -gt 0 ]
