// SPDX-License-Identifier: MIT
// Inside mpi/: what rank 0 tells the others. Operations are sent in batches, and handed to the
// engines there as they are; a batch ends with the first question.
#pragma once

#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/files/file.hpp>
#include <apsis/mpi/communicator.hpp>
#include <apsis/mpi/rank_engine.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace apsis::mpi {

enum class Question : int {
  none,
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
  leave  // no question, and no batch after it
};

struct Batch {
  static constexpr std::size_t most = 24;  // operations that are collected
  std::vector<Operation> operations;
  Question question = Question::none;  // asked after them
  std::uint64_t step = 0;              // write_part
  Bytes payload;                       // that belongs to the question
};

// At rank 0, and at all others.
void tell(Communicator& ranks, const Batch& batch);
Batch told(Communicator& ranks);

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

// For messages. Ranks are of one build, so that their bytes need no version.
Bytes encoded(const Batch& batch);
Batch decoded_batch(std::span<const std::byte> bytes);
Bytes encoded(const RankTask& task);
RankTask decoded_task(std::span<const std::byte> bytes);
Bytes encoded(const Resolution& resolution);
Resolution decoded_resolution(std::span<const std::byte> bytes);
Bytes encoded(const EngineState& state);
EngineState decoded_state(std::span<const std::byte> bytes);

}  // namespace apsis::mpi
