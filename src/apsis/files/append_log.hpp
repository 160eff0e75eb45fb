// SPDX-License-Identifier: MIT
// A text file that only grows, and that a resumed run cuts back to where its checkpoint was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace apsis {

class AppendLog {
 public:
  // A new, empty file; one that exists is emptied.
  static AppendLog create(const std::filesystem::path& path);
  // Cuts an existing file to `offset` bytes and goes on from there; bad_data when it is shorter.
  static AppendLog resume(const std::filesystem::path& path, std::uint64_t offset);

  AppendLog(AppendLog&& other) noexcept;
  AppendLog& operator=(AppendLog&&) = delete;
  AppendLog(const AppendLog&) = delete;
  AppendLog& operator=(const AppendLog&) = delete;
  ~AppendLog();  // flushes what it can and stays silent; call flush() to learn of errors

  void append(std::string_view text);
  void flush();  // to the operating system: other processes see it
  void sync();   // to the disk: a power cut does not undo it

  std::uint64_t offset() const { return offset_; }  // end of the log, buffered text included
  const std::filesystem::path& path() const { return path_; }

 private:
  AppendLog(std::filesystem::path path, int descriptor, std::uint64_t offset);
  void close() noexcept;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
  std::string buffer_;
};

}  // namespace apsis
