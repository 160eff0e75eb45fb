// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/device/kernel_folder.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace apsis {
namespace {

// Written anew for every order of the expansions when the program runs: the file only shows one.
constexpr std::string_view written_file = "fmm_expansion.cl";
// Files that programs read in the place of another, radial_newton.cl.
constexpr std::string_view of_another_law = "radial_";
// More readers than this are a number, not a list.
constexpr std::size_t most_listed = 12;

std::string_view embedded_text(std::string_view file) {
  for (const auto& [name, text] : embedded_kernels()) {
    if (name == file) return text;
  }
  return {};
}

std::vector<std::string> embedded_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded_kernels()) names.emplace_back(name);
  return names;
}

bool is_kernel_file(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".cl";
}

void require_readers(const KernelFolder& folder, const std::vector<std::string>& names) {
  std::set<std::string> read(folder.replaced.begin(), folder.replaced.end());
  for (const std::string& file : folder.replaced) {
    for (std::string& part : kernel_text(file, folder.path).files) read.insert(std::move(part));
  }
  for (const std::string& name : names) {
    if (read.contains(name)) continue;
    const std::string place = (folder.path / name).string();
    throw bad_data(fmt::format("{} takes the place of no kernel{}", place,
                               did_you_mean(name, embedded_names())),
                   "give it the name of the file of kernels/ that it stands for, include it from "
                   "such a file, or take it out of the folder");
  }
}

// The files that programs are built from, and that read this one.
std::vector<std::string> readers_of(const KernelFolder& folder, const std::string& file) {
  std::set<std::string> included;
  std::vector<std::pair<std::string, std::vector<std::string>>> all;
  for (const std::string& name : embedded_names()) {
    std::vector<std::string> parts = kernel_text(name, folder.path).files;
    included.insert(parts.begin() + 1, parts.end());
    all.emplace_back(name, std::move(parts));
  }
  std::vector<std::string> readers;
  for (const auto& [name, parts] : all) {
    if (name == file || included.contains(name) || name.starts_with(of_another_law)) continue;
    if (std::ranges::find(parts, file) != parts.end()) readers.push_back(name);
  }
  return readers;
}

std::string described(const KernelFolder& folder, const std::string& file) {
  if (!folder.edits(file)) return file + " (unchanged)";
  const auto readers = readers_of(folder, file);
  if (readers.empty()) return file;
  if (readers.size() > most_listed) return fmt::format("{} (read by {})", file, readers.size());
  return fmt::format("{} (read by {})", file, fmt::join(readers, ", "));
}

}  // namespace

bool KernelFolder::edits(std::string_view file) const {
  return std::ranges::find(edited, file) != edited.end();
}

bool KernelFolder::changes(const std::string& file) const {
  if (edited.empty()) return false;
  const auto parts = kernel_text(file, path).files;
  return std::ranges::any_of(parts, [&](const std::string& part) {
    // what a built-in file does not include is the user's own
    return edits(part) || embedded_text(part).empty();
  });
}

KernelFolder kernel_folder(const std::filesystem::path& path) {
  if (path.empty()) return {};
  if (!folder_exists(path)) {
    throw bad_data(fmt::format("there is no folder of kernels {}", path.string()),
                   "name an existing folder, or leave device.kernel_dir out");
  }
  KernelFolder folder{path, {}, {}};
  std::vector<std::string> names;
  for (const auto& file : list_files(path)) {
    if (!is_kernel_file(file)) continue;
    const std::string name = file.filename().string();
    names.push_back(name);
    const std::string_view built_in = embedded_text(name);
    if (built_in.empty()) continue;
    folder.replaced.push_back(name);
    if (read_text(file) != built_in) folder.edited.push_back(name);
  }
  if (names.empty()) {
    throw bad_data(fmt::format("{} has no kernel file (.cl)", path.string()),
                   "copy one from kernels/ there and edit it, for example direct_rows.cl, or leave "
                   "device.kernel_dir out");
  }
  require_readers(folder, names);
  if (folder.edits(written_file)) {
    throw bad_data(fmt::format("{} would not be read: the program writes it for every order",
                               (path / written_file).string()),
                   "take it out of the folder; fmm_local.cl, fmm_far.cl and fmm_multipoles.cl use "
                   "what is written");
  }
  return folder;
}

Hash128 hash_of_kernels(const std::filesystem::path& path) {
  Hasher hasher;
  for (const auto& file : list_files(path)) {
    if (!is_kernel_file(file)) continue;
    const std::string name = file.filename().string(), text = read_text(file);
    for (const std::string& part : {name, fmt::format(" {}\n", text.size()), text}) {
      hasher.add(bytes_of(part));
    }
  }
  return hasher.hash();
}

std::string notice_of(const KernelFolder& folder) {
  std::vector<std::string> files;
  for (const std::string& file : folder.replaced) files.push_back(described(folder, file));
  return fmt::format("kernels from {} take the place of built-in ones: {}", folder.path.string(),
                     fmt::join(files, ", "));
}

}  // namespace apsis
