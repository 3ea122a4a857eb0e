#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other.
#
# usage: fuzz.sh TIME
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:?usage: fuzz.sh TIME}
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# An input of a new kind is gone on from as it is: making each as short as can
# be first took most of the time.
fuzz() {
  nice go test -run '^$' -fuzz "^$1\$" -fuzztime "$time" -fuzzminimizetime 20x -parallel 2 "./$2" 2>&1 | tee "$output" && return
  # On a busy machine go's fuzzer can fail with nothing but its own time
  # limit. A finding always names the input that it wrote.
  if grep -q '^ *context deadline exceeded$' "$output" && ! grep -qE 'Failing input|panic:' "$output"; then
    echo "(the time was up in the middle of a try; nothing was found)"
    return
  fi
  return 1
}

count=0
while IFS=: read -r file target; do
  echo "== fuzz $target in ./$(dirname "$file") for $time"
  fuzz "$target" "$(dirname "$file")"
  count=$((count + 1))
done < <(grep -ro --include='*_test.go' -E '^func Fuzz[A-Za-z0-9_]+' internal | sed 's/:func /:/' | sort)

echo "$count fuzz targets ran"
[ "$count" -gt 0 ]
