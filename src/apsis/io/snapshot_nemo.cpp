// SPDX-License-Identifier: MIT
// Reads NEMO's snapshots: sets SnapShot { Parameters { Nobj, Time }, Particles { … } } in a
// structured file, after its history. Programs of NEMO write several into one file, masses into the
// first alone, and between them such without bodies, which hold energies.
#include <apsis/core/error.hpp>
#include <apsis/io/nemo_items.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace apsis {
namespace {

using Items = std::vector<NemoItem>;
using Dimensions = std::vector<std::uint64_t>;

constexpr std::int64_t cartesian_in_3d = (1 << 16) + (3 << 8) + 2;

std::size_t after(const Items& items, std::size_t i) {
  return items[i].type == '(' ? items[i].end : i + 1;
}

// What a set holds under that name, itself and not in a set within it; null where there is none.
const NemoItem* find(const Items& items, const NemoItem* set, std::string_view tag) {
  if (set == nullptr || set->type != '(') return nullptr;
  const auto first = static_cast<std::size_t>(set - items.data()) + 1;
  for (std::size_t i = first; i < set->end; i = after(items, i)) {
    if (items[i].tag == tag) return &items[i];
  }
  return nullptr;
}

// One set SnapShot.
struct State {
  const NemoItem *parameters = nullptr, *particles = nullptr;
};

class Reader {
 public:
  Reader(const Items& items, const std::string& name, ReadLimits limits)
      : items_(items), name_(name), limits_(limits) {}

  Snapshot read() {
    find_states();
    if (states_.empty()) {
      throw bad_data(fmt::format("{} holds no SnapShot with places of bodies", name_),
                     "give a snapshot; energies and other tables of NEMO are none");
    }
    require_frame(limits_.frame, states_.size(), name_);
    const std::size_t which =
        limits_.frame > 0 ? static_cast<std::size_t>(limits_.frame) - 1 : states_.size() - 1;
    Snapshot snapshot = read_state(which);
    snapshot.frames = states_.size();
    take_history(snapshot);
    return snapshot;
  }

 private:
  void find_states() {
    for (std::size_t i = 0; i < items_.size(); i = after(items_, i)) {
      if (items_[i].tag != "SnapShot") continue;
      const State state{find(items_, &items_[i], "Parameters"),
                        find(items_, &items_[i], "Particles")};
      if (state.particles == nullptr) continue;
      const bool placed = find(items_, state.particles, "PhaseSpace") != nullptr ||
                          find(items_, state.particles, "Position") != nullptr;
      if (placed || bodies_in(state) == 0) states_.push_back(state);
    }
  }

  std::uint64_t bodies_in(const State& state) const {
    const NemoItem* count = find(items_, state.parameters, "Nobj");
    if (count == nullptr) count = find(items_, state.parameters, "NBody");  // of ZENO
    if (count == nullptr || !count->holds_whole_numbers() || !count->dimensions.empty()) {
      throw bad_data(fmt::format("{}: a SnapShot does not say its number of bodies (Nobj)", name_),
                     "the file is no snapshot of NEMO's: get it anew");
    }
    const std::int64_t bodies = count->whole(0);
    if (bodies >= 0) return static_cast<std::uint64_t>(bodies);
    throw bad_data(fmt::format("{}: a SnapShot with {} bodies", name_, bodies), "mend the file");
  }

  Snapshot read_state(std::size_t which) {
    const State& state = states_[which];
    const std::uint64_t n = bodies_in(state);
    require_fits(n, name_, limits_);
    require_cartesian(state);
    Snapshot snapshot;
    snapshot.time = time_of(state);
    snapshot.units_assumed = true;  // the format has none
    snapshot.not_given = {"id"};
    if (n == 0) return snapshot;
    place(state, n, snapshot);
    take_masses(which, n, snapshot);
    take_fields(state, n, snapshot);
    take_keys(state, n, snapshot);
    return snapshot;
  }

