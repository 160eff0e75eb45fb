// SPDX-License-Identifier: MIT
// Inside mpi/: what rank 0 tells the others. The verbs of the Engine seam are the protocol; they
// are sent in batches, which end with the first question.
#pragma once

#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/files/file.hpp>
#include <apsis/mpi/rank_engine.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace apsis::mpi {

enum class Verb : int {
  drift,
  kick,
  accelerate,
  keep_potential,
  save,
  combine,
  predict,
  correct,
  accept,
  // questions, which end a batch
  store,
  energies,
  accelerations,
  finite,
  save_state,
  write_part,
  restore,
  share_out,
  kernel_seconds,
  costs,
  leave
};
constexpr bool is_question(Verb verb) { return verb >= Verb::store; }

struct Order {
  Verb verb = Verb::leave;
  int slot = 0, terms = 0;
  bool flag = false;  // keep the potential; with jerk
  double dt = 0;
  std::uint64_t step = 0;
  std::uint64_t payload = 0;  // bytes that follow the batch
  std::array<Engine::SlotTerm, Engine::slot_count> term{};
};

struct Batch {
  static constexpr std::size_t most = 24;
  std::uint64_t count = 0;
  std::array<Order, most> orders{};

  std::span<const Order> all() const { return std::span(orders).first(count); }
  const Order& last() const { return orders[count - 1]; }
};

// What ranks are told before bodies come. settings.device.name is cpu, or words for devices.
struct RankTask {
  EngineSettings settings;
  std::vector<DeviceResolution> recorded;  // of all ranks
  std::size_t bodies = 0;
};

template <SameBut<RankTask> Task, class Visit>
void for_each_field(Task& task, const Visit& visit) {
  auto& [settings, recorded, bodies] = task;
  for_each_field(settings, visit);
  visit(FieldInfo{"recorded", "", "what was decided about devices before"}, recorded);
  visit(FieldInfo{"bodies", "", "number of bodies"}, bodies);
}

// For payloads. Ranks are of one build, so that their bytes need no version.
Bytes encoded(const RankTask& task);
RankTask decoded_task(std::span<const std::byte> bytes);
Bytes encoded(const Resolution& resolution);
Resolution decoded_resolution(std::span<const std::byte> bytes);
Bytes encoded(const EngineState& state);
EngineState decoded_state(std::span<const std::byte> bytes);

}  // namespace apsis::mpi
