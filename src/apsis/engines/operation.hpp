// SPDX-License-Identifier: MIT
// What an engine can do with its state, as a value. Integrators make operations and engines apply
// them; whoever stands in between (ranks, several devices) hands them on without a look at their
// kinds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

// All bodies, or some of them by their numbers in the user's order. Copies share the numbers, so
// that the operations of a step can have one set.
class ActiveBodies {
 public:
  ActiveBodies() = default;                                      // all
  static ActiveBodies only(std::vector<std::uint32_t> numbers);  // in any order

  bool all() const { return numbers_ == nullptr; }
  // Ascending and each once; none where all are meant.
  std::span<const std::uint32_t> numbers() const {
    return all() ? std::span<const std::uint32_t>{} : std::span(*numbers_);
  }
  friend bool operator==(const ActiveBodies& a, const ActiveBodies& b) {
    return a.numbers_ == b.numbers_ || (a.numbers_ && b.numbers_ && *a.numbers_ == *b.numbers_);
  }

 private:
  std::shared_ptr<const std::vector<std::uint32_t>> numbers_;
};

// A slot keeps positions, velocities and accelerations; Runge-Kutta schemes need four. The last one
// is the loop's, for steps that may have to be undone.
inline constexpr int slot_count = 5;
inline constexpr int undo_slot = slot_count - 1;
inline constexpr int most_terms = 4;
struct SlotTerm {
  int slot = 0;
  double coefficient = 0;
  friend bool operator==(const SlotTerm&, const SlotTerm&) = default;
};

struct Operation {
  enum class Kind : unsigned char {
    drift,  // x += v dt
    kick,   // v += a dt
    // Brings accelerations, and jerks where they are wanted, up to date with the positions; free
    // where they already are. Of some bodies: by the pull of all.
    accelerate,
    // Whether accelerations come with the potential, because energies will be asked for at the same
    // positions: a little more in the same pass instead of a second one. An engine may ignore it.
    keep_potential,
    save,     // the state into a slot
    combine,  // x = x_slot + Σ c v_term, v = v_slot + Σ c a_term
    // Hermite: from the last accepted state by Taylor series, and back from the new derivatives.
    // Where a body was moved otherwise since, it starts from the state that it is in.
    predict,
    correct,
    accept,  // the corrected state becomes the one that the next prediction starts from
    // A whole step of length dt by a scheme that the engine has for itself: forces and update
    // in one, as kernels of courses have it. Other engines refuse it.
    advance
  };

  Kind kind = Kind::drift;
  bool with_jerk = false;  // accelerate
  bool keep = false;       // keep_potential
  int slot = 0;            // save; combine: the base
  double dt = 0;           // drift, kick, predict, correct, advance
  double time = 0;         // accelerate: at which the forces are wanted
  int term_count = 0;
  std::array<SlotTerm, most_terms> term{};  // combine: at most one a slot
  ActiveBodies active;

  static Operation drift(double dt, ActiveBodies active = {}) {
    return lasting(Kind::drift, dt, std::move(active));
  }
  static Operation kick(double dt, ActiveBodies active = {}) {
    return lasting(Kind::kick, dt, std::move(active));
  }
  static Operation accelerate(double time, ActiveBodies active = {}) {
    Operation operation = lasting(Kind::accelerate, 0, std::move(active));
    operation.time = time;
    return operation;
  }
  static Operation accelerate_with_jerk(double time, ActiveBodies active = {}) {
    Operation operation = accelerate(time, std::move(active));
    operation.with_jerk = true;
    return operation;
  }
  static Operation keep_potential(bool keep) {
    Operation operation;
    operation.kind = Kind::keep_potential, operation.keep = keep;
    return operation;
  }
  static Operation save(int slot, ActiveBodies active = {}) {
    Operation operation = lasting(Kind::save, 0, std::move(active));
    operation.slot = slot;
    return operation;
  }
  static Operation combine(int base, std::initializer_list<SlotTerm> terms,
                           ActiveBodies active = {});
  static Operation predict(double dt, ActiveBodies active = {}) {
    return lasting(Kind::predict, dt, std::move(active));
  }
  static Operation correct(double dt, ActiveBodies active = {}) {
    return lasting(Kind::correct, dt, std::move(active));
  }
  static Operation accept(ActiveBodies active = {}) {
    return lasting(Kind::accept, 0, std::move(active));
  }
  static Operation advance(double dt) { return lasting(Kind::advance, dt, {}); }

  std::span<const SlotTerm> terms() const {
    return std::span(term).first(static_cast<std::size_t>(term_count));
  }
  bool changes_positions() const {
    return kind == Kind::drift || kind == Kind::combine || kind == Kind::predict ||
           kind == Kind::correct || kind == Kind::advance;
  }
  bool changes_velocities() const {
    return kind == Kind::kick || (changes_positions() && kind != Kind::drift);
  }

  friend bool operator==(const Operation&, const Operation&) = default;

 private:
  // Inline, like the makers: of few bodies a step takes half a microsecond.
  static Operation lasting(Kind kind, double dt, ActiveBodies active) {
    Operation operation;
    operation.kind = kind, operation.dt = dt, operation.active = std::move(active);
    return operation;
  }
};

std::string_view name_of(Operation::Kind kind);

// unavailable where one of them is meant for some bodies alone: for engines, called `who`, that
// can only advance all together.
void require_all_active(std::span<const Operation> operations, std::string_view who);
// What engines without a scheme of their own say to advance: our mistake.
[[noreturn]] void refuse_to_advance(std::string_view who);

}  // namespace apsis
