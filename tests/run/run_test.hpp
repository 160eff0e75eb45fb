// SPDX-License-Identifier: MIT
// What tests of runs share beside their folder: stops, final states, errors.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/run/run.hpp>

#include <run/run_folder_test.hpp>

#include <filesystem>
#include <span>
#include <string>

namespace apsis {

namespace fs = std::filesystem;

class RunTest : public RunFolderTest {};

// Stops at the first look at or behind that step.
inline RunListener stopping_at(std::uint64_t step, std::uint64_t& seen) {
  RunListener listener;
  listener.progress = [&seen](const Progress& p) { seen = p.step; };
  listener.stop_requested = [step, looks = std::uint64_t{0}]() mutable {
    return std::string(looks++ >= step ? "a test" : "");  // burst 1: one look a step
  };
  return listener;
}

inline Bytes final_state(const fs::path& folder) {
  const Bodies b = read_snapshot(list_files(folder, "snapshot_").back()).bodies;
  Bytes bytes;
  for (const std::span<const double> column :
       {b.positions.values(), b.velocities.values(), std::span(b.mass)}) {
    const auto raw = std::as_bytes(column);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  return bytes;
}

ExitCode code_of(const auto& action, std::string* text = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (text != nullptr) *text = std::string(error.what()) + "; " + error.remedy();
    return error.code();
  }
  return ExitCode::done;
}

}  // namespace apsis
