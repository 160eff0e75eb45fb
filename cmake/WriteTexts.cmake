# SPDX-License-Identifier: MIT
# Writes OUTPUT, a source file with the function FUNCTION of viewer/embedded.hpp: name and text of
# every file that matches PATTERN.
file(GLOB files ${PATTERN})
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  # a literal may not be longer than 64 KiB everywhere, so long texts are joined from pieces
  string(LENGTH "${text}" length)
  string(APPEND entries "    {\"${name}\",\n")
  set(place 0)
  while(place LESS length)
    string(SUBSTRING "${text}" ${place} 16000 piece)
    string(APPEND entries "     R\"apsis(${piece})apsis\"\n")
    math(EXPR place "${place} + 16000")
  endwhile()
  string(APPEND entries "    },\n")
endforeach()
set(body "  return {};\n")
if(entries)
  set(body "  static constexpr std::pair<std::string_view, std::string_view> files[] = {\n${entries}  };\n  return files;\n")
endif()
file(WRITE ${OUTPUT}.new
     "// Generated when Apsis is built.\n#include <apsis/viewer/embedded.hpp>\n\n"
     "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
     "namespace apsis::viewer {\n\nEmbeddedFiles ${FUNCTION}() {\n${body}}\n\n"
     "}  // namespace apsis::viewer\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
