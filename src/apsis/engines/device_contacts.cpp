// SPDX-License-Identifier: MIT
#include <apsis/contacts/finder.hpp>
#include <apsis/contacts/pair_sort.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/device_contacts.hpp>
#include <apsis/engines/device_motion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace apsis {
namespace {

constexpr std::size_t group = 128;
constexpr std::size_t lanes = 8;                        // of sweep_boxes.cl
constexpr int key_bits = 30;                            // three times KEY_LEVELS of sweep_keys.cl
constexpr std::size_t samples = 1023;                   // of which the middle is found
constexpr int searches_a_sample = 64;                   // bodies do not move far in so few steps
constexpr float rounding = 9.6e-7F;                     // of sweep_boxes.cl
constexpr std::size_t most_counted = 0x40000000;        // by sweep_search.cl
constexpr std::uint32_t marked_as_touching = 1U << 31;  // in the second number of sweep_search.cl

device::Range over(std::size_t items) {
  return {{(std::max<std::size_t>(items, 1) + group - 1) / group * group, 1, 1}, {group, 1, 1}};
}
int as_int(std::size_t value) { return static_cast<int>(value); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Number>
std::vector<Vec3> vectors_in(const device::Buffer& buffer, std::size_t count) {
  std::vector<Number> quads(4 * count);
  buffer.read(std::span(quads));
  std::vector<Vec3> out(count);
  for (std::size_t k = 0; k < count; ++k) {
    out[k] = {static_cast<double>(quads[4 * k]), static_cast<double>(quads[4 * k + 1]),
              static_cast<double>(quads[4 * k + 2])};
  }
  return out;
}

std::vector<Vec3> vectors_in(const device::Buffer& buffer, std::size_t count, bool wide) {
  return wide ? vectors_in<double>(buffer, count) : vectors_in<float>(buffer, count);
}

float largest(Vec3 v) {
  return static_cast<float>(std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}));
}

}  // namespace

DeviceContacts::DeviceContacts(device::Context& context, Precision precision)
    : context_(&context), sort_(context) {
  const device::Defines defines = precision_define(precision);
  const auto keys = context.program("sweep_keys.cl", defines);
  sample_bodies_ = keys.kernel<Buffer, int, int, Buffer>("sweep_sample");
  make_items_ =
      keys.kernel<Buffer, int, Scalar, Scalar, Scalar, Scalar, int, Buffer>("sweep_items");
  device::Defines boxes_defines = defines;
  boxes_defines.emplace_back("LOOKED", fmt::format("{:#}f", 1 + looked_beyond));
  const auto boxes = context.program("sweep_boxes.cl", boxes_defines);
  make_leaves_ = boxes.kernel<Buffer, int, int, Buffer, Buffer, Buffer, Scalar, Scalar, Scalar,
                              Scalar, Buffer, Buffer>("sweep_leaves");
  make_level_ = boxes.kernel<Buffer, Buffer, int, Buffer, int, int, int, int>("sweep_level");
  device::Defines search_defines = defines;
  search_defines.emplace_back("TRUE_SHARE", fmt::format("{:#}f", true_share<float>));
  const auto search = context.program("sweep_search.cl", search_defines);
  find_touching_ =
      search.kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, int, Buffer>("sweep_touching");
  find_near_ =
      search.kernel<int, Buffer, Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer, int, Buffer>(
          "sweep_near");
  const auto some = context.program("some_bodies.cl", defines);
  gather_ = some.kernel<int, Buffer, Buffer, Buffer, Buffer>("gather_bodies");
  scatter_ = some.kernel<int, Buffer, Buffer, Buffer, Buffer>("scatter_bodies");
  find_beyond_ = some.kernel<int, Buffer, Buffer, Scalar, Scalar, Scalar, Scalar, Scalar, Scalar,
                             Buffer, int, Buffer>("bodies_beyond");
}

device::Buffer& DeviceContacts::at_least(Buffer& buffer, std::size_t bytes, const char* what) {
  if (buffer.bytes() < bytes) buffer = context_->buffer(bytes, what);
  return buffer;
}

