// SPDX-License-Identifier: MIT
// Inside mpi/: what every rank has and does. All ranks perform the same orders in step, each on its
// own block of the bodies; what they are asked for is gathered at rank 0.
#pragma once

#include <apsis/engines/engine.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/mpi/communicator.hpp>
#include <apsis/mpi/orders.hpp>
#include <apsis/mpi/rank_solvers.hpp>

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
  EngineState state;
  std::vector<CheckpointPart> parts;
};

class RankPart {
 public:
  explicit RankPart(Communicator& ranks) : ranks_(ranks) {}

  // One batch from its orders to the answer. Gives what failed, the same at all ranks; throws only
  // where this rank has lost its step. `state` is what rank 0 restores.
  std::optional<Error> obey(const Batch& batch, std::span<const std::byte> payload,
                            const EngineState* state = nullptr);

  const Engine& engine() const { return *engine_; }
  Answers& answers() { return answers_; }

 private:
  void perform(const Order& order);
  void prepare_answer(const Order& order, std::span<const std::byte> payload);
  void restore(std::span<const std::byte> payload, const EngineState* state);
  void build(EngineSettings settings);
  std::optional<Error> agreed_failure();
  void answer(const Order& order);
  void gather_bodies();
  void gather_state();
  void gather_parts();
  template <class Value>
  void gather(const std::vector<Value>& own, std::vector<Value>& all);
  std::vector<Bytes> gather_texts(const Bytes& own);
  bool leads() const { return ranks_.rank() == 0; }

  Communicator& ranks_;
  Blocks blocks_;
  EvaluationRecord record_;
  std::unique_ptr<Engine> engine_;
  Answers own_, answers_;
};

}  // namespace apsis::mpi
