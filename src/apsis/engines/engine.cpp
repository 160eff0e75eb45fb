// SPDX-License-Identifier: MIT
#include <apsis/contacts/stored_paths.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine.hpp>

#include <utility>

namespace apsis {

Engine::Engine(const EngineSettings& settings)
    : external_(settings.external),
      has_external_(any_acts(external_)),
      gravity_(law_of(settings.force).constant),
      law_(law_of(settings.force).law),
      contacts_(settings.contacts) {}

// In double from the stored positions, whatever the engine computes in: a small sum beside that of
// the pairs.
Energies Engine::energies(double time) {
  Energies out = pair_energies();
  if (!has_external_) return out;
  Bodies bodies;
  store(bodies);
  out.potential += external_energy(external_, bodies, time, gravity_, 0);
  return out;
}

Accelerations Engine::accelerations(double time) {
  Accelerations out = pair_accelerations();
  if (!has_external_) return out;
  Bodies bodies;
  store(bodies);
  add_external(external_, bodies, time, gravity_, 0, out);
  return out;
}

std::vector<double> Engine::potentials(double time) {
  std::vector<double> out = pair_potentials();
  if (!has_external_ || law_ != Law::gravity) return out;
  Bodies bodies;
  store(bodies);
  add_external_potentials(external_, bodies, time, gravity_, 0, out);
  return out;
}

std::vector<double> Engine::pair_potentials() {
  throw Error(ExitCode::unavailable, "potentials of single bodies on several devices or ranks",
              "use one device");
}

void Engine::change(std::span<const std::uint32_t> numbers, const Bodies& states) {
  Bodies all;
  store(all);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    all.set_position(numbers[k], states.position(k));
    all.set_velocity(numbers[k], states.velocity(k));
  }
  replace(all);
}

ContactSource Engine::contact_source(double duration, const std::optional<Box>& walls) {
  Bodies bodies;
  store(bodies);
  return contact_source_of(std::move(bodies), nullptr, duration, walls, search_of(contacts_),
                           thread_count(0));
}

}  // namespace apsis
