#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Kernels of one's own that take whole steps: apsis lab your-own and --copy-kernels.
load common

setup_file() { prepare_devices; }

# A starter with a change; what is wrong with it is in its name.
changed() { # STARTER NAME SED-EXPRESSION
  sed "$3" "$root/kernels/$1" >"$2"
  ! cmp -s "$root/kernels/$1" "$2" || fail "$3 changes nothing"
}
own() { # EXIT-CODE ARGUMENTS
  local code=$1
  shift
  expect "$code" lab your-own --quick --device opencl --bodies 300 --steps 2 "$@"
  output=$(tr -s '\n ' '  ' <<<"$output") # sentences in one line
}

@test "kernels are copied for editing, measured from there, and never replaced" {
  expect 0 lab --copy-kernels mine
  cmp mine/pair.cl "$root/kernels/pair.cl"
  [ "$(find mine -name '*.cl' | wc -l)" -eq "$(find "$root/kernels" -name '*.cl' | wc -l)" ]
  echo '// edited' >>mine/step_float4.cl
  rm mine/bins_grid.cl
  expect_error 74 mine/ exists -- lab --copy-kernels mine
  [ ! -e mine/bins_grid.cl ]
  tail -n 1 mine/step_float4.cl | grep -qx '// edited'
  expect_error 64 --copy-kernels -- lab direct --copy-kernels other
  touch file
  expect_error 74 file -- lab --copy-kernels file
}

@test "right kernels of all forms stand in one table, versions of one file too" {
  need_device
  mkdir old
  changed step_float4.cl old/step_float4.cl 's/rsqrt(\(.*\));/1 \/ sqrt(\1);/'
  cp "$root"/kernels/step_*.cl .
  own 0 --kernel step_float4.cl --kernel old/step_float4.cl --kernel step_packed.cl \
    --kernel step_tiled.cl
  [[ $output == *"step_packed.cl is right: symplectic-euler"* ]]
  [[ $output == *"step_tiled.cl is right: taylor2"* ]]
  [[ $output == *"old/step_float4.cl is right: symplectic-euler"* ]]
  [ "$(grep -c ',yes,300,' lab/your-own/results.csv)" -eq 4 ]
  grep -q 'tiled (ours)' lab/your-own/results.csv
  [ -s lab/your-own/report.html ]
}

@test "the kernel of the tutorial, which knows no n, is right at sizes of all kinds" {
  need_device
  changed step_float4.cl tutorial.cl 's/const int n, //; s/if (i >= n) return;.*/int n = get_global_size(0);/'
  own 0 --kernel tutorial.cl
  [[ $output == *"tutorial.cl is right"* ]]
}

@test "wrong kernels are named with what is wrong, and end with 76" {
  need_device
  changed step_float4.cl softening.cl 's/+ eps/+ 0.0f/'
  sed -i 's/float3 d = .*/float3 d = there.xyz - here.xyz + (j == i ? 1e9f : 0.0f);/' softening.cl
  changed step_float4.cl in_place.cl 's/global const float4\* pos_old/global float4* pos_old/; s/pos_new\[i\] =/pos_old[i] = pos_new[i] =/'
  changed step_tiled.cl last_tile.cl 's/start + t < n ? pos_old\[start + t\] : (float4)(0)/pos_old[start + t]/'
  changed step_packed.cl behind.cl 's/if (i >= n) return;//'
  own 76 --kernel softening.cl --kernel in_place.cl --kernel last_tile.cl --kernel behind.cl
  [[ $output == *"softening.cl is wrong"*"eps is not used"* ]]
  [[ $output == *"in_place.cl is wrong"*"changes the old positions"* ]]
  [[ $output == *"last_tile.cl is wrong at 293 bodies"*"right at 256"*"behind the last body"* ]]
  [[ $output == *"behind.cl is wrong"*"writes behind the last body"* ]]
}

@test "a kernel that never ends, and one that reads where nothing is, are rows and hold up nobody" {
  # a sanitizer that took the fault for its own would hide how the trial ended
  export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
  need_device
  apsis devices | grep -q 'Portable Computing' || skip "a GPU answers a stray pointer in its own way"
  changed step_float4.cl endless.cl 's/for (int j = 0; j < n; ++j)/for (volatile int j = 0; j < n; j += (n < 2))/'
  changed step_float4.cl stray.cl 's/pos_old\[j\]/pos_old[j + ((long)n << 40)]/'
  cp "$root/kernels/step_float4.cl" right.cl
  own 76 --time-limit 8 --kernel endless.cl --kernel stray.cl --kernel right.cl
  [[ $output == *"endless.cl is wrong"*"did not come to its end within 8 s"* ]]
  [[ $output == *"stray.cl is wrong"*"segmentation fault"* ]]
  [[ $output == *"right.cl is right"* ]]
}

@test "kernels that do not compile, or take what nobody knows, are refused with file and line" {
  need_device
  changed step_float4.cl broken.cl 's/dot(d, d)/dott(d, e)/'
  own 65 --kernel broken.cl
  [[ $stderr == *"broken.cl does not compile"*"broken.cl:1"* ]]
  changed step_float4.cl unknown.cl 's/const float eps/const float eps, const float wind/'
  own 65 --kernel unknown.cl
  [[ $stderr == *"unknown.cl: argument 7 of kernel whole_step (float wind) can't be told"*"global float4*"* ]]
  # beside a good one the good one is measured all the same
  own 65 --kernel broken.cl --kernel "$root/kernels/step_float4.cl"
  [[ $output == *"step_float4.cl is right"* ]]
  expect_error 74 missing.cl -- lab your-own --kernel missing.cl --device opencl
  expect_error 64 "--kernel means nothing to lesson cpu" -- lab cpu --kernel broken.cl
  expect_error 64 "--time-limit 0" -- lab your-own --time-limit 0
  expect_error 64 "shows one kernel" -- lab your-own --view
}
