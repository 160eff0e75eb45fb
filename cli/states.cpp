// SPDX-License-Identifier: MIT
#include "states.hpp"

#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/file_info.hpp>

#include <fmt/format.h>

namespace apsis::cli {

std::vector<std::filesystem::path> states_in(const std::string& given) {
  if (!folder_exists(given)) return {given};
  const FileInfo info = file_info(given);
  if (!info.folder || info.folder->snapshots.empty()) {
    throw bad_data(fmt::format("{} holds no snapshots", given),
                   "give the folder of a run, or a snapshot");
  }
  return info.folder->snapshots;
}

}  // namespace apsis::cli
