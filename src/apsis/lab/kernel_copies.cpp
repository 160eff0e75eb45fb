// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/lab/kernel_copies.hpp>

#include <fmt/format.h>

#include <system_error>

namespace apsis::lab {

std::vector<std::string> copy_kernels(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded_kernels()) {
    const std::filesystem::path place = folder / name;
    std::error_code ignored;
    // whatever is there, a link to nowhere as well
    if (std::filesystem::symlink_status(place, ignored).type() !=
        std::filesystem::file_type::not_found) {
      throw file_error(fmt::format("{} exists", place.string()),
                       "name a new folder: files that you may have edited are not replaced");
    }
    names.emplace_back(name);
  }
  make_folder(folder);
  for (const auto& [name, text] : embedded_kernels()) write_text(folder / name, text);
  return names;
}

}  // namespace apsis::lab
