// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/operation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis {

ActiveBodies ActiveBodies::only(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  ActiveBodies active;
  active.numbers_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(numbers));
  return active;
}

Operation Operation::combine(int base, std::initializer_list<SlotTerm> terms, ActiveBodies active) {
  if (terms.size() > std::size_t{most_terms}) {
    throw Error(ExitCode::internal_error, fmt::format("combine of {} slots", terms.size()));
  }
  Operation operation = lasting(Kind::combine, 0, std::move(active));
  operation.slot = base;
  operation.term_count = static_cast<int>(terms.size());
  std::copy(terms.begin(), terms.end(), operation.term.begin());
  return operation;
}

std::string_view name_of(Operation::Kind kind) {
  using Kind = Operation::Kind;
  switch (kind) {
    case Kind::drift:
      return "drift";
    case Kind::kick:
      return "kick";
    case Kind::accelerate:
      return "accelerate";
    case Kind::keep_potential:
      return "keep_potential";
    case Kind::save:
      return "save";
    case Kind::combine:
      return "combine";
    case Kind::predict:
      return "predict";
    case Kind::correct:
      return "correct";
    case Kind::accept:
      return "accept";
    case Kind::advance:
      break;
  }
  return "advance";
}

void require_all_active(std::span<const Operation> operations, std::string_view who) {
  const auto some = std::ranges::find_if(
      operations, [](const Operation& operation) { return !operation.active.all(); });
  if (some == operations.end()) return;
  throw Error(ExitCode::unavailable,
              fmt::format("{} of {} bodies alone: {} advance all bodies together",
                          name_of(some->kind), some->active.numbers().size(), who),
              "use device cpu in one process");
}

void refuse_to_advance(std::string_view who) {
  throw Error(ExitCode::internal_error,
              fmt::format("{} have no scheme of their own to advance by", who));
}

}  // namespace apsis
