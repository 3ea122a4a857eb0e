#!/usr/bin/env bash
# The quickstart: engines of its own, and examples/quickstart applied to them.
#
# usage: quickstart.sh up | down | stop
#   up    starts what does not run yet, applies, and says what to try next
#   down  destroys what was applied, then stops the engines
#   stop  stops the engines and forgets what was applied; they held all of it
set -euo pipefail
cd "$(dirname "$0")/.."

: "${BUILD:=.build}"
example=examples/quickstart
home="$PWD/$BUILD/quickstart"
engines="$home/engines"
engine="$PWD/$BUILD/engine"
tfrc="$PWD/$BUILD/quickstart.tfrc"
export TF_CLI_CONFIG_FILE="$tfrc"

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf '\nquickstart: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

build_engine() {
  mkdir -p "$BUILD" "$home"
  go build -o "$engine" ./internal/engine
}

find_terraform() {
  if [ -n "${TF_ACC_TERRAFORM_PATH:-}" ]; then
    echo "$TF_ACC_TERRAFORM_PATH"
  elif command -v terraform >/dev/null; then
    echo terraform
  elif command -v tofu >/dev/null; then
    echo tofu
  fi
}

# The provider of this checkout, under the host that the program asks.
override() {
  local host=registry.terraform.io
  if "$1" version 2>/dev/null | grep -qi opentofu; then host=registry.opentofu.org; fi
  scripts/dev.sh "$tfrc" "$host"
}

# The ports are kept, since where a job runs is part of what it is: engines that
# come back at other ports are other engines.
start_engines() {
  local flags=()
  if [ -f "$home/ports.sh" ]; then
    # shellcheck disable=SC1091 # written below
    . "$home/ports.sh"
    flags=(-ports auto)
  elif [ -n "${PORTS:-}" ]; then
    flags=(-ports "$PORTS")
  fi
  # What it prints for other shells is written to env.sh.
  "$engine" up -dir "$engines" ${flags[@]+"${flags[@]}"} | { grep -v '^export ' || true; } || fail "the engines did not start; the reason is above." \
    "A port is taken?  make quickstart PORTS=auto           takes free ones," \
    "                  STREAMING_ENGINE_FLINK_PORT=18081 make quickstart  one of your choice" \
    "                  (and so on: $BUILD/engine up -h lists them)." \
    "Otherwise: the logs are in $BUILD/quickstart/engines; make quickstart goes on from here," \
    "and make quickstart-down removes everything."
}

write_environment() {
  local environment port
  environment=$("$engine" env -dir "$engines")
  port() { sed -n "s|^export $1=.*:\([0-9]*\)\$|\1|p" <<<"$environment"; }
  {
    echo "export STREAMING_ENGINE_FLINK_PORT=$(port STREAMING_FLINK_ENDPOINT)"
    echo "export STREAMING_ENGINE_GATEWAY_PORT=$(port STREAMING_SQL_GATEWAY_ENDPOINT)"
    echo "export STREAMING_ENGINE_PRAVEGA_PORT=$(port STREAMING_PRAVEGA_ENDPOINT)"
  } >"$home/ports.sh"
  {
    echo "# What your shell needs to use the quickstart's engines and this build of the provider."
    echo "export TF_CLI_CONFIG_FILE='$tfrc'"
    grep -E '^export STREAMING_(FLINK|SQL_GATEWAY|PRAVEGA)_ENDPOINT=' <<<"$environment"
  } >"$home/env.sh"
  # shellcheck disable=SC1091 # written above
  . "$home/env.sh"
}

forget_state() { rm -rf "$example"/terraform.tfstate* "$example"/.terraform "$example"/.terraform.lock.hcl "$home"; }

up() {
  scripts/requirements.sh go java javac mvn python3 pip || fail "install what is missing, then: make quickstart"
  local terraform
  terraform=$(find_terraform)
  [ -n "$terraform" ] || fail "Terraform is missing: https://developer.hashicorp.com/terraform/install (or OpenTofu: https://opentofu.org/docs/intro/install)."

  say "The engines (the first time some minutes, to download Flink and Pravega)"
  build_engine
  override "$terraform"
  "$engine" jobs -out "$BUILD/jobs/counter.jar" || fail "the example's job could not be built; the reason is above."
  start_engines
  write_environment

  say "$terraform apply in $example (it warns that it uses the provider built here: that is meant)"
  "$terraform" -chdir="$example" apply -auto-approve -input=false || fail "apply failed; the reason is above." \
    "make quickstart       tries again and goes on from what was reached" \
    "make quickstart-down  removes everything" \
    "the engines' logs are in $BUILD/quickstart/engines/log"

  say "It runs. What to try next"
  cat <<EOF
In a shell of yours, first:

  source $BUILD/quickstart/env.sh
  cd $example

1. Nothing to do: $terraform plan
2. Change a running job:  $terraform apply -var parallelism=2
   The plan says what will happen: stop with savepoint, start from it. No number is lost or counted twice.
3. See it count, and go on counting after the change:
   tail -f $engines/log/taskmanager.out
4. Cancel it behind Terraform's back, in Flink's web UI at $STREAMING_FLINK_ENDPOINT
   then: $terraform plan
5. Let it rest, its state kept:  $terraform apply -var state=suspended
   and wake it up:               $terraform apply

All of it goes away with: make quickstart-down
EOF
}

down() {
  local terraform
  terraform=$(find_terraform)
  if [ ! -d "$home" ] && [ ! -f "$example/terraform.tfstate" ]; then
    echo "nothing to remove: the quickstart was not started here"
    return
  fi
  build_engine
  if [ ! -f "$example/terraform.tfstate" ]; then
    echo "nothing was applied"
  elif [ -z "$terraform" ]; then
    echo "Terraform is gone; the engines hold all that was applied, and go with it"
  elif ! "$engine" status -dir "$engines" >/dev/null 2>&1 || [ ! -f "$home/env.sh" ]; then
    echo "the engines do not all run any more; what was applied goes with them"
  else
    go build -trimpath -o "$BUILD/terraform-provider-streaming" .
    override "$terraform"
    # shellcheck disable=SC1091 # written by up
    . "$home/env.sh"
    say "$terraform destroy in $example"
    "$terraform" -chdir="$example" destroy -auto-approve -input=false ||
      echo "destroy failed; the engines hold all that was applied, and go now" >&2
  fi
  stop
}

stop() {
  if [ -d "$engines" ]; then
    [ -x "$engine" ] || build_engine
    "$engine" down -dir "$engines" || fail "the engines could not be stopped; the reason is above." \
      "Stop the processes whose command line names $engines, then: make quickstart-down"
  fi
  # Savepoints included, whatever destroy said of them.
  forget_state
  echo "removed: the state of the example, and all files of the engines ($BUILD/quickstart)"
}

case "${1:-}" in
  up | down | stop) "$1" ;;
  *)
    echo "usage: quickstart.sh up | down | stop" >&2
    exit 2 ;;
esac
