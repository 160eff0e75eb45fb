# SPDX-License-Identifier: MIT
# The parts of ./test, and how their results are counted and reported. Sourced after setup.sh.
# shellcheck shell=bash
: "${root:?must be set}"

quick_parts=(unit physics files mpi kernels cli lab browser docs check)
deep_parts=(asan tsan minimal portable sweeps install)
logs=$root/build/test-logs
passed=0 failed=0 skipped=0 started=$SECONDS
skips=() failures=()
export LC_ALL=C.UTF-8 CTEST_OUTPUT_ON_FAILURE=1 APSIS_KEEP_GOING=0
unset APSIS NO_COLOR
# Tests with an empty cache of their own need not wait for PoCL's compiler again and again.
pocl_cache=${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nowhere}/.cache}/pocl/kcache}
if mkdir -p "$pocl_cache" 2>/dev/null && [ -w "$pocl_cache" ]; then export POCL_CACHE_DIR=$pocl_cache; fi

list_parts() {
  awk -F'|' 'NF > 4 && $2 !~ /part|---/ { gsub(/^ +| +$/, "", $2); printf "%-9s%s\n", $2, $4 }' \
    "$root/tests/BUDGET.md"
}
is_part() { [[ " ${quick_parts[*]} ${deep_parts[*]} " == *" $1 "* ]]; }

budget_of() { # PART : seconds
  awk -F'|' -v part="$1" '{ gsub(/ /, "", $2) } $2 == part { print int($3 * 60) }' \
    "$root/tests/BUDGET.md"
}
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); } # SECONDS

report_part() { # PART SECONDS PASSED FAILED SKIPPED
  local budget note="" skip=""
  budget=$(budget_of "$1")
  [ "$2" -le "${budget:-0}" ] || note=", over budget"
  [ "$5" -eq 0 ] || skip=", $5 skipped"
  printf '%-9s %5s of %5s%s' "$1" "$(clock "$2")" "$(clock "${budget:-0}")" "$note"
  [ "$3 $4 $5" = "0 0 0" ] || printf '   %d passed, %d failed%s' "$3" "$4" "$skip"
  echo
}

run_part() { # PART : a broken part is a failure, never the end of the others
  local part=$1 begun=$SECONDS before=("$passed" "$failed" "$skipped")
  mkdir -p "$logs"
  "part_$part" >"$logs/$part.log" 2>&1
  if [ "$passed $failed $skipped" = "${before[*]}" ]; then
    failed=$((failed + 1))
    failures+=("$part: nothing was run; see $logs/$part.log")
    tail -n 20 "$logs/$part.log"
  fi
  if [ "$failed" -gt "${before[1]}" ]; then show_failures "$logs/$part.log"; fi
  report_part "$part" $((SECONDS - begun)) $((passed - before[0])) $((failed - before[1])) \
    $((skipped - before[2]))
}

show_failures() { # LOG : what is left of it without what went well
  echo "--- from ${1#"$root"/}"
  grep -vE '^(ok|skip|1\.\.[0-9]+|\+) ?|^ *Start +[0-9]|Test +#[0-9]+: .* Passed|^Internal ctest|^ *$' "$1" |
    tail -n 100
  echo "---"
}

close_report() {
  local line
  for line in "${skips[@]}"; do echo "skipped: $line"; done
  for line in "${failures[@]}"; do echo "failed: $line"; done
  echo "$(clock $((SECONDS - started))) in all; logs in ${logs#"$root"/}"
  line="$passed passed, $failed failed"
  [ "$skipped" -eq 0 ] || line+=", $skipped skipped"
  echo "$line"
  [ "$failed" -eq 0 ] || exit 1
  exit 0
}

# --- counting: one line per test, "ok NAME", "FAIL NAME" or "skip NAME: REASON" -----------------

count_lines() { # PREFIX < lines
  local kind rest
  while read -r kind rest; do
    case "$kind" in
      ok) passed=$((passed + 1)) ;;
      FAIL) failed=$((failed + 1)) && failures+=("$1 $rest") ;;
      skip) skipped=$((skipped + 1)) && skips+=("$1 $rest") ;;
    esac
  done
}

