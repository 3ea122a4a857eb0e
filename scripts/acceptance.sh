#!/usr/bin/env bash
# Runs the TestAcc_ tests against the engines that the environment names, and
# says how many ran. A skipped one is a failure: nothing here may go untested
# without anybody noticing.
#
# usage: acceptance.sh NAME [go test arguments], all packages without
set -euo pipefail
cd "$(dirname "$0")/.."

name=$1
shift
# Some packages need one engine alone; their tests fail without it.
if [ $# = 0 ] && { [ -z "${STREAMING_FLINK_ENDPOINT:-}" ] || [ -z "${STREAMING_PRAVEGA_ENDPOINT:-}" ]; }; then
  echo 'no engines: start them with `go run ./internal/engine up`, then: eval "$(go run ./internal/engine env)"' >&2
  echo '(`make test` starts and stops its own)' >&2
  exit 1
fi

results="$BUILD/test/acceptance-$name.json"
mkdir -p "$(dirname "$results")"
rm -f "$results"
echo "== acceptance of $name, against Flink at ${STREAMING_FLINK_ENDPOINT:-none} and Pravega at ${STREAMING_PRAVEGA_ENDPOINT:-none}"
status=0
# The engines are shared: one package at a time, so that a test that restarts
# a process or counts slots does not meet another package's.
TF_ACC=1 GOGC=800 "$GOTESTSUM" --format testname --format-hide-empty-pkg --jsonfile "$results" -- \
  -count=1 -timeout 60m -p 1 -parallel 2 -run '^TestAcc_' "${@:-./...}" | { grep -v '^EMPTY ' || true; } || status=$?

count() { grep -cE "\"Action\":\"$1\".*\"Test\":\"TestAcc_[^/\"]*\"" "$results" || true; }
passed=$(count pass)
failed=$(count fail)
# A skipped subtest counts as well.
skipped=$(grep -cE '"Action":"skip".*"Test":"TestAcc_' "$results" || true)
echo "acceptance tests of $name: $((passed + failed)) ran, $passed passed, $failed failed, $skipped skipped"
if [ "$skipped" != 0 ]; then
  grep -E '"Action":"skip".*"Test":"TestAcc_' "$results" | sed -E 's/.*"Package":"([^"]*)","Test":"([^"]*)".*/skipped: \1 \2/' >&2
  exit 1
fi
if [ "$((passed + failed))" = 0 ]; then
  echo "$name: no acceptance test ran" >&2
  exit 1
fi
exit "$status"
