#!/usr/bin/env bash
# A release of this commit that is published nowhere, and the proof that users
# could install it.
#
# usage: release.sh build GORELEASER   builds it for all platforms into dist, signed by a key that is thrown away
#        release.sh install            installs it from a mirror, and runs the quickstart's example on the engines
#                                      that the environment names
set -euo pipefail
cd "$(dirname "$0")/.."

: "${BUILD:=.build}"
name=terraform-provider-streaming
address=registry.terraform.io/terraform-streaming/streaming

fail() {
  echo "release: $1" >&2
  exit 1
}

# keep_key makes a signing key that lives as long as this script.
keep_key() {
  command -v gpg >/dev/null || fail "gpg is missing, which signs the sums (Debian: apt-get install gnupg; macOS: brew install gnupg)"
  GNUPGHOME=$(mktemp -d)
  export GNUPGHOME
  trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
  gpg --batch --quiet --passphrase '' --quick-generate-key 'Snapshot of a release <snapshot@example.invalid>' rsa3072 sign never
  GPG_FINGERPRINT=$(gpg --batch --with-colons --list-secret-keys | awk -F: '$1 == "fpr" { print $10; exit }')
  export GPG_FINGERPRINT
}

build() {
  local goreleaser=$1 sums
  keep_key
  "$goreleaser" check
  "$goreleaser" release --snapshot --clean --skip=publish --timeout 3h
  sums=$(echo dist/*_SHA256SUMS)
  gpg --batch --quiet --verify "$sums.sig" "$sums" || fail "the signature of the sums is not good"
  check_sums
}

# check_sums holds the sums to the files, and to what the registry asks for.
check_sums() {
  local sums version
  sums=$(echo dist/*_SHA256SUMS)
  [ -f "$sums" ] || fail "there is no release in dist: make release-check builds one"
  version=$(version_of)
  # The manifest goes up under another name than it has here.
  cp terraform-registry-manifest.json "dist/${name}_${version}_manifest.json"
  (cd dist && sha256sum --check --quiet "$(basename "$sums")") || fail "the sums are not those of the files"
  grep -q "  ${name}_${version}_manifest.json\$" "$sums" || fail "the sums do not have the manifest"
  [ "$(grep -c '\.zip$' "$sums")" = "$(find dist -name '*.zip' | wc -l)" ] || fail "an archive has no sum"
}

# version_of is the version, from the name of the sums.
version_of() {
  local sums
  sums=$(basename dist/*_SHA256SUMS)
  sums=${sums#"${name}_"}
  echo "${sums%_SHA256SUMS}"
}

# install goes by nothing but a mirror: no override, no registry.
install() {
  local work version terraform=${TF_ACC_TERRAFORM_PATH:-terraform}
  check_sums
  version=$(version_of)
  work=$(mktemp -d "$PWD/$BUILD/install.XXXXXX")
  mkdir -p "$work/mirror/$address" "$work/quickstart"
  cp dist/*.zip "$work/mirror/$address"
  cp examples/quickstart/*.tf "$work/quickstart"
  # A snapshot is taken only by its whole version.
  cat > "$work/quickstart/version_override.tf" <<HCL
terraform {
  required_providers {
    streaming = {
      source  = "terraform-streaming/streaming"
      version = "= $version"
    }
  }
}
HCL
  cat > "$work/terraform.tfrc" <<HCL
disable_checkpoint = true
provider_installation {
  filesystem_mirror {
    path = "$work/mirror"
  }
}
HCL
  export TF_CLI_CONFIG_FILE="$work/terraform.tfrc" TF_VAR_jar="$STREAMING_JOBS_JAR" TF_IN_AUTOMATION=1
  cd "$work/quickstart"
  "$terraform" init -input=false
  "$terraform" version | grep -q "$address v$version" || fail "another provider than $version was installed"
  "$terraform" providers lock -fs-mirror="$work/mirror" -platform=linux_amd64 -platform=darwin_arm64 -platform=windows_amd64
  "$terraform" apply -input=false -auto-approve
  "$terraform" plan -input=false -detailed-exitcode >/dev/null || fail "a plan right after the apply is not empty"
  "$terraform" apply -input=false -auto-approve -var parallelism=2
  "$terraform" destroy -input=false -auto-approve
  echo "version $version was installed from a mirror, and ran the quickstart"
  cd - >/dev/null
  rm -rf "$work"
}

case "${1:-}" in
  build | install) "$@" ;;
  *)
    echo "usage: release.sh build GORELEASER | install" >&2
    exit 2 ;;
esac