void DeviceContacts::load(const DeviceState& state, std::span<const double> radii,
                          const Scale& scale) {
  count_ = state.count;
  radii_.assign(count_, 0.0);
  double sum = 0;
  std::vector<float> narrowed(std::max<std::size_t>(count_, 1), 0.0F);
  for (std::size_t i = 0; i < radii.size(); ++i) {
    radii_[i] = radii[i] / scale.length;
    // not smaller than it is
    narrowed[i] = std::nextafter(static_cast<float>(radii_[i]), 2 * static_cast<float>(radii_[i]));
    sum += radii_[i];
  }
  radius_ = context_->buffer(narrowed.size() * sizeof(float), "radii");
  radius_.write(std::span<const float>(narrowed));
  // places are below 1 or little more
  serves_ = 1e-6 * static_cast<double>(count_) < 0.25 * sum;
  searches_ = 0;
  // leaves and all levels above them
  levels_ = {};
  std::size_t boxes = (std::max<std::size_t>(count_, 1) + lanes - 1) / lanes, first = 0;
  for (int level = 0;; ++level) {
    levels_.first[static_cast<std::size_t>(level)] = static_cast<std::int32_t>(first);
    levels_.count[static_cast<std::size_t>(level)] = static_cast<std::int32_t>(boxes);
    levels_.top = level;
    first += boxes;
    if (boxes <= lanes || level + 1 == most_levels) break;
    boxes = (boxes + lanes - 1) / lanes;
  }
  constexpr std::size_t entry = 4 * sizeof(float), box_bytes = 4 * entry;
  at_least(boxes_, first * box_bytes, "boxes of contacts");
  at_least(begin_, std::max<std::size_t>(count_, 1) * entry, "paths");
  at_least(end_, std::max<std::size_t>(count_, 1) * entry, "paths");
  at_least(items_, std::max<std::size_t>(count_, 1) * sizeof(std::uint64_t), "keys of contacts");
  at_least(other_, std::max<std::size_t>(count_, 1) * sizeof(std::uint64_t), "keys of contacts");
  at_least(found_, sizeof(std::uint32_t), "a counter");
  // grows where a crowd needs more
  at_least(pairs_, (count_ / 8 + 2048) * sizeof(BodyPair), "pairs that touch");
  tree_ = context_->buffer(sizeof(Levels), "levels of contacts");
  tree_.write(std::span<const Levels>(&levels_, 1));
}

std::size_t DeviceContacts::bytes() const {
  std::size_t sum = sort_.bytes();
  for (const Buffer* buffer :
       {&radius_, &items_, &other_, &begin_, &end_, &boxes_, &tree_, &found_, &pairs_, &sample_,
        &numbers_, &states_, &stray_begin_, &stray_end_}) {
    sum += buffer->bytes();
  }
  return sum;
}

// Only how fast the search is depends on it.
void DeviceContacts::find_middle(const DeviceState& state) {
  if (searches_++ % searches_a_sample != 0) return;
  const std::size_t taken = std::min(samples, count_);
  at_least(sample_, samples * state.entry_bytes(), "a sample of bodies");
  sample_bodies_(over(taken), state.place, as_int(count_), as_int(taken), sample_);
  const auto places = vectors_in(sample_, taken, state.wide());
  std::vector<double> x, y, z, distance;
  for (const Vec3& p : places) x.push_back(p.x), y.push_back(p.y), z.push_back(p.z);
  middle_.place = {median(x), median(y), median(z)};
  for (const Vec3& p : places) distance.push_back(static_cast<double>(largest(p - middle_.place)));
  const double size = median(distance);
  middle_.size = size > 0 ? size : 1;
}

void DeviceContacts::order(const DeviceState& state) {
  const int number_bits = as_int(std::bit_width(std::max<std::size_t>(count_, 1)));
  const auto scalar = [&](double value) { return state.scalar(value); };
  const Vec3& m = middle_.place;
  make_items_(over(count_), state.place, as_int(count_), scalar(m.x), scalar(m.y), scalar(m.z),
              scalar(1 / middle_.size), number_bits, items_);
  sort_.sort(items_, other_, as_int(count_), number_bits, key_bits);
  make_leaves_(over(count_), items_, as_int(count_), number_bits, state.place, state.velocity,
               radius_, scalar(duration_), scalar(m.x), scalar(m.y), scalar(m.z), begin_, end_);
}

void DeviceContacts::build_boxes() {
  for (int level = 0; level <= levels_.top; ++level) {
    const auto at = static_cast<std::size_t>(level);
    const int here = levels_.count[at];
    const bool leaves = level == 0;
    make_level_(over(static_cast<std::size_t>(here)), begin_, end_, as_int(count_), boxes_,
                leaves ? 0 : levels_.first[at - 1], leaves ? -1 : levels_.count[at - 1],
                levels_.first[at], here);
  }
}

void DeviceContacts::look_at(const DeviceState& state, double duration) {
  duration_ = duration;
  if (count_ == 0) return;
  find_middle(state);
  order(state);
  build_boxes();
}

template <class Search>
FoundPairs DeviceContacts::collected(std::size_t most, const Search& search) {
  for (;;) {
    const std::size_t room = pairs_.bytes() / sizeof(BodyPair);
    found_.clear();
    search(as_int(room));
    std::uint32_t count = 0;
    found_.read(std::span<std::uint32_t>(&count, 1));
    if (count > most) refuse_heap(most, count_);
    if (count <= room) {
      BodyPairs pairs(count);
      if (count > 0) pairs_.read(std::span(pairs));
      FoundPairs found;
      for (const auto& [a, b] : pairs) {
        const bool touching = (b & marked_as_touching) != 0;
        (touching ? found.touching : found.close).push_back({a, b & ~marked_as_touching});
      }
      found.touching = sorted_pairs(std::move(found.touching), count_, thread_count(0));
      found.close = sorted_pairs(std::move(found.close), count_, thread_count(0));
      return found;
    }
    pairs_ = context_->buffer(std::size_t{2} * count * sizeof(BodyPair), "pairs that touch");
  }
}

FoundPairs DeviceContacts::candidates() {
  if (count_ < 2) return {};
  return collected(most_candidates(count_), [&](int room) {
    find_touching_(over(count_), as_int(count_), begin_, end_, boxes_, tree_, found_, room, pairs_);
  });
}

