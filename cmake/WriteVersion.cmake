# SPDX-License-Identifier: MIT
# Run at every build: writes version.cpp where the commit changed, and leaves it alone otherwise.
if(NOT COMMIT)
  execute_process(COMMAND git -c safe.directory=${SOURCE_DIR} describe --always --dirty --abbrev=12
                          --exclude=*
                  WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE COMMIT ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
configure_file(${SOURCE_DIR}/cmake/version.cpp.in ${OUTPUT} @ONLY)
