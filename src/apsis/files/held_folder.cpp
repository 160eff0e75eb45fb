// SPDX-License-Identifier: MIT
#include <apsis/files/descriptor.hpp>
#include <apsis/files/held_folder.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

namespace apsis {
namespace {

struct Held {
  std::string folder;
  int descriptor;
};

std::mutex one_at_a_time;
std::vector<Held>& all_held() {
  static std::vector<Held> held;
  return held;
}

// The same for every way to write it.
std::string key_of(const std::filesystem::path& folder) {
  auto whole = std::filesystem::absolute(folder.empty() ? "." : folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // without the slash at the end
  return whole.string();
}

int descriptor_of(const std::filesystem::path& folder) {
  const std::scoped_lock lock(one_at_a_time);
  if (all_held().empty()) return AT_FDCWD;
  const std::string key = key_of(folder);
  const auto found = std::ranges::find(all_held(), key, &Held::folder);
  return found == all_held().end() ? AT_FDCWD : found->descriptor;
}

}  // namespace

HeldFolder::HeldFolder(const std::filesystem::path& folder) {
  Descriptor opened = open_descriptor(folder, O_RDONLY | O_DIRECTORY);
  if (!opened.valid()) throw os_error("open folder", folder, errno);
  const std::scoped_lock lock(one_at_a_time);
  all_held().push_back({key_of(folder), opened.value()});
  descriptor_ = opened.release();
}

HeldFolder::HeldFolder(HeldFolder&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

HeldFolder::~HeldFolder() {
  if (descriptor_ < 0) return;
  const std::scoped_lock lock(one_at_a_time);
  std::erase_if(all_held(), [&](const Held& held) { return held.descriptor == descriptor_; });
  ::close(descriptor_);
}

bool PlaceOfFile::held() const { return folder != AT_FDCWD; }

PlaceOfFile place_of(const std::filesystem::path& path) {
  const int folder = descriptor_of(path.parent_path());
  return {folder, folder == AT_FDCWD ? path.string() : path.filename().string()};
}

int open_folder(const std::filesystem::path& folder) {
  const int held = descriptor_of(folder);
  const std::string name = held != AT_FDCWD || folder.empty() ? "." : folder.string();
  int descriptor = -1;
  do {
    descriptor = ::openat(held, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace apsis
