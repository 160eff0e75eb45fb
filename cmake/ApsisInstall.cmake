# SPDX-License-Identifier: MIT
# cmake --install: the program, its manual and completions (cli/), examples and documents; and the
# library with headers and a package file, one target per layer: find_package(apsis), apsis::sim.

include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY APSIS_LAYERS)
set_target_properties(apsis_compile PROPERTIES EXPORT_NAME compile)
set_target_properties(apsis_fmt PROPERTIES EXPORT_NAME fmt)
set_target_properties(apsis_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS apsis RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(APSIS_OPENCL)
  set_target_properties(apsis_opencl PROPERTIES EXPORT_NAME opencl)
  list(APPEND layers apsis_opencl)
endif()
install(TARGETS ${layers} apsis_version apsis_compile apsis_fmt apsis_headers EXPORT apsis
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/apsis)
install(DIRECTORY src/apsis ${PROJECT_BINARY_DIR}/generated/apsis
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apsis)
install(EXPORT apsis NAMESPACE apsis:: DESTINATION ${package_dir})
configure_package_config_file(cmake/apsis-config.cmake.in
  ${PROJECT_BINARY_DIR}/apsis-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/apsis-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/apsis-config.cmake
              ${PROJECT_BINARY_DIR}/apsis-config-version.cmake DESTINATION ${package_dir})

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
