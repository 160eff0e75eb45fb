#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `apsis view` as a user types it; what the page does is tested in tests/web.
load common

need_view() { need "live view"; command -v curl >/dev/null || skip "curl is not installed"; }

# Starts apsis in the background, with its link in $link.
start() { # ARGUMENT...
  "$APSIS" "$@" --no-open --port 0 >out.txt 2>log &
  pid=$!
  for _ in $(seq 100); do if [ -s out.txt ]; then break; else sleep 0.1; fi; done
  link=$(head -n 1 out.txt)
  [[ $link == http://127.0.0.1:*/?token=* ]] || fail "no link: $(cat out.txt log)"
}
stop() { kill -TERM "$pid" && wait "$pid"; }
status_of() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
teardown() { [ -z "${pid:-}" ] || kill -9 "$pid" 2>/dev/null || true; }

@test "view prints one link, which opens the page, and ends on request" {
  need_view
  start view --set initial.model=kepler
  [ "$(wc -l <out.txt)" -eq 1 ]
  [ "$(status_of "$link")" = 200 ]
  [ "$(status_of "${link%%\?*}")" = 403 ]
  [ "$(status_of "${link%%\?*}healthz")" = 200 ]
  [ "$(status_of -H 'Host: evil.example' "$link")" = 403 ]
  stop
}

@test "the token is new at each start, or the environment's" {
  need_view
  start view --set initial.model=kepler
  local first=${link#*token=}
  stop
  start view --set initial.model=kepler
  [ "$first" != "${link#*token=}" ]
  stop
  APSIS_VIEW_TOKEN=$(printf 'x%.0s' {1..32}) start view --set initial.model=kepler
  [ "${link#*token=}" = "$(printf 'x%.0s' {1..32})" ]
  stop
  export APSIS_VIEW_TOKEN=short
  expect_error 64 APSIS_VIEW_TOKEN 32 -- view --no-open
}

@test "view shows a folder and a file" {
  need_view
  apsis run --set initial.model=kepler --set time.until=0.2 --set output.pictures=false --out here
  start view here
  [ "$(status_of "$link")" = 200 ]
  stop
  local files=(here/snapshot_0000.*)
  start view "${files[0]}"
  [ "$(status_of "$link")" = 200 ]
  stop
}

@test "view leaves out a damaged snapshot of a folder and says so" {
  need_view
  apsis run --set initial.model=kepler --set time.until=0.2 --set output.pictures=false --out here
  local files=(here/snapshot_0003.*)
  truncate -s 100 "${files[0]}"
  start view here
  [ "$(status_of "$link")" = 200 ]
  for _ in $(seq 50); do if grep -q snapshot_0003 log; then break; else sleep 0.1; fi; done
  grep -q 'snapshot_0003.*left out' log || fail "nothing was said: $(cat log)"
  stop
}

@test "run --view gives the same bits as run" {
  need_view
  local settings=(--set initial.model=plummer --set initial.bodies=200 --set time.until=0.5
    --set device.name=cpu --set output.pictures=false)
  start run --view "${settings[@]}" --out watched
  curl -s -o /dev/null "$link"
  wait "$pid" # nobody looks: it ends with the run, as a batch queue expects
  apsis run "${settings[@]}" --out alone
  cmp watched/energy.csv alone/energy.csv
  for run in watched alone; do
    files=("$run"/snapshot_*)
    apsis convert "${files[-1]}" "$run.csv"
    grep -v '^#' "$run.csv" >"$run.bodies" # the header tells the folder
  done
  [ "$(wc -l <alone.bodies)" -gt 200 ]
  cmp watched.bodies alone.bodies
}

# The same, served to other machines; any address in the link.
start_for_others() { # ARGUMENT...
  "$APSIS" view --set initial.model=kepler "$@" --no-open --port 0 >out.txt 2>log &
  pid=$!
  for _ in $(seq 100); do if [ -s out.txt ]; then break; else sleep 0.1; fi; done
  link=$(head -n 1 out.txt)
  [[ $link == http://*/?token=* ]] || fail "no link: $(cat out.txt log)"
}
# The picture of a QR code in half blocks, for a camera: PBM, six pixels to a module.
picture_of() { # FILE
  sed -n -e 's/█/B/g' -e 's/▀/T/g' -e 's/▄/L/g' -e '/^[BTL ]\{20,\}$/p' "$1" |
    awk '{ for (half = 0; half < 2; ++half) { row = ""
             for (i = 1; i <= length($0); ++i) {
               light = index(half ? "BL" : "BT", substr($0, i, 1)) > 0
               for (k = 0; k < 6; ++k) row = row (light ? "0 " : "1 ") }
             for (k = 0; k < 6; ++k) rows[++count] = row } width = 6 * length($0) }
         END { print "P1"; print width, count; for (i = 1; i <= count; ++i) print rows[i] }'
}
needs_qr() { apsis --version | grep -q 'QR codes' || skip "built without libqrencode"; }

@test "another address is warned about, and each link that is printed opens the page" {
  need_view
  for address in 0.0.0.0 ::; do
    [ "$address" = 0.0.0.0 ] || [ -e /proc/net/if_inet6 ] || continue
    start_for_others --bind "$address"
    grep -q "warning.*others on the network" log
    while read -r each; do
      [[ $each == http://*/?token=* ]] || fail "no link: $each"
      [[ $each != *//0.0.0.0:* && $each != *'//[::]:'* ]] || fail "nobody reaches $each"
      [ "$(status_of -g "$each")" = 200 ] || fail "$each does not open"
    done <out.txt
    # all that the machine says it has, but for loopback and what only one wire knows
    for number in $(hostname -I); do
      [[ $number != *:* || $address == :: ]] || continue
      [[ $number == fe80:* ]] || grep -qF "//${number/*:*/[$number]}:" out.txt || fail "$number is missing"
    done
    stop
  done
}

@test "one address has one link" {
  need_view
  start_for_others --bind 127.0.0.2
  [ "$(wc -l <out.txt)" -eq 1 ]
  [[ $link == http://127.0.0.2:* ]]
  [ "$(status_of "$link")" = 200 ]
  stop
}

@test "a QR code that is asked for holds the first link" {
  need_view
  needs_qr
  command -v zbarimg >/dev/null || skip "zbarimg is not installed"
  start_for_others --bind 0.0.0.0 --qr on
  picture_of out.txt >code.pbm
  [ "$(zbarimg --quiet --raw code.pbm)" = "$link" ]
  stop
  start_for_others --qr on --read-only
  picture_of out.txt >code.pbm
  [ "$(zbarimg --quiet --raw code.pbm)" = "$link" ]
  stop
}

@test "a QR code is printed by itself on a terminal, to others' machines alone" {
  need_view
  needs_qr
  command -v script >/dev/null || skip "script is not installed"
  in_terminal() { # ARGUMENT... : what a terminal of 100 columns shows
    TERM=xterm LC_ALL=C.UTF-8 timeout 10 script -qefc "stty cols 100; timeout -s TERM 2 $APSIS view --set initial.model=kepler --no-open --port 0 $*" typed >/dev/null || true
    cat typed
  }
  in_terminal --bind 0.0.0.0 | grep -q ▀
  if in_terminal --bind 0.0.0.0 --qr off | grep -q ▀; then fail "with --qr off"; fi
  if in_terminal | grep -q ▀; then fail "for this machine"; fi
  start_for_others --bind 0.0.0.0
  if grep -q ▀ out.txt; then fail "in a file"; fi
  stop
}

@test "a build without QR codes prints the links and says so where one is asked for" {
  need_view
  if apsis --version | grep -q 'QR codes'; then skip "this build has QR codes"; fi
  start_for_others --bind 0.0.0.0
  stop
  expect_error 69 "QR" "libqrencode" -- view --qr on --no-open
}

@test "mistakes are answered" {
  need_view
  expect_error 74 nowhere -- view nowhere.hdf5 --no-open
  expect_error 65 "holds no snapshots" -- view . --no-open
  expect_error 64 "is no address" -- view --bind here --no-open
  expect_error 65 "plumer" "plummer" -- view --set initial.model=plumer --no-open
  expect_error 64 "--view" -- run --port 1
  expect_error 64 "--qr" "auto" -- view --qr perhaps --no-open
  touch spec.toml
  start view --set initial.model=kepler
  local port=${link#http://127.0.0.1:}
  expect_error 69 "port ${port%%/*}" "--port" -- view --port "${port%%/*}" --no-open
  stop
}

@test "a build without the page says so" {
  apsis --version | grep -q '^ *live view *no' || skip "this build has the live view"
  expect_error 69 "no" -- view --no-open
}

@test "a kernel of one's own takes the steps of what is shown, and its verdict is told" {
  need_view
  need_device
  cp "$root/kernels/step_tiled.cl" nbody.cl
  start view plummer --bodies 200 --kernel nbody.cl
  for _ in $(seq 200); do if grep -q 'takes the steps' log; then break; else sleep 0.1; fi; done
  grep -q 'nbody.cl takes the steps; it is right: taylor2' log || fail "$(cat log)"
  [ "$(status_of "$link")" = 200 ]
  stop
  start lab your-own --view --bodies 200 --kernel nbody.cl
  for _ in $(seq 200); do if grep -q 'takes the steps' log; then break; else sleep 0.1; fi; done
  grep -q 'nbody.cl takes the steps' log || fail "$(cat log)"
  stop
}

@test "a kernel of one's own is refused where there is more than it knows" {
  need_view
  need_device
  cp "$root/kernels/step_float4.cl" nbody.cl
  expect 65 view billiard --kernel nbody.cl --no-open --port 0
  [[ $stderr == *"knows nothing of contacts"* ]]
  expect 65 view kepler --kernel "$root/kernels/pair.cl" --no-open --port 0
  [[ $stderr == *"has no kernel"* ]]
}
