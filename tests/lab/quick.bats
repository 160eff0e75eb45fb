#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# All lessons, once and short, as `apsis lab --quick` runs them; and what they leave behind.
load ../cli/common

lessons="cpu direct reuse unroll burst matmul precision integrators far-field contacts relaxation your-own"

# Kernels that other tests have built come from the cache: building all takes most of a minute.
setup_file() {
  cd "$BATS_FILE_TMPDIR" || return
  begun=$(date +%s)
  "$APSIS" lab --quick >printed.txt 2>errors.txt
  echo $? >status
  echo "# all lessons took $(($(date +%s) - begun)) s" >&3
}

setup() { cd "$BATS_FILE_TMPDIR" || return; }

# Lessons that are about OpenCL devices are left out where there is none.
measured_here() { # LESSON
  [ -d "lab/$1" ] || { grep -q "^$1 left out: " errors.txt && return 1; } || fail "no lab/$1"
}

@test "apsis lab --quick measures every lesson" {
  [ "$(cat status)" -eq 0 ] || fail "$(cat errors.txt)"
  for lesson in $lessons; do
    ! measured_here "$lesson" || grep -q "^== $lesson: " printed.txt || fail "$lesson is missing"
  done
  [ -d lab/cpu ]
}

@test "on a machine with an OpenCL device no lesson is left out" {
  need_device
  for lesson in $lessons; do [ -d "lab/$lesson" ] || fail "$lesson: $(cat errors.txt)"; done
  grep -q PoCL lab/direct/results.csv || apsis devices | grep -qv 'Portable Computing'
  grep -q '^cpu,native,' lab/direct/results.csv
}

@test "every lesson leaves results, a script, pictures that are no empty frames, and a page" {
  command -v gnuplot >/dev/null || skip "gnuplot is not installed"
  for lesson in $lessons; do
    measured_here "$lesson" || continue
    for file in results.csv results.json chart.gnuplot chart.png report.html; do
      [ -s "lab/$lesson/$file" ] || fail "lab/$lesson/$file is missing or empty"
    done
    for picture in lab/"$lesson"/chart*.png; do
      # what a chart of nothing weighs is about 8 kB
      [ "$(stat -c %s "$picture")" -gt 10000 ] || fail "$picture is nearly empty"
    done
  done
  ! grep -rl 'nothing above zero to show' lab/*/chart*.gnuplot || fail "an empty panel"
}

@test "kernel time and end-to-end time stand beside each other, and the native cpu has no former" {
  need_device
  /usr/bin/python3 - <<'EOF'
import csv
rows = list(csv.DictReader(open("lab/direct/results.csv")))
native = [r for r in rows if r["kind"] == "native"]
device = [r for r in rows if r["kind"] != "native"]
assert native and all(r["seconds"] and not r["seconds_kernel"] for r in native), native
assert device and all(r["seconds"] and r["seconds_kernel"] for r in device), device
EOF
}

@test "every kept script draws its picture again" {
  command -v gnuplot >/dev/null || skip "gnuplot is not installed"
  cp -r lab/cpu "$BATS_TEST_TMPDIR/again"
  cd "$BATS_TEST_TMPDIR/again"
  rm chart.png
  gnuplot chart.gnuplot
  [ -s chart.png ]
}

@test "the reports open in a browser without a word on its console" {
  command -v chromium >/dev/null || skip "chromium is not installed"
  # all in frames of one page: a start of the browser takes seconds
  {
    echo '<!DOCTYPE html><link rel="icon" href="data:,"><main>'
    for page in lab/*/report.html; do echo "<iframe src=\"$page\"></iframe>"; done
    echo '</main>'
  } >all.html
  [ "$(grep -c iframe all.html)" -ge 2 ]
  "$root/tests/lab/open_report" all.html
}

@test "the check of the browser's console can fail" {
  command -v chromium >/dev/null || skip "chromium is not installed"
  printf '<main><script>console.error("broken")</script></main>' >"$BATS_TEST_TMPDIR/bad.html"
  run "$root/tests/lab/open_report" "$BATS_TEST_TMPDIR/bad.html"
  [ "$status" -ne 0 ]
}
