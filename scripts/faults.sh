#!/usr/bin/env bash
# Runs the whole fault matrix: every cell on the fake, then a part of it on a
# real Flink of its own, and says how many ran and what was violated. The
# reports stay in $BUILD/faults.
set -uo pipefail
cd "$(dirname "$0")/.."

reports="$PWD/$BUILD/faults"
mkdir -p "$reports"
rm -f "$reports"/*.json
export STREAMING_FAULTS=all STREAMING_FAULTS_REPORT="$reports"
# The cells make much garbage and keep little: fewer collections are faster.
export GOGC=400

status=0
# run NAME TEST LIMIT: what the test prints is shown as it comes.
run() {
  echo "== faults, on $1"
  nice go test -count=1 -timeout "$3" -v -run "$2" ./internal/faults | grep --line-buffered -vE '^=== ' || status=1
}
run 'the fake' '^TestFlow_Faults_EachCallOfEachOperation$' 4h
TF_ACC=1 run 'real Flink' '^TestAcc_Faults_' 2h
go run ./internal/faults/sum "$reports" || status=1
exit "$status"
