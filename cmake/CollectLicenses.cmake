# SPDX-License-Identifier: MIT
# Writes OUTPUT, a source file with the notices of what is linked, from the copyright files of the
# system's packages. PARTS is a comma-separated list of "Name=package|package...": the first package
# whose file exists is taken. A path is that of a notice itself.
file(READ ${SOURCE_DIR}/LICENSE own)
set(text "Apsis\n\n${own}")
string(REPLACE "," ";" parts "${PARTS}")
foreach(part IN LISTS parts)
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${part}")
  set(name "${CMAKE_MATCH_1}")
  string(REPLACE "|" ";" packages "${CMAKE_MATCH_2}")
  set(notice "")
  foreach(package IN LISTS packages)
    if(NOT notice AND IS_ABSOLUTE ${package} AND EXISTS ${package})
      file(READ ${package} notice)
    elseif(NOT notice AND EXISTS /usr/share/doc/${package}/copyright)
      file(READ /usr/share/doc/${package}/copyright notice)
    endif()
  endforeach()
  if(NOT notice)
    list(JOIN packages " or " wanted)
    set(notice "No notice was found where this program was built; see the package ${wanted}.\n")
  endif()
  string(REPEAT "-" 78 rule)
  string(APPEND text "\n${rule}\n${name}\n${rule}\n\n${notice}")
endforeach()
file(WRITE ${OUTPUT}.new
     "// Generated when Apsis is built.\n#include \"about.hpp\"\n\n"
     "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
     "namespace apsis::cli {\nextern const std::string_view licenses_text = R\"notices(${text}"
     ")notices\";\n}\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
