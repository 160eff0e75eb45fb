// SPDX-License-Identifier: MIT
// Those that evaluate one field together, each with bodies of its own: ranks, or threads in tests.
// All of them make the same calls in the same order. Where one fails all leave together: it says so
// in place of its next call, and the others throw PartnerFailed out of theirs.
#pragma once

#include <apsis/files/file.hpp>

#include <cstddef>
#include <cstring>
#include <exception>
#include <span>
#include <vector>

namespace apsis::far {

// Somebody else failed, and says why.
struct PartnerFailed : std::exception {
  const char* what() const noexcept override { return "another rank failed"; }
};

class Partners {
 public:
  Partners() = default;
  Partners(const Partners&) = delete;
  Partners& operator=(const Partners&) = delete;
  virtual ~Partners() = default;

  virtual std::size_t count() const = 0;
  virtual std::size_t own() const = 0;  // number of this one

  // What each of them gives, in their order, at all of them.
  std::vector<Bytes> gather(std::span<const std::byte> own_bytes) {
    require_all_well();
    return gathered(own_bytes);
  }
  // to[p] goes to p; gives what came from each. Nothing is sent to oneself.
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) {
    require_all_well();
    return exchanged(to);
  }
  bool any(bool value) {
    require_all_well();
    return !all_well(!value);
  }

  // The work that all do, calls between them included.
  template <class Work>
  void together(Work&& work) {
    try {
      work();
      require_all_well();
    } catch (const PartnerFailed&) {
      throw;
    } catch (...) {
      all_well(false);
      throw;
    }
  }

 private:
  void require_all_well() {
    if (!all_well(true)) throw PartnerFailed{};
  }
  virtual bool all_well(bool own_well) = 0;
  virtual std::vector<Bytes> gathered(std::span<const std::byte> own_bytes) = 0;
  virtual std::vector<Bytes> exchanged(const std::vector<Bytes>& to) = 0;
};

// Arrays one behind the other in a message. Partners are of one build.
class Parcel {
 public:
  template <class Value>
  void put(std::span<const Value> values) {
    const std::size_t count = values.size();
    put_bytes(std::as_bytes(std::span(&count, 1)));
    put_bytes(std::as_bytes(values));
  }
  template <class Value>
  void put(const std::vector<Value>& values) {
    put(std::span(values));
  }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  Bytes take() { return std::move(bytes_); }

 private:
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  Bytes bytes_;
};

class ParcelReader {
 public:
  explicit ParcelReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class Value>
  std::vector<Value> take() {
    std::vector<Value> values(take_count());
    take_bytes(std::as_writable_bytes(std::span(values)));
    return values;
  }
  // To where there is room for them.
  template <class Value>
  void take_to(Value* to) {
    take_bytes(std::as_writable_bytes(std::span(to, take_count())));
  }

 private:
  std::size_t take_count() {
    std::size_t count = 0;
    take_bytes(std::as_writable_bytes(std::span(&count, 1)));
    return count;
  }
  void take_bytes(std::span<std::byte> to) {
    if (!to.empty()) std::memcpy(to.data(), left_.data(), to.size());
    left_ = left_.subspan(to.size());
  }
  std::span<const std::byte> left_;
};

// The same arrays of all partners.
template <class Value>
std::vector<std::vector<Value>> gather_values(Partners& partners, std::span<const Value> own) {
  std::vector<std::vector<Value>> out;
  for (const Bytes& bytes : partners.gather(std::as_bytes(own))) {
    std::vector<Value> values(bytes.size() / sizeof(Value));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    out.push_back(std::move(values));
  }
  return out;
}

}  // namespace apsis::far
