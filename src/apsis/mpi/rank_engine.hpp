// SPDX-License-Identifier: MIT
// An engine whose bodies are spread over ranks. Rank 0 drives it like any other; the others apply
// what it applies until they are dismissed. Integrators, observers and runs see no difference.
#pragma once

#include <apsis/engines/engine_factory.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/mpi/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace apsis::mpi {

// What a rank did since it was last asked.
struct RankCost {
  double computing = 0;  // seconds
  std::uint64_t messages = 0, bytes = 0, meetings = 0;
};

// At rank 0. `recorded` is what was decided before about the devices of all ranks; where there are
// now other devices, it holds only if it is the same for all of them.
// All choices must be made in `settings`: solver, precision and what an approximate
// solver takes for its accuracy; the device is cpu, or words that each rank finds its devices by
// (device_choice.hpp).
class RankEngine final : public Engine {
 public:
  RankEngine(Communicator& ranks, const EngineSettings& settings,
             std::vector<DeviceResolution> recorded = {});
  RankEngine(const RankEngine&) = delete;
  RankEngine& operator=(const RankEngine&) = delete;
  ~RankEngine() override;

  void load(const Bodies& bodies) override;
  void store(Bodies& bodies) override;
  void replace(const Bodies& bodies) override;
  using Engine::apply;
  void apply(std::span<const Operation> operations) override;
  void finish() override;
  Energies pair_energies() override;
  Accelerations pair_accelerations() override;
  bool finite() override;
  bool gives_jerk() const override;
  Resolution describe() const override;
  Instruments instruments() override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

  int ranks() const { return ranks_.size(); }
  // Of devices: deals out the bodies by measured speed, before anything has moved.
  void share_out();
  std::vector<RankCost> costs();  // by rank
  // A signal that came to another rank, which was handed on with the last answer to finite(); 0
  // where there was none.
  int take_signal();
  // Each rank writes the part of the checkpoint of this step that it holds. file_error where a
  // rank's file is not seen here, because the folder is not on a disk that all share.
  std::vector<CheckpointPart> write_parts(const std::filesystem::path& folder, std::uint64_t step);

 private:
  struct Inside;
  Communicator& ranks_;
  std::unique_ptr<Inside> inside_;
};

// Cores of this machine over its ranks.
int threads_per_rank(const Communicator& ranks);

// What native ranks make of wishes: sums in an order that does not depend on their number where the
// run shall be reproducible.
EngineSettings settings_on_ranks(EngineSettings settings);

// At every other rank: obeys the engines of rank 0, one after the other, until rank 0 leads no
// more. `signal` is asked for what shall be handed on to rank 0, a signal's number or 0.
void follow(Communicator& ranks, const std::function<int()>& signal = {});

// At rank 0, for as long as the others shall follow.
class Leader {
 public:
  explicit Leader(Communicator& ranks) : ranks_(ranks) {}
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  ~Leader();

 private:
  Communicator& ranks_;
};

}  // namespace apsis::mpi
