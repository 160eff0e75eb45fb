// SPDX-License-Identifier: MIT
#include <apsis/files/descriptor.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/held_folder.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>

namespace apsis {
namespace {

std::string remedy_for(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "check the name";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a place that you may write to, or change its permissions";
    case ENOSPC:
    case EDQUOT:
      return "free some space or choose another folder";
    case EFBIG:
      return "raise the limit on file sizes (ulimit -f) or choose another folder";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    case EISDIR:
      return "give the name of a file";
    default:
      return "check the disk and try again";
  }
}

std::string space_left(const std::filesystem::path& path, std::uint64_t needed) {
  std::error_code ignored;
  const auto space =
      std::filesystem::space(path.parent_path().empty() ? "." : path.parent_path(), ignored);
  if (ignored) return fmt::format(" ({} needed)", readable_size(needed));
  return fmt::format(" ({} bytes needed, {} free)", needed, space.available);
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    value_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(value_, -1); }

bool Descriptor::close() noexcept {
  if (value_ < 0) return true;
  // not repeated on EINTR: Linux has freed the number by then
  return ::close(std::exchange(value_, -1)) == 0 || errno == EINTR;
}

Error os_error(std::string_view doing, const std::filesystem::path& path, int code,
               std::uint64_t needed) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  return file_error(
      fmt::format("can't {} {}: {}{}", doing, path.string(), std::generic_category().message(code),
                  full && needed > 0 ? space_left(path, needed) : ""),
      remedy_for(code));
}

Descriptor open_descriptor(const std::filesystem::path& path, int flags, unsigned mode) {
  const PlaceOfFile place = place_of(path);
  int descriptor = -1;
  do {
    descriptor = ::openat(place.folder, place.name.c_str(), flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  return Descriptor(descriptor);
}

namespace {

// Why a file that was opened is not written to; empty where it may be.
std::string why_not_ours(int descriptor, const std::filesystem::path& path) {
  struct ::stat file {};
  struct ::stat folder {};
  if (::fstat(descriptor, &file) != 0) return "can't be looked at";
  if (!S_ISREG(file.st_mode)) return "is no regular file";
  if (file.st_nlink > 1) return "has a second name (a hard link), whose contents would change too";
  const Descriptor parent(open_folder(path.parent_path()));
  // over a network, what root writes may belong to nobody, as then the folder does
  const bool same_owner = ::fstat(parent.value(), &folder) == 0 && file.st_uid == folder.st_uid;
  if (file.st_uid != ::geteuid() && !same_owner) return "belongs to another user";
  return {};
}

Error not_ours(const std::filesystem::path& path, const std::string& why) {
  return file_error(fmt::format("{} {}", path.string(), why),
                    "take it away, or choose another folder with --out");
}

}  // namespace

Descriptor open_own_file(const std::filesystem::path& path, int flags, std::string_view doing) {
  // cut only when it is known to be ours; without waiting for whoever reads a pipe
  const bool cut = (flags & O_TRUNC) != 0;
  Descriptor file = open_descriptor(path, (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (!file.valid()) {
    if (errno == ELOOP) throw not_ours(path, "is a link");
    if (errno == ENXIO) throw not_ours(path, "is no regular file");
    throw os_error(doing, path, errno);
  }
  if (const std::string why = why_not_ours(file.value(), path); !why.empty()) {
    throw not_ours(path, why);
  }
  if (cut && ::ftruncate(file.value(), 0) != 0) throw os_error(doing, path, errno);
  return file;
}

bool unlink_file(const std::filesystem::path& path) {
  const PlaceOfFile place = place_of(path);
  return ::unlinkat(place.folder, place.name.c_str(), 0) == 0;
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  // beyond 2 GiB one call would write only a part anyway
  constexpr std::size_t largest = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const auto wrote = ::write(descriptor, bytes.data(), std::min(bytes.size(), largest));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    if (wrote == 0) {  // allowed by POSIX, and would loop for ever
      errno = EIO;
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(wrote));
  }
  return true;
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(open_folder(folder));
  // some file systems know no fsync of folders and say EINVAL: nothing more can be done there
  if (!descriptor.valid() || (::fsync(descriptor.value()) != 0 && errno != EINVAL)) {
    throw os_error("sync folder", folder.empty() ? "." : folder, errno);
  }
}

SignalHeld::SignalHeld(int signal) : signal_(signal) {
  sigset_t pending;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, signal_) == 1;
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, signal_);
  pthread_sigmask(SIG_BLOCK, &held, &old_mask_);
}

SignalHeld::~SignalHeld() {
  const int saved_errno = errno;
  if (!was_pending_) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, signal_);
    const timespec no_wait{};
    while (sigtimedwait(&held, nullptr, &no_wait) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
  errno = saved_errno;
}

}  // namespace apsis
