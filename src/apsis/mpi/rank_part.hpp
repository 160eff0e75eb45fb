// SPDX-License-Identifier: MIT
// Inside mpi/: what every rank has and does. All ranks apply the same operations in step, each on
// its own block of the bodies; what they are asked for is gathered at rank 0.
#pragma once

#include <apsis/engines/body_order.hpp>
#include <apsis/engines/several_devices_engine.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/mpi/communicator.hpp>
#include <apsis/mpi/device_blocks.hpp>
#include <apsis/mpi/orders.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/mpi/rank_solvers.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace apsis::mpi {

// What a question brought to rank 0.
struct Answers {
  Bodies bodies;
  Accelerations accelerations;
  std::vector<double> potential_terms;
  bool finite = true;
  int signal = 0;  // that came to any rank
  EngineState state;
  std::vector<CheckpointPart> parts;
  // Of devices:
  Energies energies;
  double kernel_seconds = 0;              // of the rank whose devices computed longest
  std::vector<DeviceResolution> devices;  // of all ranks
  std::vector<RankCost> costs;
};

class RankPart {
 public:
  // `signal` gives what shall be handed on to rank 0 (see follow()).
  explicit RankPart(Communicator& ranks, std::function<int()> signal = {})
      : ranks_(ranks), signal_(std::move(signal)) {}

  // One batch from its operations to the answer. Gives what failed, the same at all ranks; throws
  // only where this rank has lost its step. `state` is what rank 0 restores.
  std::optional<Error> obey(const Batch& batch, const EngineState* state = nullptr);

  const Engine& engine() const { return *engine_; }
  Answers& answers() { return answers_; }

 private:
  void apply(std::span<const Operation> operations);
  void prepare_answer(const Batch& batch);
  void restore(std::span<const std::byte> payload, const EngineState* state);
  void build_on_cpu(EngineSettings settings);
  void save_own_state();
  void write_part(const Batch& batch);

  // On devices every rank has all bodies, and advances its block of them; they lie along a curve
  // through space where that helps the solver (device_part.cpp).
  void restore_on_devices(const RankTask& task, const EngineState* state);
  void build_on_devices(const RankTask& task, const std::vector<DeviceInfo>& devices,
                        const EngineState& whole);
  EngineState everywhere(const EngineState* state);
  void take_blocks();
  void keep_own_bodies();
  void keep_own_accelerations();
  void gather_resolutions();

  std::optional<Error> agreed_failure();
  void answer(Question question);
  void gather_bodies();
  void join(const std::vector<Bytes>& states);
  void agree_on_finite();
  void gather_parts();
  void gather_kernel_seconds();
  void gather_costs();
  // A column, or vectors, of each rank's own bodies.
  template <class Values>
  void gather(const Values& own, Values& all);
  std::vector<Bytes> gather_texts(const Bytes& own);
  // Its slice to each rank.
  Bytes scatter(const EngineState* state);
  bool leads() const { return ranks_.rank() == 0; }

  Communicator& ranks_;
  std::function<int()> signal_;
  Blocks blocks_;
  EvaluationRecord record_;
  std::unique_ptr<DeviceBlocks> others_;     // of devices; outlives the engine
  SeveralDevicesEngine* several_ = nullptr;  // the engine, where it is on devices
  BodyOrder order_;                          // that devices have the bodies in
  bool ordered_ = false;                     // otherwise than the user
  std::unique_ptr<Engine> engine_;
  Answers own_, answers_;
  bool counts_work_ = false;    // which belongs to the state then
  double computing_ = 0;        // seconds since costs were told
  Communicator::Traffic told_;  // traffic at that time
};

// Obeys the engine of rank 0 with this part until it is left; the part stays as it is.
void follow(Communicator& ranks, RankPart& part);

}  // namespace apsis::mpi
