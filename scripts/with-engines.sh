#!/usr/bin/env bash
# Runs a command with engines of its own, on free ports, and stops them
# whatever happens.
#
# usage: with-engines.sh COMMAND [ARGUMENTS]
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "$BUILD"
dir=$(mktemp -d "$PWD/$BUILD/engines.XXXXXX")
engine="$PWD/$BUILD/engine"
go build -o "$engine" ./internal/engine

stop() {
  # Nothing may interrupt the stopping, and nothing may hide the command's result.
  trap '' INT TERM HUP
  status=$1
  "$engine" down -dir "$dir" || echo "the engines in $dir could not be stopped: try $engine down -dir $dir" >&2
  if [ "$status" = 0 ]; then
    rm -rf "$dir"
  else
    echo "the engines' logs are in $dir" >&2
  fi
  exit "$status"
}
child=
end() {
  # The command has a process group of its own: end all of it, then wait.
  if [ -n "$child" ]; then
    kill -TERM -- "-$child" 2>/dev/null || true
    wait "$child" || true
  fi
  exit "$1"
}
trap 'stop $?' EXIT
trap 'end 130' INT
trap 'end 143' TERM HUP

"$engine" up -ports auto -dir "$dir" | { grep -v '^export ' || true; }
environment=$("$engine" env -dir "$dir")
eval "$environment"
# In the background, since bash runs no trap while it waits for a command in
# the foreground; with job control, since it would ignore Ctrl-C without.
set -m
"$@" </dev/null &
child=$!
set +m
wait "$child"
