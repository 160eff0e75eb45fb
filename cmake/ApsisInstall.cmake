# SPDX-License-Identifier: MIT
# cmake --install: the program, its manual, completions, examples and documents.

install(TARGETS apsis RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
