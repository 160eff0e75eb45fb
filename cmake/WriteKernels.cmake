# SPDX-License-Identifier: MIT
# Writes OUTPUT, a source file with the name and text of every kernel file in FOLDER.
file(GLOB kernels RELATIVE ${FOLDER} ${FOLDER}/*.cl)
list(SORT kernels)
set(entries "")
foreach(kernel IN LISTS kernels)
  file(READ ${FOLDER}/${kernel} text)
  string(APPEND entries "    {\"${kernel}\", R\"kernel(${text})kernel\"},\n")
endforeach()
file(WRITE ${OUTPUT}.new
     "// Generated when Apsis is built.\n#include <apsis/device/kernel_text.hpp>\n\n"
     "namespace apsis {\n\n"
     "std::span<const std::pair<std::string_view, std::string_view>> embedded_kernels() {\n"
     "  static constexpr std::pair<std::string_view, std::string_view> kernels[] = {\n${entries}"
     "  };\n  return kernels;\n}\n\n}  // namespace apsis\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
