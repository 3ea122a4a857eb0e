#!/usr/bin/env bash
# Fails if `make generate` changes anything, or if something generated was never
# added to git.
#
# usage: generate-check.sh PATH_OF_TFPLUGINDOCS
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== generate-check"
generated=(docs internal/provider/testdata/schema.json)
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
for path in "${generated[@]}"; do
  mkdir -p "$before/$(dirname "$path")"
  if [ -e "$path" ]; then cp -R "$path" "$before/$path"; fi
done

scripts/generate.sh "$1"

stale=0
for path in "${generated[@]}"; do
  diff -ruN "$before/$path" "$path" || stale=1
done
if [ "$stale" != 0 ]; then
  echo "the files above were stale; they are written now: look at them and commit them (make generate)" >&2
  exit 1
fi
if command -v git >/dev/null && git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  untracked=$(git ls-files --others --exclude-standard -- "${generated[@]}")
  if [ -n "$untracked" ]; then
    printf 'generated, but not in git:\n%s\n' "$untracked" >&2
    exit 1
  fi
fi
