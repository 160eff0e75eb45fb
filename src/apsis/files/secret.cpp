// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/secret.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace apsis {
namespace {

constexpr std::size_t secret_length = 32;
constexpr unsigned owner_alone = 0600;

// Nothing where the file is missing, of another length, not ours, or open to others.
Bytes kept_secret(const std::filesystem::path& file) {
  try {
    const Descriptor descriptor = open_own_file(file, O_RDONLY, "read");
    struct ::stat status {};
    const bool closed = ::fstat(descriptor.value(), &status) == 0 &&
                        (status.st_mode & 0777U & ~owner_alone) == 0 &&
                        status.st_size == static_cast<off_t>(secret_length);
    Bytes secret(secret_length);
    const bool read = closed && ::read(descriptor.value(), secret.data(), secret.size()) ==
                                    static_cast<ssize_t>(secret.size());
    return read ? secret : Bytes{};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void fill_with_random(std::span<std::byte> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const auto got = ::getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw Error(ExitCode::unavailable, fmt::format("the kernel gives no random numbers: {}",
                                                     std::generic_category().message(errno)));
    }
    filled += static_cast<std::size_t>(got);
  }
}

Bytes secret_in(const std::filesystem::path& file) {
  if (Bytes kept = kept_secret(file); !kept.empty()) return kept;
  Bytes made(secret_length);
  fill_with_random(made);
  write_by_name(file, [&](const std::filesystem::path& temporary) {
    const Descriptor descriptor = open_descriptor(temporary, O_WRONLY | O_NOFOLLOW);
    const bool written = descriptor.valid() && ::fchmod(descriptor.value(), owner_alone) == 0 &&
                         write_all(descriptor.value(), made);
    if (!written) throw os_error("write", file, errno);
  });
  return made;
}

}  // namespace apsis
