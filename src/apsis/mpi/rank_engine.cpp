// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/scale.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/state_parts.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/mpi/rank_part.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apsis::mpi {

// The operations that wait, and rank 0's own part.
struct RankEngine::Inside {
  Inside(Communicator& all, const EngineSettings& wanted, std::vector<DeviceResolution> decided)
      : ranks(all), settings(wanted), recorded(std::move(decided)), part(all) {}

  void add(const Operation& operation) {
    batch.operations.push_back(operation);
    if (batch.operations.size() == Batch::most) flush();
  }
  void ask(Question question, Bytes payload = {}, const EngineState* state = nullptr,
           std::uint64_t step = 0) {
    batch.question = question, batch.step = step, batch.payload = std::move(payload);
    flush(state);
  }
  void flush(const EngineState* state = nullptr);

  Communicator& ranks;
  bool on_devices() const { return settings.device.name != "cpu"; }

  EngineSettings settings;
  std::vector<DeviceResolution> recorded;
  RankPart part;
  Batch batch;
  std::size_t bodies = 0;
  Scale scale;
};

// Whatever escapes has brought the ranks out of step: nothing but the end of all helps.
void RankEngine::Inside::flush(const EngineState* state) {
  if (batch.operations.empty() && batch.question == Question::none) return;
  std::optional<Error> failure;
  try {
    tell(ranks, batch);
    failure = part.obey(batch, state);
    batch.operations.clear();
    batch.question = Question::none, batch.payload.clear();
  } catch (const Error& error) {
    ranks.end_all_with(static_cast<int>(error.code()));
    throw;
  } catch (...) {
    ranks.end_all_with(static_cast<int>(ExitCode::internal_error));
    throw;
  }
  if (failure) throw Error(*failure);
}

RankEngine::RankEngine(Communicator& ranks, const EngineSettings& settings,
                       std::vector<DeviceResolution> recorded)
    : Engine(settings),
      ranks_(ranks),
      inside_(std::make_unique<Inside>(ranks, settings, std::move(recorded))) {}

RankEngine::~RankEngine() = default;

void RankEngine::load(const Bodies& bodies) {
  EngineSettings here = inside_->settings;
  if (inside_->on_devices()) {  // in the same units and digits
    here = {.force = forces(law_of(here.force), "direct"),
            .device = {.name = "cpu", .precision = here.device.precision}};
  }
  const auto whole = build(plan_on_cpu(here));
  whole->load(bodies);
  restore_state(whole->save_state());
}

void RankEngine::replace(const Bodies& bodies) {
  // as in a run that goes on from a checkpoint
  const Resolution now = describe();
  EngineSettings& settings = inside_->settings;
  if (solver_named(now.solver).takes_accuracy) settings.choice = now.devices.front().choice;
  if (inside_->on_devices()) {
    inside_->recorded = now.devices;
  } else {
    settings.device.variant = now.devices.front().variant;
  }
  load(bodies);
}

void RankEngine::store(Bodies& bodies) {
  inside_->ask(Question::store);
  bodies = std::move(inside_->part.answers().bodies);
}

void RankEngine::apply(std::span<const Operation> operations) {
  require_all_active(operations, "ranks");
  for (const Operation& operation : operations) inside_->add(operation);
}

void RankEngine::finish() { inside_->flush(); }

// In the order of the bodies, whatever rank they are at: as one engine does it. Of devices one has
// added up.
Energies RankEngine::pair_energies() {
  inside_->ask(Question::energies);
  const Answers& all = inside_->part.answers();
  if (inside_->on_devices()) return all.energies;
  const int threads = describe().threads;
  Energies out = motion(all.bodies, threads);
  const double sum = ordered_sum<double>(all.potential_terms.size(), threads,
                                         [&](std::size_t i) { return all.potential_terms[i]; });
  out.potential = potential_energy(law_of(inside_->settings.force), inside_->scale, sum);
  return out;
}

Accelerations RankEngine::pair_accelerations() {
  inside_->ask(Question::accelerations);
  return std::move(inside_->part.answers().accelerations);
}

bool RankEngine::finite() {
  inside_->ask(Question::finite);
  return inside_->part.answers().finite;
}

Instruments RankEngine::instruments() {
  Instruments out;
  if (!inside_->on_devices()) return out;
  out.kernel_seconds = [this] {
    inside_->ask(Question::kernel_seconds);
    return inside_->part.answers().kernel_seconds;
  };
  return out;
}

std::vector<RankCost> RankEngine::costs() {
  inside_->ask(Question::costs);
  return std::move(inside_->part.answers().costs);
}

int RankEngine::take_signal() { return std::exchange(inside_->part.answers().signal, 0); }

bool RankEngine::gives_jerk() const { return inside_->part.engine().gives_jerk(); }

Resolution RankEngine::describe() const {
  Resolution out = inside_->part.engine().describe();
  out.bodies = inside_->bodies;
  out.ranks = ranks();
  if (inside_->on_devices()) {
    out.devices = inside_->part.answers().devices;
  } else {
    out.devices.front().bodies = inside_->bodies;
  }
  return out;
}

EngineState RankEngine::save_state() {
  inside_->ask(Question::save_state);
  return std::move(inside_->part.answers().state);
}

void RankEngine::restore_state(const EngineState& state) {
  // what is wrong with its arrays is said before anybody waits
  require_sound(state, inside_->settings.precision());
  Bodies constants;
  take_constants(state, law_of(inside_->settings.force).law, inside_->scale, constants);
  inside_->bodies = state.bodies;
  const RankTask task{inside_->settings, inside_->recorded, state.bodies};
  inside_->ask(Question::restore, encoded(task), &state);
}

void RankEngine::share_out() { inside_->ask(Question::share_out); }

std::vector<CheckpointPart> RankEngine::write_parts(const std::filesystem::path& folder,
                                                    std::uint64_t step) {
  const std::string path = std::filesystem::absolute(folder).string();
  const auto bytes = bytes_of(path);
  inside_->ask(Question::write_part, {bytes.begin(), bytes.end()}, nullptr, step);
  auto parts = std::move(inside_->part.answers().parts);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto file = checkpoint_part_file(folder, step, p, parts.size());
    if (file_exists(file)) continue;
    throw file_error(fmt::format("rank {} wrote {}, which is not seen at rank 0", p, file.string()),
                     "choose a folder on a disk that all machines share with --out");
  }
  return parts;
}

EngineSettings settings_on_ranks(EngineSettings settings) {
  // of two sets, what meets each pair once would sum in another order
  const bool one_sided =
      settings.force.solver == "direct" && settings.device.reproducible &&
      settings.precision() != Precision::f64 &&
      (settings.device.variant.empty() || settings.device.variant == "simd-symmetric");
  const auto variants = direct_host_variants();
  if (one_sided && std::find(variants.begin(), variants.end(), "simd") != variants.end()) {
    settings.device.variant = "simd";
  }
  settings.device.name = "cpu";
  return settings;
}

Leader::~Leader() {
  if (ranks_.broken()) return;
  try {
    Batch batch;
    batch.question = Question::leave;
    tell(ranks_, batch);
  } catch (...) {
    ranks_.end_all_with(static_cast<int>(ExitCode::unavailable));
  }
}

void follow(Communicator& ranks, const std::function<int()>& signal) {
  RankPart part(ranks, signal);
  follow(ranks, part);
}

void follow(Communicator& ranks, RankPart& part) {
  for (Batch batch = told(ranks); batch.question != Question::leave; batch = told(ranks)) {
    part.obey(batch);  // rank 0 tells what failed
  }
}

}  // namespace apsis::mpi
