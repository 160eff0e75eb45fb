#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What cmake --install puts down works from where it lies.
load cli/common

setup_file() {
  export prefix=$BATS_FILE_TMPDIR/prefix
  cmake --install "$(dirname "$(realpath "${APSIS:-$root/build/release/apsis}")")" --prefix "$prefix"
}

@test "the installed program runs from an empty folder" {
  "$root/tools/smoke_test" "$prefix/bin/apsis"
}

@test "the man pages render" {
  for page in apsis apsis-run apsis-init apsis-info apsis-convert apsis-check apsis-bench; do
    man --warnings -l "$prefix/share/man/man1/$page.1" >page.txt 2>warnings.txt
    [ ! -s warnings.txt ]
    grep -q "SYNOPSIS" page.txt
  done
}

@test "the completion loads in bash" {
  run bash -c 'source "$0/share/bash-completion/completions/apsis" && complete -p apsis' "$prefix"
  [ "$status" -eq 0 ]
  [[ $output == *"-F _apsis apsis" ]]
}

@test "licence, documents and examples are there" {
  for file in LICENSE README.md CHANGELOG.md CITATION.cff docs examples; do
    [ -e "$prefix/share/doc/apsis/$file" ] || fail "$file"
  done
  ls "$prefix"/share/doc/apsis/examples/*.toml
}

@test "a program that finds the package compiles, links and runs" {
  mkdir consumer && cd consumer
  cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(apsis REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE apsis::run)
CMAKE
  cat >main.cpp <<'CPP'
#include <apsis/core/energies.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/version.hpp>
#include <cstdio>
int main() {
  const auto spec = apsis::parse_run_spec("title = \"mine\"", "here");
  std::printf("%s with Apsis %s\n", spec.title.c_str(), std::string(apsis::version).c_str());
}
CPP
  cmake -G Ninja -B build -DCMAKE_PREFIX_PATH="$prefix" >configure.log 2>&1 ||
    fail "$(tail -n 20 configure.log)"
  ninja -C build >build.log 2>&1 || fail "$(tail -n 20 build.log)"
  [ "$(build/consumer)" = "mine with Apsis $(cat "$root/VERSION")" ]
}
