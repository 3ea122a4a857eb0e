#!/usr/bin/env bash
# Checks that programs are there before anything long is begun, and says in one
# line each what to install.
#
# usage: requirements.sh go java javac mvn python3 pip terraform
set -euo pipefail

missing=0
need() {
  echo "missing: $1" >&2
  missing=1
}

# As the engines' starter looks for it: under JAVA_HOME if that is set.
java_program() {
  if [ -n "${JAVA_HOME:-}" ]; then
    if [ -x "$JAVA_HOME/bin/$1" ]; then echo "$JAVA_HOME/bin/$1"; fi
  else
    command -v "$1" || true
  fi
}
java_major() { "$1" -version 2>&1 | sed -n 's/^[a-z]* *\(version \)\{0,1\}"\{0,1\}\([0-9][0-9]*\).*/\2/p' | head -n 1; }

for program in "$@"; do
  case "$program" in
    go)
      command -v go >/dev/null || need "Go 1.26 (https://go.dev/dl, or your package manager's golang)" ;;
    java | javac)
      path=$(java_program "$program")
      if [ -z "$path" ]; then
        need "$program, of a JDK 17 (Debian: apt-get install openjdk-17-jdk-headless; macOS: brew install openjdk@17), in PATH or under JAVA_HOME"
      elif major=$(java_major "$path") && [ "${major:-0}" -lt 17 ]; then
        need "$program of a JDK 17: $path is of Java ${major:-?} (Debian: apt-get install openjdk-17-jdk-headless; macOS: brew install openjdk@17)"
      fi ;;
    mvn)
      command -v mvn >/dev/null || need "mvn, Apache Maven 3 (Debian: apt-get install maven; macOS: brew install maven)" ;;
    python3)
      command -v python3 >/dev/null || need "python3 (Debian: apt-get install python3; macOS: brew install python)" ;;
    pip)
      python3 -m pip --version >/dev/null 2>&1 || need "pip for python3 (Debian: apt-get install python3-pip python3-venv; elsewhere: python3 -m ensurepip)" ;;
    terraform)
      if [ -n "${TF_ACC_TERRAFORM_PATH:-}" ]; then
        [ -x "$TF_ACC_TERRAFORM_PATH" ] || need "Terraform: TF_ACC_TERRAFORM_PATH is set but leads to no program"
      else
        command -v terraform >/dev/null || need "terraform 1.11 or newer (https://developer.hashicorp.com/terraform/install), or set TF_ACC_TERRAFORM_PATH"
      fi ;;
    *)
      echo "requirements.sh: unknown program $program" >&2
      exit 2 ;;
  esac
done

if [ "$missing" != 0 ]; then
  case " $* " in
    *" java "*) echo "\`make test-fast\` runs everything that needs no engine; it needs only Go and Terraform." >&2 ;;
  esac
  exit 1
fi