one_test() { # PREFIX NAME COMMAND... : a command that succeeds or fails
  local prefix=$1 name=$2
  shift 2
  echo "+ $*"
  if "$@"; then echo "ok $name"; else echo "FAIL $name"; fi | tee "$logs/one.txt"
  count_lines "$prefix" < <(grep -E '^(ok|FAIL) ' "$logs/one.txt" | tail -n 1)
}

run_ctest() { # PREFIX FOLDER CTEST-ARGUMENT...
  local prefix=$1 folder=$2 junit=$logs/junit.xml
  shift 2
  rm -rf "$junit" "$folder/tests/results"
  ctest --test-dir "$folder" -j "$(job_count)" --no-tests=error --output-junit "$junit" "$@"
  python3 "$root/tools/junit_lines.py" "$junit" "$folder/tests/results" >"$logs/lines.txt" ||
    echo "FAIL ctest gave no results" >"$logs/lines.txt"
  count_lines "$prefix" <"$logs/lines.txt"
}

# Files side by side, as many as there are cores; the longest first, so that none is left at the end.
run_bats() { # PREFIX FOLDER FILE-OR-FOLDER-OF-TESTS
  local prefix=$1 folder=$2 file
  rm -rf "$logs/bats" && mkdir -p "$logs/bats"
  # shellcheck disable=SC2016
  find "$3" -maxdepth 1 -name '*.bats' -printf '%s %p\n' | sort -rn | cut -d ' ' -f 2- |
    APSIS=$folder/apsis xargs -P "$(job_count)" -I{} sh -c \
      'bats --formatter tap "$1" >"$2/$(basename "$1").tap" 2>&1' bats {} "$logs/bats"
  cat "$logs"/bats/*.tap
  for file in "$logs"/bats/*.tap; do tap_lines "$file"; done >"$logs/lines.txt"
  count_lines "$prefix" <"$logs/lines.txt"
}

tap_lines() { # TAP-FILE
  awk -v file="$(basename "$1" .bats.tap)" '
    /^1\.\./ { planned = substr($0, 4) + 0 }
    /^(not )?ok / { seen++; name = $0; sub(/^(not )?ok [0-9]+ /, "", name) }
    /^not ok / { print "FAIL " name; next }
    /^ok .* # skip/ { sub(/ # skip */, ": ", name); print "skip " name; next }
    /^ok / { print "ok " name }
    END { if (seen < planned || !planned) print "FAIL " file ": bats ended early" }' "$1"
}

# --- set-up, build and the quick parts ------------------------------------------------------------

run_setup() { # DEEP
  local begun=$SECONDS sections=(build optional test)
  [ "$1" = no ] || sections+=(deep)
  ensure_packages "${sections[@]}"
  report_part setup $((SECONDS - begun)) 0 0 0
}

run_build() {
  local begun=$SECONDS broken=0 log=$root/build/release/build.log warned
  mkdir -p "$logs"
  if ! build_preset release -DAPSIS_TESTS=ON; then
    broken=1 && failures+=("build: see build/release/build.log")
  elif warned=$(grep -m 1 'warning: ' "$log"); then
    broken=1 && failures+=("build: ${warned#"$root/"}; see build/release/build.log")
  fi
  failed=$((failed + broken))
  report_part build $((SECONDS - begun)) 0 $broken 0
}

part_unit() { run_ctest unit "$root/build/release" -LE '^(physics|files|kill|mpi|deep)$'; }
part_physics() { run_ctest physics "$root/build/release" -L '^physics$'; }
part_files() { run_ctest files "$root/build/release" -L '^(files|kill)$'; }

# On 1 to 4 ranks, whatever the number of cores.
part_mpi() {
  local reason=""
  command -v mpirun >/dev/null || reason="mpirun is not installed"
  ! "$root/build/release/apsis" --version | grep -q '^ *MPI *no' || reason="built without MPI"
  [ -z "$reason" ] || { count_lines mpi <<<"skip all: $reason" && return; }
  run_ctest mpi "$root/build/release" -L '^mpi$'
  run_bats mpi "$root/build/release" "$root/tests/mpi"
}

