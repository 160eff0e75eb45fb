# SPDX-License-Identifier: MIT
# Compiler settings as one interface target, and the function that declares a layer of the library.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

add_library(apsis_compile INTERFACE)
target_compile_features(apsis_compile INTERFACE cxx_std_20)
target_include_directories(apsis_compile INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# warnings are ours, not those of programs that use the installed library
target_compile_options(apsis_compile INTERFACE
  "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion>"
  # designated initialisers leave members out on purpose
  "$<BUILD_INTERFACE:-Wno-missing-field-initializers>")
if(APSIS_WERROR)
  target_compile_options(apsis_compile INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(APSIS_SANITIZE)
  # recover nothing: the first report fails the test that caused it
  target_compile_options(apsis_compile INTERFACE -fsanitize=${APSIS_SANITIZE}
                                                 -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(apsis_compile INTERFACE -fsanitize=${APSIS_SANITIZE})
endif()
if(APSIS_PORTABLE)
  target_link_options(apsis_compile INTERFACE -static-libstdc++ -static-libgcc)
endif()
target_link_libraries(apsis_compile INTERFACE Threads::Threads)

# What nearly every file includes, compiled once: a quarter less time for all of them. A cache of
# compiled files saves more, and does not go well with it.
set(precompile ON)
if(CCACHE_PROGRAM OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(precompile OFF)
endif()
option(APSIS_PRECOMPILED "Compile the most common headers once" ${precompile})

# The first target that names `owner`, which is itself, compiles the headers; others take its file.
function(apsis_precompile target owner)
  if(NOT APSIS_PRECOMPILED)
    return()
  elseif(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN} <fmt/format.h> <algorithm> <array> <cmath>
      <filesystem> <functional> <memory> <optional> <span> <string> <vector>)
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# apsis_file_options(OPTIONS FILE...): options that only these files are compiled with.
function(apsis_file_options options)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}"
                              SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# apsis_layer(NAME SOURCES file... [LINKS target...]): one folder of src/apsis as a static library.
function(apsis_layer name)
  cmake_parse_arguments(layer "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(apsis_${name} STATIC ${layer_SOURCES})
  target_link_libraries(apsis_${name} PUBLIC apsis_compile ${layer_LINKS}
                                      PRIVATE ${layer_PRIVATE_LINKS})
  apsis_precompile(apsis_${name} apsis_core)
  set_target_properties(apsis_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY APSIS_LAYERS apsis_${name})
endfunction()

# apsis_test(NAME SOURCES file... [LINKS target...] [PARTS n] [COST seconds]): one GoogleTest program per
# folder. Suites are labelled by how their names begin (Physics, Kill, Deep), the others by LABEL: files
# for the folders that touch the disk, unit otherwise. ./test runs its parts by these labels, Deep only
# with --deep. All suites of one label run in one process, so that kernels are compiled once. Those of a
# program that takes long are divided into PARTS, and what costs most is started first, so that all
# cores have work to the end.
function(apsis_test name)
  cmake_parse_arguments(test "" "PARTS;COST" "SOURCES;LINKS" ${ARGN})
  add_executable(test_${name} ${test_SOURCES} ${PROJECT_SOURCE_DIR}/tests/support/crowded_teams.cpp)
  target_link_libraries(test_${name} PRIVATE ${test_LINKS} GTest::gtest GTest::gmock
                                             GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # What is tested is as fast as ever; the tests themselves compile in two thirds of the time.
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  apsis_precompile(test_${name} test_core <gmock/gmock.h> <gtest/gtest.h>)
  set(label unit)
  if(name MATCHES "^(files|io|run)$")
    set(label files)
  elseif(name MATCHES "^physics")
    set(label physics)
  endif()
  set(others "Kill*:*/Kill*:Deep*:*/Deep*")
  if(NOT label STREQUAL physics)
    string(APPEND others ":Physics*:*/Physics*")
  endif()
  apsis_suites(${name} ${label} 300 "-${others}" ${test_PARTS})
  if(NOT label STREQUAL physics)
    apsis_suites(${name} physics 300 "Physics*:*/Physics*")
  endif()
  apsis_suites(${name} kill 300 "Kill*:*/Kill*")
  apsis_suites(${name} deep 1800 "Deep*:*/Deep*")
  if(test_COST)
    get_property(tests DIRECTORY PROPERTY TESTS)
    list(FILTER tests INCLUDE REGEX "^${name}\\.${label}")
    set_tests_properties(${tests} PROPERTIES COST ${test_COST})
  endif()
endfunction()

# tools/run_suite.py tells of every test by itself, in a file that ./test counts.
find_program(APSIS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
function(apsis_suites name label seconds filter)
  set(parts 1)
  if(ARGC GREATER 4)
    set(parts ${ARGV4})
  endif()
  foreach(part RANGE 1 ${parts})
    set(test ${name}.${label})
    if(parts GREATER 1)
      string(APPEND test _${part})
    endif()
    if(APSIS_PYTHON)
      add_test(NAME ${test}
               COMMAND ${APSIS_PYTHON} ${PROJECT_SOURCE_DIR}/tools/run_suite.py ${name}
                       ${PROJECT_BINARY_DIR}/tests/results/${test} ${seconds}
                       --part ${part}/${parts} $<TARGET_FILE:test_${name}> --gtest_filter=${filter})
    elseif(part EQUAL 1)
      add_test(NAME ${test} COMMAND test_${name} --gtest_filter=${filter})
    endif()
    # of all tests together; that of one test is the program's
    set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT 3600)
  endforeach()
endfunction()
