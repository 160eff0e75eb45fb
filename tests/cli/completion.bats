#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What Tab offers, in the shells that are there.
load common

setup_file() { prepare_devices; }

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  mkdir bin && ln -s "$APSIS" bin/apsis
  PATH=$PWD/bin:$PATH
  mkdir out && touch start.hdf5 "my spec.toml" out/summary.json
}

# What bash offers for a line, as it divides it into words.
offers() { # WORD...
  apsis manual bash >completion
  bash -c 'source ./completion
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _apsis && printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

offered() { # EXPECTED WORD... : all of them, in any order
  local expected=$1 found
  shift
  found=$(offers "$@" | sort | tr '\n' ' ')
  [ "$found" = "$(tr ' ' '\n' <<<"$expected" | sort | tr '\n' ' ')" ] || fail "$*: $found"
}

@test "bash offers commands and options" {
  offered "bench" apsis be
  offered "--force" apsis run --fo
  offered "--quick --quiet" apsis lab --qui
  offered "convert" apsis help conv
}

@test "bash offers models, solvers, integrators, precisions and lessons" {
  offered "plummer" apsis run plum
  offered "plummer" apsis view plum
  offered "kepler" apsis init kep
  offered "leapfrog" apsis run --integrator leap
  offered "f32 f64" apsis run --precision f
  offered "fmm" apsis run --solver f
  offered "auto" apsis run --solver au
  offered "fmm" apsis bench f
  offered "fmm" apsis check f
  offered "far-field" apsis lab far
  offered "plummer" apsis bench --model plum
  for lesson in $("$APSIS" lab | sed -n '/^$/q;s/ .*//p'); do
    offers apsis lab "$lesson" | grep -qx -- "$lesson" || fail "$lesson"
  done
}

@test "bash offers every key of a spec, and its words" {
  offered "time.step=" apsis run --set time.st
  offered "time.step=" apsis view --set time.st
  [ "$(offers apsis run --set "" | wc -l)" -eq "$("$APSIS" run --help | grep -c '^  [a-z_.]* .* \[.*\]$')" ]
  # as bash divides --set force.solver=f
  offered "fmm" apsis run --set force.solver = f
  offered "auto bins direct fmm none reference tree" apsis run --set force.solver =
  offered "fmm" apsis run --solver = f
  offered "bound" apsis run --set output.analyse = b
  offered "w0=" apsis init --set w
}

@test "bash offers devices of this machine" {
  offered "cpu" apsis run --device c
  need_device
  offers apsis run --device "" | grep -qx opencl:0
  offers apsis run --set device.name = o | grep -qx opencl:0
}

@test "bash offers files and folders where files are taken" {
  offered "start.hdf5" apsis run start
  offered "my spec.toml" apsis run my
  offered "out" apsis render ou
  offered "start.hdf5" apsis info st
  offered "" apsis run --solver start
}

@test "bash completes on a real command line" {
  command -v python3 >/dev/null || skip "no python3"
  apsis manual bash >completion
  run python3 - <<'P'
import os, pty, select, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "dumb"
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
def send(text): os.write(fd, text.encode()); time.sleep(0.6)
def read():
    out = b""
    while select.select([fd], [], [], 0.5)[0]:
        try: part = os.read(fd, 65536)
        except OSError: break
        if not part: break
        out += part
    return out.decode(errors="replace")
send("source ./completion\n"); read()
send("echo apsis run --set force.sol\t"); 
send("\x15apsis run --set force.sol\t"); first = read()
send("fm\t"); second = read()
send("\x15exit\n")
print(first, second)
assert "force.solver=" in first, first
assert second.strip().endswith("fmm"), second
P
  [ "$status" -eq 0 ] || fail "$output"
}

@test "fish offers the same" {
  command -v fish >/dev/null || skip "fish is not installed"
  apsis manual fish >completion
  fish_offers() { fish --no-config -c "source ./completion; complete -C '$1'" | cut -f 1; }
  fish_offers "apsis be" | grep -qx bench
  fish_offers "apsis run plum" | grep -qx plummer
  fish_offers "apsis run --solver f" | grep -qx fmm
  fish_offers "apsis run --integrator leap" | grep -qx leapfrog
  fish_offers "apsis run --set time.st" | grep -qx time.step=
  fish_offers "apsis lab far" | grep -qx far-field
  fish_offers "apsis run --device c" | grep -qx cpu
  fish_offers "apsis help conv" | grep -qx convert
  fish_offers "apsis run start" | grep -qx start.hdf5
}

@test "zsh offers the same" {
  command -v zsh >/dev/null || skip "zsh is not installed"
  mkdir functions && apsis manual zsh >functions/_apsis
  cat >ask <<'Z'
zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked "PS1=; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' list-colors ''; LISTMAX=10000; stty -echo; bindkey '^I' complete-word; print ready"
zpty -r asked line '*ready*'
zpty -w -n asked "$1"$'\t'
sleep 1
zpty -w -n asked $'\C-A: \C-E\n'
sleep 0.5
while zpty -r -t asked part; do all+=$part; done
print -r -- "$all"
Z
  zsh_offers() { zsh -f ask "$1"; }
  [[ $(zsh_offers "apsis be") == *bench* ]]
  [[ $(zsh_offers "apsis run plum") == *plummer* ]]
  [[ $(zsh_offers "apsis run --solver fm") == *fmm* ]]
  [[ $(zsh_offers "apsis run --integrator leap") == *leapfrog* ]]
  [[ $(zsh_offers "apsis run --set time.st") == *time.step=* ]]
  [[ $(zsh_offers "apsis lab far") == *far-field* ]]
  [[ $(zsh_offers "apsis run --device cp") == *cpu* ]]
}
