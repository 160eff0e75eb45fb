// SPDX-License-Identifier: MIT
// For the inside of files/ only: an owned file descriptor, and errno turned into an Error.
#pragma once

#include <apsis/core/error.hpp>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace apsis {

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int value() const { return value_; }
  bool valid() const { return value_ >= 0; }
  int release();
  bool close() noexcept;  // false when the kernel reports a late write error (see errno)

 private:
  int value_;
};

// "can't <doing> <path>: <errno's text>" with what to do about it. Where the disk is full the
// message tells the bytes that were needed and those that are free.
Error os_error(std::string_view doing, const std::filesystem::path& path, int code,
               std::uint64_t needed = 0);

// open(2), restarted when a signal interrupts it; descriptors are not inherited by programs.
Descriptor open_descriptor(const std::filesystem::path& path, int flags, unsigned mode = 0666);

// For files that stay open and are written in place: what others may have put there under that name
// is not followed (a link), waited for (a pipe), or written to (somebody's file, or one with a
// second name). file_error names it; `doing` is the word for what failed otherwise.
Descriptor open_own_file(const std::filesystem::path& path, int flags, std::string_view doing);

// False with errno set.
bool unlink_file(const std::filesystem::path& path);

// All bytes or false with errno set; short writes and interruptions are gone on with.
bool write_all(int descriptor, std::span<const std::byte> bytes);

// Makes what was renamed or created in a folder survive a power cut.
void sync_folder(const std::filesystem::path& folder);

// While it lives the signal is not delivered: calls that would raise it fail with errno instead,
// and one that became pending through them is taken away again.
class SignalHeld {
 public:
  explicit SignalHeld(int signal);
  SignalHeld(const SignalHeld&) = delete;
  SignalHeld& operator=(const SignalHeld&) = delete;
  ~SignalHeld();

 private:
  int signal_;
  bool was_pending_ = false;
  sigset_t old_mask_{};
};

}  // namespace apsis
