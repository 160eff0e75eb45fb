// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace apsis {
namespace {

// The file that a line includes by `#include "file"`.
std::optional<std::string> included_file(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  const auto skip = [&](std::string_view word) {
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    skip_blanks();
    return true;
  };
  skip_blanks();
  if (!skip("#") || !skip("include") || !line.starts_with('"')) return std::nullopt;
  line.remove_prefix(1);
  const auto end = line.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(0, end));
}

class Assembler {
 public:
  Assembler(const std::filesystem::path& folder, const WrittenKernel& written)
      : folder_(folder), written_(written) {}

  void add(const std::string& file, const std::string& place) {
    if (!seen_.insert(file).second) return;
    result_.files.push_back(file);
    const std::string text = text_of(file, place);
    result_.text += fmt::format("#line 1 \"{}\"\n", file);
    int number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      add_line(std::string_view(text).substr(at, end - at), file, ++number);
      at = end + 1;
    }
  }

  KernelText result() && { return std::move(result_); }

 private:
  void add_line(std::string_view line, const std::string& file, int number) {
    if (const auto included = included_file(line)) {
      add(*included, fmt::format(", which {}:{} includes,", file, number));
      result_.text += fmt::format("#line {} \"{}\"\n", number + 1, file);
    } else {
      result_.text.append(line).append("\n");
    }
  }

  std::string text_of(const std::string& file, const std::string& place) {
    if (file == written_.name) return written_.text;
    if (!folder_.empty() && file_exists(folder_ / file)) {
      result_.from_folder = true;
      return read_text(folder_ / file);
    }
    for (const auto& [name, text] : embedded_kernels()) {
      if (name == file) return std::string(text);
    }
    throw bad_data(
        fmt::format(
            "the kernel file '{}'{} is {}", file, place,
            folder_.empty() ? "not in Apsis" : "neither in " + folder_.string() + " nor in Apsis"),
        "correct its name, or put it into the folder of device.kernel_dir");
  }

  const std::filesystem::path& folder_;
  const WrittenKernel& written_;
  std::set<std::string> seen_;
  KernelText result_;
};

}  // namespace

KernelText kernel_text(const std::string& file, const std::filesystem::path& folder,
                       const WrittenKernel& written) {
  Assembler assembler(folder, written);
  assembler.add(file, "");
  return std::move(assembler).result();
}

}  // namespace apsis
