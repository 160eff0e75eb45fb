// SPDX-License-Identifier: MIT
// One place between two threads: the newest value wins, and neither side waits for the other.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

namespace apsis::viewer {

template <class Value>
class Mailbox {
 public:
  // Leaves a value, over one that nobody took. Gives back an old value, so that its memory can be
  // used again; the lock is held for a few pointers.
  Value put(Value value) {
    const std::lock_guard hold(lock_);
    std::swap(value_, value);
    if (!full_) value = std::exchange(spare_, Value{});
    full_ = true;
    return value;
  }
  // The newest value that was not taken yet.
  std::optional<Value> take() {
    const std::lock_guard hold(lock_);
    if (!full_) return std::nullopt;
    full_ = false;
    return std::exchange(value_, Value{});
  }
  // Gives memory back to whoever puts next.
  void recycle(Value value) {
    const std::lock_guard hold(lock_);
    spare_ = std::move(value);
  }

 private:
  std::mutex lock_;
  Value value_{}, spare_{};
  bool full_ = false;
};

}  // namespace apsis::viewer
