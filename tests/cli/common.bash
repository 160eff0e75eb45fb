# SPDX-License-Identifier: MIT
# Loaded by every test of the command line: `load common` at the top of the file.
# Each test starts in an empty folder of its own; `apsis` is the program under test, $examples and
# $root are folders of the repository.
# shellcheck shell=bash disable=SC2154

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034
examples=$root/examples
APSIS=$(realpath "${APSIS:-$root/build/release/apsis}")
export APSIS
export APSIS_STARTED_AS=apsis # messages are the same wherever the program lies
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR" || return; }

apsis() { "$APSIS" "$@"; }

# Runs apsis and keeps $output (stdout) and $stderr apart; fails unless it ends with CODE.
expect() { # CODE ARGUMENT...
  local code=$1
  shift
  run --separate-stderr "$APSIS" "$@"
  [ "$status" -eq "$code" ] || fail "apsis $* ended with $status instead of $code:
$output
$stderr"
}

# The one line on stderr of a command that ends with CODE must contain every WORD.
expect_error() { # CODE WORD... -- ARGUMENT...
  local code=$1 words=()
  shift
  while [ "$1" != -- ]; do words+=("$1") && shift; done
  shift
  expect "$code" "$@"
  local word line=${stderr##*$'\n'}
  [[ $line == "apsis: error: "* ]] || fail "no error line: $stderr"
  [ "$(grep -c . <<<"$stderr")" -eq 1 ] || fail "more than one line: $stderr"
  for word in "${words[@]}"; do
    [[ $line == *"$word"* ]] || fail "'$word' is missing from: $line"
  done
}

fail() {
  printf '%s\n' "$*" >&2
  return 1
}

# Skips where an optional part is not built in, saying which.
need() { # HDF5|PNG|OpenCL
  if "$APSIS" --version | grep -q "^ *$1 *no"; then skip "built without $1"; fi
}

# For files whose tests use OpenCL devices: a cache of their own. Under a sanitizer its search for leaks
# crashes now and then in the threads of PoCL's compiler, which are still alive at exit; leaks of our
# own are looked for by the unit tests.
prepare_devices() {
  export XDG_CACHE_HOME=$BATS_FILE_TMPDIR/cache
  export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
}

need_device() {
  need OpenCL
  apsis devices 2>/dev/null | grep -q '^opencl:0' ||
    skip "no OpenCL device (pocl-opencl-icd brings one)"
}