  double time_of(const State& state) const {
    const NemoItem* item = find(items_, state.parameters, "Time");
    if (item == nullptr) return 0;
    if (!item->holds_reals() || !item->dimensions.empty()) refuse_form(*item, {});
    const double time = item->real(0);
    if (std::isfinite(time)) return time;
    throw bad_data(fmt::format("{}: time {} is not a number", name_, time), "mend the file");
  }

  void require_cartesian(const State& state) const {
    const NemoItem* item = find(items_, state.particles, "CoordSystem");
    if (item == nullptr) return;  // then NEMO takes them so, too
    if (!item->holds_whole_numbers() || !item->dimensions.empty()) refuse_form(*item, {});
    const std::int64_t code = item->whole(0);
    if (code == cartesian_in_3d) return;
    const std::int64_t type = (code >> 16) & 255, dimensions = (code >> 8) & 255;
    const char* kind = type == 1   ? "Cartesian"
                       : type == 2 ? "spherical"
                       : type == 3 ? "scattering"
                                   : "unknown";
    throw bad_data(fmt::format("{}: CoordSystem {:#o} ({} coordinates in {} dimensions) is not "
                               "Cartesian in 3",
                               name_, code, kind, dimensions),
                   "transform it in NEMO first");
  }

  // Of real numbers, as many as that.
  const NemoItem& checked(const NemoItem& item, const Dimensions& dimensions) const {
    if (!item.holds_reals() || item.dimensions != dimensions) refuse_form(item, dimensions);
    return item;
  }
  const NemoItem* checked_field(const State& state, std::string_view tag,
                                const Dimensions& dimensions) const {
    const NemoItem* item = find(items_, state.particles, tag);
    return item != nullptr ? &checked(*item, dimensions) : nullptr;
  }

  [[noreturn]] void refuse_form(const NemoItem& item, const Dimensions& dimensions) const {
    const auto form = [](const Dimensions& d) {
      return d.empty() ? std::string("one value") : fmt::format("{} values", fmt::join(d, " x "));
    };
    throw bad_data(fmt::format("{}: {} has {} of type '{}', where {} of type 'f' or 'd' are due",
                               name_, item.tag, form(item.dimensions), item.type, form(dimensions)),
                   "the file is no snapshot of NEMO's: get it anew");
  }

