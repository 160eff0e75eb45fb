// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/held_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace apsis {
namespace {

// In the folder of a run nobody waits for whoever writes into a pipe that lies there under its
// names.
Descriptor open_for_reading(const std::filesystem::path& path) {
  const bool held = place_of(path).held();
  Descriptor descriptor = open_descriptor(path, held ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_RDONLY);
  if (!descriptor.valid()) throw os_error("open", path, errno);
  struct ::stat status {};
  if (held && ::fstat(descriptor.value(), &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISDIR(status.st_mode)) {
    throw file_error(fmt::format("{} is no regular file", path.string()),
                     "take it away, or choose another folder with --out");
  }
  return descriptor;
}

struct ::stat status_of(const Descriptor& descriptor, const std::filesystem::path& path) {
  struct ::stat status {};
  if (::fstat(descriptor.value(), &status) != 0) throw os_error("look at", path, errno);
  if (S_ISDIR(status.st_mode)) throw os_error("read", path, EISDIR);
  return status;
}

Error too_large(const std::filesystem::path& path, std::uint64_t size, std::uint64_t limit) {
  return bad_data(fmt::format("{} has {} where at most {} are read", path.string(),
                              readable_size(size), readable_size(limit)),
                  "use a smaller file or a machine with more memory");
}

// Reads until `bytes` is full or the file ends; gives the number of bytes read.
std::size_t read_into(const Descriptor& descriptor, const std::filesystem::path& path,
                      std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto got = ::read(descriptor.value(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw os_error("read", path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

template <class Content>
Content read_content(const std::filesystem::path& path, std::uint64_t size_limit) {
  const Descriptor descriptor = open_for_reading(path);
  const struct ::stat status = status_of(descriptor, path);
  const auto size = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size));
  if (size > size_limit) throw too_large(path, size, size_limit);
  Content content;
  content.resize(size);
  content.resize(
      read_into(descriptor, path, std::as_writable_bytes(std::span(content.data(), size))));
  if (S_ISREG(status.st_mode)) return content;
  // pipes and the like tell no size: read on in pieces
  constexpr std::size_t piece = 65536;
  for (;;) {
    const std::size_t end = content.size();
    content.resize(end + piece);
    const std::size_t got =
        read_into(descriptor, path, std::as_writable_bytes(std::span(content.data() + end, piece)));
    content.resize(end + got);
    if (content.size() > size_limit) throw too_large(path, content.size(), size_limit);
    if (got < piece) return content;
  }
}

}  // namespace

std::uint64_t physical_memory() {
  const auto pages = ::sysconf(_SC_PHYS_PAGES);
  const auto page = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return std::uint64_t{4} << 30;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

Bytes read_file(const std::filesystem::path& path, std::uint64_t size_limit) {
  return read_content<Bytes>(path, size_limit);
}

std::string read_text(const std::filesystem::path& path, std::uint64_t size_limit) {
  return read_content<std::string>(path, size_limit);
}

Bytes read_beginning(const std::filesystem::path& path, std::size_t count) {
  const Descriptor descriptor = open_for_reading(path);
  Bytes bytes(count);
  bytes.resize(read_into(descriptor, path, bytes));
  return bytes;
}

std::uint64_t size_of_file(const std::filesystem::path& path) {
  const Descriptor descriptor = open_for_reading(path);
  return static_cast<std::uint64_t>(std::max<off_t>(0, status_of(descriptor, path).st_size));
}

void remove_file(const std::filesystem::path& path) {
  if (!unlink_file(path) && errno != ENOENT) throw os_error("remove", path, errno);
}

}  // namespace apsis