# Kernels as oclgrind interprets them: data races, reads of what nobody wrote, wrong calls.
part_kernels() {
  command -v oclgrind >/dev/null ||
    { count_lines kernels <<<"skip all: oclgrind is not installed" && return; }
  if "$root/build/release/apsis" --version | grep -q '^ *OpenCL *no'; then
    count_lines kernels <<<"skip all: built without OpenCL" && return
  fi
  watch_all kernels 'suite DirectOpenclSmall' 'suite FmmOpenclSmall' 'suite TreeOpenclSmall' \
    'suite BodyOrderOpenclSmall' 'suite BinsOpenclSmall' 'suite MatmulOpenclSmall' \
    'run leapfrog' 'run rk4' 'run hermite4'
}

watch_all() { # PREFIX 'suite SUITE'|'run INTEGRATOR'...
  local prefix=$1
  shift
  rm -rf "$logs/oclgrind" && mkdir -p "$logs/oclgrind"
  export logs root
  export -f watched watched_suite watched_run
  # shellcheck disable=SC2016
  printf '%s\n' "$@" |
    xargs -P "$(job_count)" -L 1 bash -c 'watched_"$0" "$1"' | tee "$logs/lines.txt"
  count_lines "$prefix" <"$logs/lines.txt"
}

# Each in its own process: to oclgrind 21.10 a buffer in the place of a freed one holds nothing.
watched_suite() { # SUITE
  local program=solvers/test_solvers
  [ "$1" != MatmulOpenclSmall ] || program=lab/test_lab
  watched "$1" --uninitialized "$root/build/release/tests/$program" \
    --gtest_filter="*$1*" --gtest_brief=1
}

# Without --uninitialized: to oclgrind 21.10, buffers that were filled hold nothing.
watched_run() { # INTEGRATOR
  watched "a run with $1" --num-threads 2 "$root/build/release/apsis" run --force \
    --set device.name=oclgrind --set time.integrator="$1" --set initial.model=plummer \
    --set initial.bodies=20 --set time.step=0.01 --set time.until=0.02 \
    --set output.pictures=false --out "$logs/oclgrind/run $1"
}

# Not optimised: oclgrind 21.10 dies of vectors whose places the optimiser leaves undefined.
watched() { # NAME OPTION... COMMAND... : fails where the command does or oclgrind reports something
  local name=$1 report="$logs/oclgrind/$1.report" output="$logs/oclgrind/$1.output"
  shift
  if XDG_CACHE_HOME="$logs/oclgrind/$name.cache" oclgrind --log "$report" --data-races \
    --check-api --build-options -cl-opt-disable "$@" >"$output" 2>&1 && [ ! -s "$report" ]; then
    echo "ok $name"
  else
    echo "FAIL $name"
    tail -n 30 "$output" | sed 's/^/  /'
    head -n 60 "$report" | sed 's/^/  /'
  fi
}
part_cli() { run_bats cli "$root/build/release" "$root/tests/cli"; }