BodyPairs DeviceContacts::near(const DeviceState& state, std::span<const Stray> strayed) {
  if (strayed.empty()) return {};
  std::vector<std::uint32_t> numbers;
  for (const Stray& stray : strayed) numbers.push_back(stray.body);
  const SomeStates states = states_of(state, numbers);
  std::vector<std::array<float, 4>> begin(strayed.size()), end(strayed.size());
  for (std::size_t k = 0; k < strayed.size(); ++k) {
    const Vec3 last = states.places[k] - middle_.place;
    const Vec3 first = last - duration_ * states.velocities[k];
    constexpr double looked = 1 + looked_beyond;
    const double reach = looked * radii_[numbers[k]] + strayed[k].distance;
    const float hidden =
        static_cast<float>(looked) * rounding * std::max(largest(first), largest(last));
    begin[k] = {static_cast<float>(first.x), static_cast<float>(first.y),
                static_cast<float>(first.z), static_cast<float>(reach) * (1 + rounding) + hidden};
    end[k] = {static_cast<float>(last.x), static_cast<float>(last.y), static_cast<float>(last.z),
              std::bit_cast<float>(numbers[k])};
  }
  const std::size_t bytes = strayed.size() * sizeof(begin[0]);
  at_least(stray_begin_, bytes, "strayed bodies")
      .write(std::span<const std::array<float, 4>>(begin));
  at_least(stray_end_, bytes, "strayed bodies").write(std::span<const std::array<float, 4>>(end));
  // bodies that walls throw far may have to be looked at with everybody; no heap is in the way
  const std::size_t most = std::min(strayed.size() * count_, most_counted);
  const auto [touching, close] = collected(most, [&](int room) {
    find_near_(over(strayed.size()), as_int(strayed.size()), stray_begin_, stray_end_,
               as_int(count_), begin_, end_, boxes_, tree_, found_, room, pairs_);
  });
  BodyPairs all;
  all.reserve(touching.size() + close.size());
  std::ranges::set_union(touching, close, std::back_inserter(all));
  return all;
}

std::vector<std::uint32_t> DeviceContacts::beyond(const DeviceState& state, const Box& walls) {
  if (count_ == 0) return {};
  at_least(numbers_, count_ * sizeof(std::uint32_t), "numbers of bodies");
  found_.clear();
  const Box inside = inside_of(walls, state.wide() ? 1e-12 : 2e-6);
  const auto scalar = [&](std::size_t k) { return state.scalar(inside[k]); };
  find_beyond_(over(count_), as_int(count_), state.place, radius_, scalar(0), scalar(1), scalar(2),
               scalar(3), scalar(4), scalar(5), found_, as_int(count_), numbers_);
  std::uint32_t count = 0;
  found_.read(std::span<std::uint32_t>(&count, 1));
  std::vector<std::uint32_t> numbers(count);
  if (count > 0) numbers_.read(std::span(numbers));
  std::ranges::sort(numbers);
  return numbers;
}

void DeviceContacts::write_numbers(std::span<const std::uint32_t> numbers) {
  at_least(numbers_, numbers.size() * sizeof(std::uint32_t), "numbers of bodies").write(numbers);
}

SomeStates DeviceContacts::states_of(const DeviceState& state,
                                     std::span<const std::uint32_t> numbers) {
  if (numbers.empty()) return {};
  write_numbers(numbers);
  at_least(states_, 2 * numbers.size() * state.entry_bytes(), "states of bodies");
  gather_(over(numbers.size()), as_int(numbers.size()), numbers_, state.place, state.velocity,
          states_);
  const auto both = vectors_in(states_, 2 * numbers.size(), state.wide());
  SomeStates out;
  for (std::size_t k = 0; k < both.size(); k += 2) {
    out.places.push_back(both[k]), out.velocities.push_back(both[k + 1]);
  }
  return out;
}

template <class Number>
std::vector<Number> DeviceContacts::packed(const SomeStates& states) const {
  std::vector<Number> quads(8 * states.places.size());
  for (std::size_t k = 0; k < states.places.size(); ++k) {
    const auto put = [&](std::size_t at, Vec3 v) {
      quads[at] = static_cast<Number>(v.x), quads[at + 1] = static_cast<Number>(v.y);
      quads[at + 2] = static_cast<Number>(v.z);
    };
    put(8 * k, states.places[k]), put(8 * k + 4, states.velocities[k]);
  }
  return quads;
}

void DeviceContacts::change(DeviceState& state, std::span<const std::uint32_t> numbers,
                            const SomeStates& states) {
  if (numbers.empty()) return;
  write_numbers(numbers);
  at_least(states_, 2 * numbers.size() * state.entry_bytes(), "states of bodies");
  if (state.wide()) {
    states_.write(std::span<const double>(packed<double>(states)));
  } else {
    states_.write(std::span<const float>(packed<float>(states)));
  }
  scatter_(over(numbers.size()), as_int(numbers.size()), numbers_, states_, state.place,
           state.velocity);
}

}  // namespace apsis
