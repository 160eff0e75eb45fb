// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/io/float_bytes.hpp>
#include <apsis/io/nemo_items.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis {
namespace {

constexpr std::uint16_t one_value = 0x0992, many_values = 0x0b92;
// NEMO's own limits are 64 letters, 8 dimensions and 8 sets in each other.
constexpr std::size_t longest_tag = 256, most_dimensions = 16, most_sets = 16;
// With its tag and dimensions, where both are long.
constexpr std::uint64_t memory_per_item = sizeof(NemoItem) + 4 * longest_tag + 8 * most_dimensions;
constexpr char set = '(', end_of_set = ')';

// Bytes of a value; nothing for a type that there is not.
std::optional<std::uint64_t> size_of_type(char type) {
  switch (type) {
    case 'a':
    case 'b':
    case 'c':
      return 1;
    case 's':
    case 'h':
      return 2;
    case 'i':
    case 'f':
      return 4;
    case 'l':
    case 'd':
      return 8;
    case set:
    case end_of_set:
      return 0;
    default:
      return std::nullopt;
  }
}

std::uint16_t magic_at(std::span<const std::byte> bytes) {
  std::uint16_t magic = 0;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic;
}

constexpr std::uint16_t turned(std::uint16_t magic) {
  return static_cast<std::uint16_t>(magic << 8U | magic >> 8U);
}

// A letter as it may stand in a message.
std::string shown(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return code > 32 && code < 127 ? std::string(1, letter) : fmt::format("\\x{:02x}", code);
}

class Walk {
 public:
  Walk(std::span<const std::byte> bytes, const std::string& name, std::uint64_t memory)
      : bytes_(bytes), name_(name), most_items_(memory / memory_per_item) {}

  std::vector<NemoItem> items() {
    while (at_ < bytes_.size()) next();
    if (!open_.empty()) {
      refuse(fmt::format("set {} does not end", items_[open_.back()].tag));
    }
    return std::move(items_);
  }

 private:
  void next() {
    begin_ = at_;
    if (items_.size() >= most_items_) refuse("there are more items than fit into memory");
    const auto left = bytes_.subspan(at_);
    const auto start = nemo_start(left);
    if (!start) refuse("no item of a structured file begins");
    NemoItem item;
    item.swap = start->swap;
    const bool many = magic_at(left) == (item.swap ? turned(many_values) : many_values);
    item.type = static_cast<char>(left[2]);
    at_ += 4;
    if (item.type == end_of_set) return close();
    item.tag = tag();
    if (many) item.dimensions = dimensions(item.swap);
    if (item.type == set) return open(std::move(item));
    const std::uint64_t length = length_of(item);
    item.data = bytes_.subspan(at_, static_cast<std::size_t>(length));
    at_ += item.data.size();
    items_.push_back(std::move(item));
  }

  void open(NemoItem item) {
    if (open_.size() == most_sets) {
      refuse(fmt::format("more than {} sets lie in each other", most_sets));
    }
    open_.push_back(items_.size());
    items_.push_back(std::move(item));
  }
  void close() {
    if (open_.empty()) refuse("a set ends that did not begin");
    items_[open_.back()].end = items_.size();
    open_.pop_back();
  }

  std::string tag() {
    const auto left = bytes_.subspan(at_, std::min(longest_tag, bytes_.size() - at_));
    const auto end = std::ranges::find(left, std::byte{0});
    if (end == left.end()) refuse("the name of an item does not end");
    std::string text;
    for (auto letter = left.begin(); letter != end; ++letter) {
      text += shown(static_cast<char>(*letter));
    }
    at_ += static_cast<std::size_t>(end - left.begin()) + 1;
    return text;
  }

  std::vector<std::uint64_t> dimensions(bool swap) {
    std::vector<std::uint64_t> found;
    while (found.size() <= most_dimensions) {
      if (bytes_.size() - at_ < 4) refuse("the dimensions of an item are cut");
      const auto dimension = value_at<std::int32_t>(bytes_, at_, swap);
      at_ += 4;
      if (dimension == 0) return found;
      if (dimension < 0) refuse(fmt::format("{} is no dimension of an item", dimension));
      found.push_back(static_cast<std::uint64_t>(dimension));
    }
    refuse(fmt::format("an item has more than {} dimensions", most_dimensions));
  }

  // In bytes, which the file has.
  std::uint64_t length_of(const NemoItem& item) const {
    const std::uint64_t left = bytes_.size() - at_;
    std::uint64_t length = *size_of_type(item.type);
    for (const std::uint64_t dimension : item.dimensions) {
      // more than what is left is refused below, however much it is
      length = length > left / dimension ? left + 1 : length * dimension;
    }
    if (length <= left) return length;
    const std::string values = item.dimensions.empty()
                                   ? "a value"
                                   : fmt::format("{} values", fmt::join(item.dimensions, " x "));
    refuse(fmt::format("{} should have {} of type {}, and {} bytes are left", item.tag, values,
                       shown(item.type), left));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw bad_data(fmt::format("{}: at byte {}: {}", name_, begin_, what),
                   "the file was cut or is no NEMO file: get it anew");
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  std::uint64_t most_items_;
  std::size_t at_ = 0, begin_ = 0;
  std::vector<NemoItem> items_;
  std::vector<std::size_t> open_;  // sets, by their numbers
};

}  // namespace

std::optional<NemoStart> nemo_start(std::span<const std::byte> bytes) {
  // the type is a text of one letter
  if (bytes.size() < 4 || bytes[3] != std::byte{0}) return std::nullopt;
  if (!size_of_type(static_cast<char>(bytes[2]))) return std::nullopt;
  const std::uint16_t magic = magic_at(bytes);
  if (magic == one_value || magic == many_values) return NemoStart{false};
  if (magic == turned(one_value) || magic == turned(many_values)) return NemoStart{true};
  return std::nullopt;
}

std::vector<NemoItem> nemo_items(std::span<const std::byte> bytes, const std::string& name,
                                 std::uint64_t memory) {
  return Walk(bytes, name, memory).items();
}

std::uint64_t NemoItem::count() const { return data.size() / *size_of_type(type); }

double NemoItem::real(std::uint64_t i) const {
  return type == 'd' ? value_at<double>(data, 8 * i, swap)
                     : static_cast<double>(value_at<float>(data, 4 * i, swap));
}

std::int64_t NemoItem::whole(std::uint64_t i) const {
  return type == 'l' ? value_at<std::int64_t>(data, 8 * i, swap)
                     : std::int64_t{value_at<std::int32_t>(data, 4 * i, swap)};
}

}  // namespace apsis