# The page in a real browser. Packages of npm are fetched once for each lock file.
part_browser() {
  local folder=$root/build/browser reason=""
  command -v chromium >/dev/null || reason="chromium is not installed"
  command -v npm >/dev/null || reason="npm is not installed"
  ! "$root/build/release/apsis" --version | grep -q '^ *live view *no' || reason="built without the live view"
  if [ -z "$reason" ] && ! cmp -s "$root/tests/web/package-lock.json" "$folder/.fetched"; then
    mkdir -p "$folder" && cp "$root"/tests/web/{package.json,package-lock.json,.npmrc} "$folder"
    if (cd "$folder" && npm ci --ignore-scripts); then
      cp "$root/tests/web/package-lock.json" "$folder/.fetched"
    else
      reason="npm could not fetch playwright-core"
    fi
  fi
  [ -z "$reason" ] || { count_lines browser <<<"skip all: $reason" && return; }
  cp "$root"/tests/web/*.mjs "$folder"
  printf '{"extends": "%s/web/tsconfig.json", "include": ["%s/web/src"],\n "compilerOptions": {"paths": {"uplot": ["%s/uplot"]}}}\n' \
    "$root" "$root" "$root/build/release/page/node_modules" >"$folder/tsconfig.json"
  one_test browser "the page's types" "$folder/node_modules/.bin/tsc" -p "$folder"
  APSIS=$root/build/release/apsis run_tool browser node "$folder/view.mjs"
}
part_lab() { run_bats lab "$root/build/release" "$root/tests/lab"; }
part_docs() { run_tool docs "$root/tools/run_docs"; }
part_check() { run_tool check "$root/tools/check"; }

# A tool that prints ok, FAIL and skip lines itself; one that ends badly without a word has failed.
run_tool() { # PREFIX COMMAND...
  local prefix=$1 code
  shift
  "$@" | tee "$logs/lines.txt"
  code=${PIPESTATUS[0]}
  [ "$code" -eq 0 ] || grep -q '^FAIL ' "$logs/lines.txt" ||
    echo "FAIL $(basename "$1") ended with $code before its end" | tee -a "$logs/lines.txt"
  count_lines "$prefix" <"$logs/lines.txt"
}

# --- the deep parts -------------------------------------------------------------------------------

# Large sums take a sanitizer minutes and show it nothing that small ones do not; what a device's
# compiler makes of kernels it can't see at all (oclgrind does).
large_sums='DirectOpenclTest\.|[/_]4097_bodies|_the_accuracy_that_is_asked_for|reaches_every_accuracy'
large_sums+='|virial_(equilibrium|ratio)|has_henon_energies|a_running_sum_loses_digits'

# By clang with warnings as errors: the second compiler.
part_asan() {
  build_preset asan || { one_test asan "build" false && return; }
  export ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1
  export UBSAN_OPTIONS=print_stacktrace=1
  # leaks inside libhdf5 are its own
  export LSAN_OPTIONS=suppressions=$root/tests/io/leaks.supp:print_suppressions=0
  APSIS_LEAVE_OUT=$large_sums run_ctest asan "$root/build/asan" -LE '^(deep|physics|mpi)$'
  # Open MPI leaves memory behind; what is killed from outside shows a sanitizer nothing
  ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 run_ctest asan "$root/build/asan" -L '^mpi$' \
    -R 'mpi\.(ranks|each_pair_once_on)_[23]$'
  run_bats asan "$root/build/asan" "$root/tests/cli"
  unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
}

part_tsan() {
  local folders=(core device solvers far_field engines integrators sim run lab viewer) # with threads
  build_preset tsan -- "${folders[@]/#/test_}" || { one_test tsan "build" false && return; }
  # what others' libraries do among themselves is their own; one test forks
  export TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0
  export OMP_NUM_THREADS=4
  APSIS_LEAVE_OUT=$large_sums run_ctest tsan "$root/build/tsan" -LE '^(deep|physics|kill|mpi)$' \
    -R "^($(IFS='|' && echo "${folders[*]}"))\\."
  unset TSAN_OPTIONS OMP_NUM_THREADS
}

part_minimal() {
  build_preset release --folder "$root/build/minimal" -DAPSIS_HDF5=OFF -DAPSIS_PNG=OFF \
    -DAPSIS_OPENCL=OFF -DAPSIS_HIGHWAY=OFF -DAPSIS_SERVER=OFF -DAPSIS_MPI=OFF ||
    { one_test minimal "build" false && return; }
  run_ctest minimal "$root/build/minimal" -LE '^(deep|physics)$'
  run_bats minimal "$root/build/minimal" "$root/tests/cli"
}

part_portable() {
  one_test portable "builds" build_preset portable
  one_test portable "smoke test" "$root/tools/smoke_test" "$root/build/portable/apsis"
  one_test portable "links only what every system has" \
    "$root/tools/smoke_test" --libraries "$root/build/portable/apsis"
}

part_sweeps() {
  run_ctest sweeps "$root/build/release" -L '^deep$'
  if command -v oclgrind >/dev/null; then
    watch_all sweeps 'suite FarBodiesOpenclSmall.with_keys_of_one_word' \
      'suite FarBodiesOpenclSmall.with_keys_of_three_words'
  else
    count_lines sweeps <<<"skip kernels with bodies far away: oclgrind is not installed"
  fi
  "$root/tools/fuzz" --seconds 60 | tee "$logs/lines.txt"
  count_lines sweeps <"$logs/lines.txt"
}

part_install() { run_bats install "$root/build/release" "$root/tests/install.bats"; }
