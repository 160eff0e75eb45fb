// SPDX-License-Identifier: MIT
#include <apsis/core/names.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>

namespace apsis {
namespace {

constexpr std::array<std::string_view, 1> of_direct{"direct_"}, of_bins{"bins_"}, of_lab{"matmul_"};
constexpr std::array<std::string_view, 3> of_trees{"fmm_", "tree_", "radix_"};

bool starts_with_one_of(std::string_view file, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view b) { return file.starts_with(b); });
}

bool builds_direct(const std::string& file, const Resolution& engine, bool needs_jerk) {
  if (file == "direct_jerk.cl") return needs_jerk;
  for (const DeviceResolution& at : engine.devices) {
    const std::string& variant = at.variant;
    // pairs of two sets are a case for rows
    const bool two_sets = variant == "symmetric" && file == "direct_rows.cl";
    if (two_sets || direct_kernel_file(variant) == file) return true;
  }
  return false;
}

// Files of other variants than the engine's are not built.
bool builds_bins(const std::string& file, const Resolution& engine) {
  const auto other = std::ranges::find(bins_variants, file, &BinsVariant::file);
  return other == bins_variants.end() ||
         std::ranges::any_of(engine.devices,
                             [&](const DeviceResolution& at) { return at.variant == other->name; });
}

// Whether an engine builds a program from the file: its own, or its solver's.
bool builds(const std::string& file, const Resolution& engine, bool needs_jerk) {
  if (starts_with_one_of(file, of_direct)) {
    return engine.solver == "direct" && builds_direct(file, engine, needs_jerk);
  }
  if (starts_with_one_of(file, of_bins))
    return engine.solver == "bins" && builds_bins(file, engine);
  if (starts_with_one_of(file, of_trees)) return engine.solver == "tree" || engine.solver == "fmm";
  return !starts_with_one_of(file, of_lab);
}

std::vector<std::string> unread(const KernelFolder& folder, const Resolution& engine,
                                bool needs_jerk) {
  std::set<std::string> read;
  for (const auto& [name, text] : embedded_kernels()) {
    const std::string file(name);
    if (!builds(file, engine, needs_jerk)) continue;
    const auto parts = kernel_text(file, folder.path).files;
    read.insert(parts.begin(), parts.end());
  }
  std::vector<std::string> left = folder.edited;
  std::erase_if(left, [&](const std::string& file) { return read.contains(file); });
  return left;
}

std::string unread_notice(const KernelFolder& folder, const std::string& file,
                          const Resolution& engine) {
  std::vector<std::string> readers;
  for (const DirectVariant& variant : direct_opencl_variants()) {
    const auto parts = kernel_text(variant.file, folder.path).files;
    if (std::ranges::find(parts, file) != parts.end()) readers.push_back(variant.name);
  }
  return fmt::format("{} changes nothing here: solver {}, variant {}, does not read it{}",
                     (folder.path / file).string(), engine.solver, engine.variant(),
                     readers.empty() ? "" : "; variant " + list_of(readers) + " does");
}

}  // namespace

std::vector<std::string> kernel_notices(const std::filesystem::path& path, const Resolution& engine,
                                        bool needs_jerk) {
  if (path.empty() || engine.on_cpu()) return {};
  const KernelFolder folder = kernel_folder(path);
  std::string text = notice_of(folder);
  auto left_out = direct_opencl_variant_names();
  std::erase_if(left_out, [&](const std::string& name) { return follows(folder, name); });
  if (engine.solver == "direct" && !left_out.empty()) {
    text += fmt::format("; of the variants of direct, {} follow{} another law and {} not taken",
                        fmt::join(left_out, " and "), left_out.size() == 1 ? "s" : "",
                        left_out.size() == 1 ? "is" : "are");
  }
  std::vector<std::string> notices{std::move(text)};
  for (const std::string& file : unread(folder, engine, needs_jerk)) {
    notices.push_back(unread_notice(folder, file, engine));
  }
  return notices;
}

}  // namespace apsis