  // Bodies with places and velocities. Nothing is allocated before the file is known to have them.
  void place(const State& state, std::uint64_t n, Snapshot& snapshot) const {
    const auto fill = [&](Vectors& to, const NemoItem& from, std::uint64_t first,
                          std::uint64_t stride) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        const std::uint64_t at = stride * i + first;
        to.set(i, {from.real(at), from.real(at + 1), from.real(at + 2)});
      }
    };
    Bodies& bodies = snapshot.bodies;
    if (const NemoItem* both = checked_field(state, "PhaseSpace", {n, 2, 3})) {
      bodies = Bodies(static_cast<std::size_t>(n));
      fill(bodies.positions, *both, 0, 6);
      fill(bodies.velocities, *both, 3, 6);
      return;
    }
    const NemoItem* places = checked_field(state, "Position", {n, 3});
    const NemoItem* velocities = checked_field(state, "Velocity", {n, 3});
    bodies = Bodies(static_cast<std::size_t>(n));
    fill(bodies.positions, *places, 0, 3);
    if (velocities != nullptr) {
      fill(bodies.velocities, *velocities, 0, 3);
    } else {
      snapshot.not_given.emplace_back("velocity");
    }
  }

  // Its own, or those of the last one before it that has any.
  void take_masses(std::size_t which, std::uint64_t n, Snapshot& snapshot) const {
    for (std::size_t i = which + 1; i-- > 0;) {
      const NemoItem* item = find(items_, states_[i].particles, "Mass");
      if (item == nullptr) continue;
      checked(*item, {n});
      for (std::size_t k = 0; k < n; ++k) snapshot.bodies.mass[k] = item->real(k);
      return;
    }
    std::ranges::fill(snapshot.bodies.mass, 1.0);
    snapshot.not_given.emplace_back("mass");
  }

  void take_fields(const State& state, std::uint64_t n, Snapshot& snapshot) const {
    if (const NemoItem* item = checked_field(state, "Potential", {n})) {
      snapshot.potential.resize(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < n; ++i) snapshot.potential[i] = item->real(i);
    }
    if (const NemoItem* item = checked_field(state, "Acceleration", {n, 3})) {
      snapshot.accelerations = Accelerations(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < n; ++i) {
        snapshot.accelerations.set(
            i, {item->real(3 * i), item->real(3 * i + 1), item->real(3 * i + 2)});
      }
    }
    const NemoItem* softening = checked_field(state, "Eps", {n});
    if (softening == nullptr) return;
    // one for all is the law's; bodies with softenings of their own have no place here
    const double first = softening->real(0);
    for (std::size_t i = 1; i < n; ++i) {
      if (softening->real(i) != first) return;
    }
    if (first >= 0 && std::isfinite(first)) snapshot.law.softening = first;
  }

  // Whole numbers of the user's, which are ids where no two bodies have the same.
  void take_keys(const State& state, std::uint64_t n, Snapshot& snapshot) const {
    const NemoItem* item = find(items_, state.particles, "Key");
    if (item == nullptr || !item->holds_whole_numbers() || item->dimensions != Dimensions{n}) {
      return;
    }
    std::vector<std::uint64_t> ids(static_cast<std::size_t>(n));
    bool positive = true, all_zero = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t key = item->whole(i);
      positive = positive && key >= 0;
      all_zero = all_zero && key == 0;
      ids[i] = static_cast<std::uint64_t>(key);
    }
    if (all_zero && n > 1) return;  // which programs write that have none
    if (positive && std::unordered_set<std::uint64_t>(ids.begin(), ids.end()).size() == n) {
      snapshot.bodies.id = std::move(ids);
      std::erase(snapshot.not_given, "id");
      return;
    }
    snapshot.warnings.push_back(
        {WarningCode::ids_dropped,
         fmt::format("{}: Key is {}, so it gives no ids: bodies are numbered from 0", name_,
                     positive ? "the same for several bodies" : "negative for some bodies")});
  }

  // The commands that made the file, as its programs wrote them.
  void take_history(Snapshot& snapshot) const {
    std::string commands;
    for (std::size_t i = 0; i < items_.size(); i = after(items_, i)) {
      const NemoItem& item = items_[i];
      if (item.type != 'c' || (item.tag != "History" && item.tag != "Headline")) continue;
      if (!commands.empty()) commands += '\n';
      for (const std::byte byte : item.data) {
        if (byte == std::byte{0}) break;
        const auto letter = static_cast<char>(byte);
        commands += letter >= ' ' && letter < 127 ? letter : '?';
      }
    }
    if (!commands.empty()) snapshot.provenance = {{"history", std::move(commands)}};
  }

  const Items& items_;
  const std::string& name_;
  ReadLimits limits_;
  std::vector<State> states_;
};

bool looks_like_nemo(std::span<const std::byte> beginning, std::uint64_t /*length*/) {
  return nemo_start(beginning).has_value();
}

std::string flavour(std::span<const std::byte> bytes) {
  const auto start = nemo_start(bytes);
  const bool big = start && start->swap != (std::endian::native == std::endian::big);
  return fmt::format("NEMO, {}-endian", big ? "big" : "little");
}

}  // namespace

Snapshot parse_nemo(std::span<const std::byte> bytes, const std::string& name, ReadLimits limits) {
  if (!nemo_start(bytes)) {
    throw bad_data(
        fmt::format("{} is no NEMO file: it does not begin with an item of a structured file",
                    name),
        "check the file, or give it the ending of its format");
  }
  const Items items = nemo_items(bytes, name, memory_limit(limits));
  return Reader(items, name, limits).read();
}

SnapshotFormat nemo_format() {
  return {.name = "NEMO",
          .endings = {".nemo"},
          .summary = "snapshots of NEMO's programs, of either byte order, in float or double",
          .looks_like = looks_like_nemo,
          .read = parse_nemo,
          .flavour = flavour};
}

}  // namespace apsis
