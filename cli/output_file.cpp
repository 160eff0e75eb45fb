// SPDX-License-Identifier: MIT
#include "output_file.hpp"

#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace apsis::cli {

void require_free_place(const std::string& in, const std::string& out, bool replace) {
  std::error_code ignored;
  if (std::filesystem::equivalent(in, out, ignored)) {
    throw Error(ExitCode::wrong_usage, fmt::format("{} is input and output", out),
                "give the output another name");
  }
  const auto folder = std::filesystem::path(out).parent_path();
  if (!folder.empty() && !folder_exists(folder)) {
    throw file_error(fmt::format("there is no folder {} for {}", folder.string(), out),
                     "make it first");
  }
  if (file_exists(out) && !replace) {
    throw file_error(fmt::format("{} exists", out), "give --force to replace it, or another name");
  }
}

}  // namespace apsis::cli
