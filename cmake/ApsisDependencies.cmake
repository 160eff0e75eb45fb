# SPDX-License-Identifier: MIT
# What the core needs, and the optional parts, which turn themselves off with a message.

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

# fmt compiled in where the binary must run without it
add_library(apsis_fmt INTERFACE)
if(APSIS_PORTABLE)
  target_link_libraries(apsis_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(apsis_fmt INTERFACE fmt::fmt)
endif()

add_library(apsis_headers INTERFACE) # header-only libraries
target_include_directories(apsis_headers SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOMLPLUSPLUS_INCLUDE_DIR}> $<BUILD_INTERFACE:${XXHASH_INCLUDE_DIR}>
  $<BUILD_INTERFACE:${RANDOM123_INCLUDE_DIR}>)

if(APSIS_HDF5)
  find_package(HDF5 COMPONENTS C)
  if(NOT HDF5_FOUND)
    message(STATUS "Apsis: HDF5 not found (libhdf5-dev): snapshots will be CSV")
    set(APSIS_HDF5 OFF)
  endif()
endif()
if(APSIS_PNG)
  find_package(PNG)
  if(NOT PNG_FOUND)
    message(STATUS "Apsis: libpng not found (libpng-dev): runs will write no pictures")
    set(APSIS_PNG OFF)
  endif()
endif()
if(APSIS_OPENCL)
  find_package(OpenCL 1.2)
  find_path(OPENCL_HPP_INCLUDE_DIR CL/opencl.hpp)
  if(OpenCL_FOUND AND OPENCL_HPP_INCLUDE_DIR)
    add_library(apsis_opencl INTERFACE) # the loader and the C++ bindings
    target_include_directories(apsis_opencl SYSTEM INTERFACE
                               $<BUILD_INTERFACE:${OPENCL_HPP_INCLUDE_DIR}>)
    if(APSIS_PORTABLE) # opened when it is needed, and missed by nobody (cl_loader.cpp)
      target_link_libraries(apsis_opencl INTERFACE ${CMAKE_DL_LIBS})
    else()
      target_link_libraries(apsis_opencl INTERFACE OpenCL::OpenCL)
    endif()
  else()
    message(STATUS "Apsis: OpenCL not found (ocl-icd-opencl-dev, opencl-clhpp-headers): "
                   "the CPU will do everything")
    set(APSIS_OPENCL OFF)
  endif()
endif()
if(APSIS_TESTS)
  find_package(GTest)
  if(NOT GTest_FOUND)
    message(STATUS "Apsis: GoogleTest not found (libgtest-dev): tests are not built")
    set(APSIS_TESTS OFF)
  endif()
  include(GoogleTest)
endif()
