// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/append_log.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace apsis {

AppendLog::AppendLog(std::filesystem::path path, int descriptor, std::uint64_t offset)
    : path_(std::move(path)), descriptor_(descriptor), offset_(offset) {}

AppendLog AppendLog::create(const std::filesystem::path& path) {
  Descriptor descriptor = open_own_file(path, O_WRONLY | O_CREAT | O_TRUNC, "create");
  sync_folder(path.parent_path());
  return {path, descriptor.release(), 0};
}

AppendLog AppendLog::resume(const std::filesystem::path& path, std::uint64_t offset) {
  Descriptor descriptor = open_own_file(path, O_RDWR, "open");
  const std::uint64_t size = size_of_file(path);
  if (size < offset) {
    throw bad_data(fmt::format("{} has {} bytes, but the checkpoint was written when it had {}",
                               path.string(), size, offset),
                   "put the log back as the run left it, or start the run anew with --force");
  }
  const auto end = static_cast<off_t>(offset);
  char last = '\n';
  if (offset > 0 && ::pread(descriptor.value(), &last, 1, end - 1) != 1) {
    throw os_error("read", path, errno);
  }
  if (last != '\n') {
    throw bad_data(fmt::format("no line of {} ends at byte {}, where the checkpoint was written",
                               path.string(), offset),
                   "put the log back as the run left it, or start the run anew with --force");
  }
  if (::ftruncate(descriptor.value(), end) != 0 ||
      ::lseek(descriptor.value(), end, SEEK_SET) != end) {
    throw os_error("cut", path, errno);
  }
  return {path, descriptor.release(), offset};
}

AppendLog::AppendLog(AppendLog&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      offset_(other.offset_),
      buffer_(std::move(other.buffer_)) {}

AppendLog::~AppendLog() { close(); }

void AppendLog::close() noexcept {
  if (descriptor_ < 0) return;
  const SignalHeld no_size_signal(SIGXFSZ);
  write_all(descriptor_, bytes_of(buffer_));
  ::close(std::exchange(descriptor_, -1));
}

void AppendLog::append(std::string_view text) {
  constexpr std::size_t enough = 65536;
  buffer_ += text;
  offset_ += text.size();
  if (buffer_.size() >= enough) flush();
}

void AppendLog::flush() {
  const SignalHeld no_size_signal(SIGXFSZ);
  const std::uint64_t needed = buffer_.size();
  if (!write_all(descriptor_, bytes_of(buffer_))) {
    const int code = errno;
    buffer_.clear();  // a part of it may be in the file: writing it again would double rows
    throw os_error("write", path_, code, needed);
  }
  buffer_.clear();
}

void AppendLog::sync() {
  flush();
  if (::fdatasync(descriptor_) != 0) throw os_error("sync", path_, errno);
}

}  // namespace apsis
