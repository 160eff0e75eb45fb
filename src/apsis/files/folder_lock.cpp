// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folder_lock.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace apsis {
namespace {

std::string host_name() {
  ::utsname system{};
  return ::uname(&system) == 0 ? system.nodename : "?";
}

// "process 123 on host": what the holder wrote when it took the lock.
std::string holder(int descriptor) {
  std::array<char, 512> text{};
  const auto got = ::pread(descriptor, text.data(), text.size() - 1, 0);
  std::string line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  line.resize(std::min(line.size(), line.find('\n')));
  return line.empty() ? "another process" : line;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const auto path = folder / file_name;
  Descriptor descriptor = open_own_file(path, O_RDWR | O_CREAT, "open");
  while (::flock(descriptor.value(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) throw os_error("lock", path, errno);
    throw file_error(
        fmt::format("folder {} is in use by {}", folder.string(), holder(descriptor.value())),
        "wait for that run, stop it, or choose another folder with --out");
  }
  const std::string text = fmt::format("process {} on {}\n", ::getpid(), host_name());
  // for the message only: the lock holds even where a full disk takes no text
  if (::ftruncate(descriptor.value(), 0) == 0) write_all(descriptor.value(), bytes_of(text));
  descriptor_ = descriptor.release();
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() { release(); }

// The file stays: removing it would let two processes lock two files of the same name.
void FolderLock::release() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace apsis
