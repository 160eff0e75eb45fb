// SPDX-License-Identifier: MIT
// A checkpoint of the right form with odd contents, chosen by the fuzzer: it is taken apart into
// complete values, and its state put into an engine, or it is refused. Specs alone go the same way.
#include "strange_checkpoint.hpp"
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run_past.hpp>
#include <apsis/sim/run_spec.hpp>

#include <cstdlib>
#include <span>

namespace apsis {
namespace {

// What a run of eight bodies leaves at its third step.
Checkpoint good_checkpoint() {
  RunSpec spec;
  set_key(spec, "initial.model=plummer"), set_key(spec, "initial.bodies=8");
  set_key(spec, "device.name=cpu"), set_key(spec, "force.solver=direct");
  const PreparedRun run = prepare_run(spec, nullptr);
  Checkpoint c;
  c.step = 3, c.time = 0.03, c.next_snapshot = 1;
  c.spec_toml = to_toml(run.spec);
  c.logs = {{"energy.csv", 1000}};
  c.notes = {{"version", "0.1.0 x"},    {"start_time", "0"}, {"energy_error", "0"},
             {"bit_identical", "true"}, {"left_open", ""},   {"warnings", "[]"}};
  c.state = run.engine->save_state();
  return c;
}

// All that resume_run does before it touches the folder.
void take_apart(std::span<const std::byte> file) {
  const Checkpoint checkpoint = parse_checkpoint(file);
  const RunPast past = past_in(checkpoint, "fuzzed");
  const RunSpec spec = parse_run_spec(checkpoint.spec_toml, "fuzzed");
  require_complete(spec, checkpoint, "fuzzed");
  plan_of(spec, past.start_time);
  require_sound(checkpoint.state, *spec.device.precision);
  recorded_in(spec);
  const auto engine =
      make_engine({.force = forces(law_of(spec), "direct"),
                   .device = {.name = "cpu", .precision = *spec.device.precision, .threads = 1}});
  engine->restore_state(checkpoint.state);
  to_toml(spec);
}

}  // namespace
}  // namespace apsis

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace apsis;
  static const Checkpoint good = good_checkpoint();
  testing::Choices choices(std::as_bytes(std::span(data, size)));
  try {
    take_apart(encode_checkpoint(testing::strange_checkpoint(good, choices)));
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) std::abort();
  }
  return 0;
}
