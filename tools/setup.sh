# SPDX-License-Identifier: MIT
# Shared by ./run, ./test and tools/: installs missing packages and builds presets, quietly.
# Everything is said on stderr, so that stdout belongs to the program. Sourced, with $root set.
# shellcheck shell=bash
: "${root:?must be set}"

say() { printf '%s\n' "$*" >&2; }
die() { # CODE TEXT...
  local code=$1
  shift
  say "$*"
  exit "$code"
}

packages_of() { # SECTION... : names, one per line
  local section
  for section in "$@"; do
    awk -v wanted="[$section]" '/^\[/ { on = $0 == wanted; next } on && NF && !/^#/ { print $1 }' \
      "$root/tools/packages.txt"
  done
}

package_states() { # SECTION... : "name version status" of those that dpkg knows
  local names
  mapfile -t names < <(packages_of "$@")
  # shellcheck disable=SC2016
  dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null
}

missing_packages() { # SECTION...
  local installed
  installed=$(package_states "$@" | awk '$3 == "installed" { print $1 }')
  # Node's own packages bring npm inside of nodejs, and Debian's npm does not go with them
  if command -v npm >/dev/null; then installed+=$'\nnpm'; fi
  packages_of "$@" | grep -vxF -- "$installed"
}

is_debian() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null &&
    grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release 2>/dev/null
}

explain_packages() { # SECTION... : what another system needs
  say "Apsis needs these, or what your system calls them (names of Debian 12):"
  local section
  for section in "$@"; do
    say "  $section:"
    awk -v wanted="[$section]" '/^\[/ { on = $0 == wanted; next }
      on && NF && !/^#/ { print "    " $0 }' "$root/tools/packages.txt" >&2
  done
  say "Install them and call ${0##*/} again; what is installed is found by itself."
}

# sudo may ask for a password only where somebody sits at the terminal.
become_root() { # sets the array `root_command`, or fails
  root_command=()
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null || return 1
  if [ -t 0 ] && [ -t 2 ]; then root_command=(sudo); else root_command=(sudo -n); fi
}

apt_install() { # LOG PACKAGE... ; package lists are fetched only where they do not suffice
  local log=$1 root_command
  shift
  become_root || { echo "neither root nor sudo" >"$log"; return 1; }
  local apt=("${root_command[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  {
    "${apt[@]}" --no-install-recommends install "$@" ||
      { "${apt[@]}" update && "${apt[@]}" --no-install-recommends install "$@"; }
  } >"$log" 2>&1 </dev/null
}

# Ends the script with 69 where something required is missing and cannot be installed.
ensure_packages() { # SECTION... ; "optional" may stay missing
  is_debian || return 0 # the configure step finds out, and explain_packages says what to do
  local missing required log
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  mkdir -p "$root/build"
  log=$root/build/install.log
  if [ "${APSIS_NO_INSTALL:-}" != 1 ]; then
    say "Installing ${missing[*]}"
    apt_install "$log" "${missing[@]}" && return 0
    tail -n 5 "$log" >&2
    say "They could not be installed (whole log: $log)."
  fi
  say "To install them yourself:"
  say "  sudo apt-get install ${missing[*]}"
  mapfile -t required < <(missing_packages "${@/optional/}")
  [ "${#required[@]}" -eq 0 ] || exit 69
  say "Going on without: they are optional."
}

job_count() { # as many as cores, but 1 GB of memory each
  local cores memory_gb
  cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
  memory_gb=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo 2)
  [ "${memory_gb:-0}" -ge 1 ] || memory_gb=1
  echo $((cores < memory_gb ? cores : memory_gb))
}

# Keeps the whole log; on a terminal shows ninja's counter in one line that is overwritten.
follow_build() { # LOG LABEL
  if [ -t 2 ]; then
    tee -a "$1" | awk -v label="$2" 'match($0, /^\[[0-9]+\/[0-9]+\]/) {
      printf "\r%s %s\033[K", label, substr($0, 1, RLENGTH) > "/dev/stderr"; shown = 1 }
      END { if (shown) printf "\r\033[K" > "/dev/stderr" }'
  else
    cat >>"$1"
  fi
}

# Libraries that come, go or change make cmake look again.
package_fingerprint() {
  if is_debian; then package_states build optional test deep | cksum; else echo none; fi
}
is_configured() { # FOLDER
  [ -f "$1/build.ninja" ] && [ -f "$1/.packages" ] &&
    [ "$(cat "$1/.packages")" = "$(package_fingerprint)" ]
}

# Configures where needed (after edits cmake re-runs itself) and builds. Where that fails the
# log's end is shown, and the result is 69 (cannot configure) or 70 (cannot compile).
build_preset() { # PRESET [--folder DIR] [-D...]... [-- TARGET...]
  local preset=$1 folder=$root/build/$1 options=() targets=() log
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    if [ "$1" = --folder ]; then folder=$2; shift; else options+=("$1"); fi
    shift
  done
  [ $# -eq 0 ] || { shift; targets=("$@"); }
  mkdir -p "$folder"
  log=$folder/build.log
  (
    # two callers at once take turns
    if command -v flock >/dev/null; then flock 9; fi
    : >"$log"
    if ! is_configured "$folder"; then
      say "Configuring ${folder#"$root"/}"
      (cd "$root" && cmake --preset "$preset" -B "$folder" "${options[@]}") >>"$log" 2>&1 ||
        exit 69
      package_fingerprint >"$folder/.packages"
    fi
    set -o pipefail
    ninja -C "$folder" -j "$(job_count)" -k "${APSIS_KEEP_GOING:-1}" "${targets[@]}" 2>&1 |
      follow_build "$log" "Building ${folder#"$root"/}" || exit 70
  ) 9>"$folder/.build-lock"
  local result=$?
  [ "$result" -ne 0 ] || return 0
  tail -n 30 "$log" >&2
  say "Building ${folder#"$root"/} failed; the whole log is $log"
  if [ "$result" -eq 69 ] && ! is_debian; then explain_packages build optional; fi
  return "$result"
}
