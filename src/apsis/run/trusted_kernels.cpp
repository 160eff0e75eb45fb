// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/device/kernel_folder.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/trusted_kernels.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

constexpr const char* folder_key = "kernel_dir";
constexpr const char* hash_key = "kernel_hash";
constexpr const char* why =
    "kernels are code that runs with your rights, so they count only where you name them yourself";

}  // namespace

void require_kernels_from_caller(const RunSpec& spec, const std::string& command) {
  if (!spec.kernels_of_file || !spec.device.kernel_dir.empty()) return;
  const auto& [folder, file, place] = *spec.kernels_of_file;
  throw bad_data(fmt::format("{}: device.kernel_dir = \"{}\" in a file: {}", place, folder, why),
                 fmt::format("if you trust them: {} {} --kernel-dir {}", typed_command(command),
                             shell_word(file), shell_word(folder)));
}

std::string notice_of_kernels_left_out(const RunSpec& spec) {
  const std::string folder = resolved(spec, folder_key);
  if (folder.empty() || !spec.device.kernel_dir.empty()) return {};
  return fmt::format(
      "this spec is of a run with kernels from {}; this one has the built-in kernels (--kernel-dir "
      "{} takes those)",
      folder, shell_word(folder));
}

void record_kernels(const RunSpec& spec, std::map<std::string, std::string>& resolved) {
  if (spec.device.kernel_dir.empty()) return;
  resolved[folder_key] = spec.device.kernel_dir;
  resolved[hash_key] = to_hex(hash_of_kernels(spec.device.kernel_dir));
}

void take_kernels_again(RunSpec& run, const std::string& named_by_caller,
                        const std::string& run_folder) {
  // Apsis 0.1 kept the folder as a key, and no hash
  const std::string folder =
      run.kernels_of_file ? run.kernels_of_file->folder : resolved(run, folder_key);
  if (folder.empty()) return;
  if (named_by_caller.empty()) {
    throw bad_data(
        fmt::format("the run in {} has kernels from {}: {}", run_folder, folder, why),
        fmt::format("if you trust them: {} {} --kernel-dir {}", typed_command("run --resume"),
                    shell_word(run_folder), shell_word(folder)));
  }
  if (!folder_exists(named_by_caller)) {
    throw bad_data(fmt::format("there is no folder of kernels {}", named_by_caller),
                   fmt::format("the run had {}", folder));
  }
  const std::string then = resolved(run, hash_key);
  const std::string now = to_hex(hash_of_kernels(named_by_caller));
  if (!then.empty() && now != then) {
    throw bad_data(fmt::format("the kernels in {} are not those that the run in {} began with "
                               "(XXH3-128 {} then, {} now)",
                               named_by_caller, run_folder, then, now),
                   "bring the old ones back, or begin another run");
  }
  run.device.kernel_dir = named_by_caller;
}

}  // namespace apsis
