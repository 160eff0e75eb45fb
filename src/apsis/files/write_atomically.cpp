// SPDX-License-Identifier: MIT
// Temporary name, write, fsync, verify, rename, fsync of the folder. While a temporary is being
// written its writer holds a lock on it; one that nobody holds was left by a process that died.
#include <apsis/core/error.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/hash.hpp>
#include <apsis/files/held_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

namespace apsis {
namespace {

constexpr const char* temporary_ending = ".tmp";

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};  // threads of one process must not meet either
  return path.string() + fmt::format(".{}-{}{}", ::getpid(), count++, temporary_ending);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The name of the file that a temporary becomes; empty for a name that is none of ours.
std::string_view final_name(std::string_view temporary) {
  if (!temporary.ends_with(temporary_ending)) return {};
  temporary.remove_suffix(std::string_view(temporary_ending).size());
  const std::size_t dot = temporary.rfind('.'), dash = temporary.rfind('-');
  if (dot == std::string_view::npos || dash == std::string_view::npos || dash < dot) return {};
  const bool numbered =
      is_number(temporary.substr(dot + 1, dash - dot - 1)) && is_number(temporary.substr(dash + 1));
  return numbered ? temporary.substr(0, dot) : std::string_view{};
}

bool lock_at_once(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

bool still_has_name(int descriptor) {
  struct ::stat status {};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

// A file under a temporary name, gone with this object unless it was given its final one.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& final_path, std::uint64_t needed)
      : final_(final_path), needed_(needed) {
    do {  // another process may take a new file for a leftover before it is locked
      path_ = temporary_name(final_);
      descriptor_ = open_descriptor(path_, O_RDWR | O_CREAT | O_EXCL);
      if (!descriptor_.valid()) throw os_error("create", final_, errno, needed_);
      lock_at_once(descriptor_.value());
    } while (!still_has_name(descriptor_.value()));
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { discard(); }

  void write(std::span<const std::byte> bytes) {
    if (!write_all(descriptor_.value(), bytes)) fail("write", errno);
  }

  void sync() {
    if (::fsync(descriptor_.value()) != 0) fail("sync", errno);
  }

  void require_content(const Hash128& expected) {
    // what the disk holds, not what memory still remembers of it
    ::posix_fadvise(descriptor_.value(), 0, 0, POSIX_FADV_DONTNEED);
    if (::lseek(descriptor_.value(), 0, SEEK_SET) != 0) fail("read back", errno);
    Hasher hasher;
    Bytes block(std::size_t{1} << 20);
    for (;;) {
      const auto got = ::read(descriptor_.value(), block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read back", errno);
      if (got == 0) break;
      hasher.add(std::span(block).first(static_cast<std::size_t>(got)));
    }
    if (hasher.hash() == expected) return;
    throw file_error(fmt::format("{} did not read back as it was written", final_.string()),
                     "the disk may be failing: write to another one");
  }

  const std::filesystem::path& path() const { return path_; }

  void rename() {
    const PlaceOfFile from = place_of(path_), to = place_of(final_);
    if (::renameat(from.folder, from.name.c_str(), to.folder, to.name.c_str()) != 0) {
      fail("rename the new", errno);
    }
    path_.clear();
    if (!descriptor_.close()) throw os_error("close", final_, errno);
  }

 private:
  void discard() noexcept {
    if (!path_.empty()) unlink_file(path_);
    path_.clear();
    descriptor_.close();
  }

  [[noreturn]] void fail(std::string_view doing, int code) {
    discard();  // first, so that the free space in the message does not lack this file's part
    throw os_error(doing, final_, code, needed_);
  }

  std::filesystem::path final_, path_;
  std::uint64_t needed_;
  Descriptor descriptor_;
};

}  // namespace

void write_atomically(const std::filesystem::path& path,
                      std::span<const std::span<const std::byte>> chunks, WriteOptions options) {
  std::uint64_t needed = 0;
  for (const auto& chunk : chunks) needed += chunk.size();
  const SignalHeld no_size_signal(SIGXFSZ);  // a limit on file sizes becomes an error, not a death
  Temporary file(path, needed);
  Hasher hasher;
  for (const auto& chunk : chunks) {
    file.write(chunk);
    if (options.verify) hasher.add(chunk);
  }
  file.sync();
  if (options.verify) file.require_content(hasher.hash());
  file.rename();
  sync_folder(path.parent_path());
}

void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                      WriteOptions options) {
  const std::span<const std::byte> chunks[] = {bytes};
  write_atomically(path, chunks, options);
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  write_atomically(path, bytes_of(text));
}

void write_by_name(const std::filesystem::path& path,
                   const std::function<void(const std::filesystem::path&)>& writer) {
  Temporary file(path, 0);
  writer(file.path());
  file.sync();
  file.rename();
  sync_folder(path.parent_path());
}

std::size_t remove_leftovers(const std::filesystem::path& folder,
                             const std::function<bool(std::string_view)>& is_ours) {
  std::size_t removed = 0;
  for (const auto& path : list_files(folder, {}, temporary_ending)) {
    const std::string name = path.filename().string();
    if (const auto of_file = final_name(name); of_file.empty() || !is_ours(of_file)) continue;
    const Descriptor descriptor = open_descriptor(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    if (!descriptor.valid() || !lock_at_once(descriptor.value())) continue;
    if (still_has_name(descriptor.value()) && unlink_file(path)) ++removed;
  }
  return removed;
}

}  // namespace apsis
