# SPDX-License-Identifier: MIT
# apsis_version: <apsis/version.hpp> with version, commit and compiler.

set(APSIS_COMMIT "" CACHE STRING "Commit to name where the sources lie in no git repository")
set(version_dir ${PROJECT_BINARY_DIR}/generated)
configure_file(cmake/version.hpp.in ${version_dir}/apsis/version.hpp COPYONLY)
add_custom_target(apsis_version_update
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DCOMMIT=${APSIS_COMMIT} -DOUTPUT=${version_dir}/version.cpp
          "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}"
          -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake
  BYPRODUCTS ${version_dir}/version.cpp
  COMMENT "" VERBATIM)
add_library(apsis_version STATIC ${version_dir}/version.cpp)
add_dependencies(apsis_version apsis_version_update)
target_link_libraries(apsis_version PUBLIC apsis_compile)
set_target_properties(apsis_version PROPERTIES EXPORT_NAME version)
