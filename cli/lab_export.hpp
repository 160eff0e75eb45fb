// SPDX-License-Identifier: MIT
// apsis lab far-field --export: what a teacher hands out, instead of a measurement.
#pragma once

#include <apsis/lab/options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {

struct ExportArguments {
  std::vector<std::string> lessons;
  std::string folder;
  std::optional<std::uint64_t> seed;
  bool force = false, json = false;
};

void export_hand_out(const ExportArguments& arguments, const lab::LabOptions& options);

}  // namespace apsis::cli
