// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/host_engine.hpp>
#include <apsis/engines/host_external.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

using Names = std::array<const char*, 3>;
constexpr Names acceleration_names{"ax", "ay", "az"}, jerk_names{"jx", "jy", "jz"};

template <class State>
State* cleared(std::vector<State>& values) {
  std::fill(values.begin(), values.end(), State(0));
  return values.data();
}

template <class State>
void collect(std::span<const std::uint32_t> numbers, const Triple<State>& from, Triple<State>& to) {
  to.resize(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t i = numbers[k];
    to.x[k] = from.x[i], to.y[k] = from.y[i], to.z[k] = from.z[i];
  }
}

}  // namespace

template <class State>
HostEngine<State>::HostEngine(EngineSettings settings, SolverFactory make_solver)
    : Engine(settings),
      settings_(std::move(settings)),
      law_(law_of(settings_.force)),
      threads_(thread_count(settings_.device.threads)),
      make_solver_(std::move(make_solver)),
      motion_(threads_) {
  prepare_law();
}

template <class State>
void HostEngine<State>::resize(std::size_t n) {
  state_.place.resize(n), state_.velocity.resize(n), state_.acceleration.resize(n);
  scratch_.resize(n), strength_.resize(n), potential_.resize(n);
  state_.jerk = {};  // made when first asked for
  motion_.forget();
}

// Everything that follows from the law, the scale and the constants of the bodies.
template <class State>
void HostEngine<State>::prepare_law() {
  SolverSettings wanted{.force = in_units_of(scale_.length, settings_.force),
                        .device = settings_.device,
                        .choice = settings_.choice,
                        .equal_strength = {},
                        .bodies = count()};
  wanted.device.threads = threads_;
  solver_ = make_solver_(wanted);
  solver_calibrated_ = false;
  const auto& strength = strengths(constants_, law_.law);
  for (std::size_t i = 0; i < count(); ++i) {
    strength_[i] = static_cast<State>(strength[i] / scale_.strength);
  }
  const auto couplings = internal_couplings(constants_, law_, scale_);
  coupling_.assign(couplings.size(), State(0));
  for (std::size_t i = 0; i < couplings.size(); ++i) {
    coupling_[i] = static_cast<State>(couplings[i]);
  }
}

template <class State>
void HostEngine<State>::load(const Bodies& bodies) {
  resize(bodies.size());
  copy_constants(bodies, constants_);
  scale_ = scale_for(bodies, law_);
  if (settings_.precision() != Precision::f64) require_reach(bodies, scale_, reach_of_float_pairs);
  const auto copy = [&](std::span<const double> from, double unit, std::vector<State>& to) {
    parallel_for(from.size(), threads_,
                 [&](std::size_t i) { to[i] = static_cast<State>(from[i] / unit); });
  };
  copy(bodies.x(), scale_.length, state_.place.x);
  copy(bodies.y(), scale_.length, state_.place.y);
  copy(bodies.z(), scale_.length, state_.place.z);
  copy(bodies.vx(), scale_.velocity(), state_.velocity.x);
  copy(bodies.vy(), scale_.velocity(), state_.velocity.y);
  copy(bodies.vz(), scale_.velocity(), state_.velocity.z);
  prepare_law();
  freshness_ = {};
}

template <class State>
void HostEngine<State>::store(Bodies& bodies) {
  const auto copy = [&](const std::vector<State>& from, double unit, std::span<double> to) {
    parallel_for(count(), threads_,
                 [&](std::size_t i) { to[i] = static_cast<double>(from[i]) * unit; });
  };
  bodies.positions.resize(count()), bodies.velocities.resize(count());
  copy(state_.place.x, scale_.length, bodies.x());
  copy(state_.place.y, scale_.length, bodies.y());
  copy(state_.place.z, scale_.length, bodies.z());
  copy(state_.velocity.x, scale_.velocity(), bodies.vx());
  copy(state_.velocity.y, scale_.velocity(), bodies.vy());
  copy(state_.velocity.z, scale_.velocity(), bodies.vz());
  copy_constants(constants_, bodies);
}

template <class State>
void HostEngine<State>::replace(const Bodies& bodies) {
  // as a run that goes on from a checkpoint has it
  settings_.device.variant = solver_->variant();
  calibrate_solver();
  settings_.choice = solver_->chosen();
  load(bodies);
}

template <class State>
void HostEngine<State>::change(std::span<const std::uint32_t> numbers, const Bodies& states) {
  const auto set = [](Vector& t, std::size_t i, Vec3 value) {
    t.x[i] = static_cast<State>(value.x), t.y[i] = static_cast<State>(value.y);
    t.z[i] = static_cast<State>(value.z);
  };
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    set(state_.place, numbers[k], states.position(k) / scale_.length);
    set(state_.velocity, numbers[k], states.velocity(k) / scale_.velocity());
  }
  motion_.forget();
  freshness_ = {};
}

template <class State>
MovingSphere HostEngine<State>::sphere(std::size_t i, double duration) const {
  const auto at = [i](const Vector& t, double unit) {
    return Vec3{static_cast<double>(t.x[i]) * unit, static_cast<double>(t.y[i]) * unit,
                static_cast<double>(t.z[i]) * unit};
  };
  return moving_sphere(constants_, i, at(state_.place, scale_.length),
                       at(state_.velocity, scale_.velocity()), duration);
}

template <class State>
ContactSource HostEngine<State>::contact_source(double duration, const std::optional<Box>& walls) {
  if (!finder_) finder_.emplace(search_of(contacts()), threads_);
  const Paths<State> paths{.count = count(),
                           .x = state_.place.x.data(),
                           .y = state_.place.y.data(),
                           .z = state_.place.z.data(),
                           .vx = state_.velocity.x.data(),
                           .vy = state_.velocity.y.data(),
                           .vz = state_.velocity.z.data(),
                           .duration = duration / scale_.time,
                           .radius = constants_.radius.empty() ? nullptr : constants_.radius.data(),
                           .radius_unit = scale_.length};
  if (on_contact(contacts()) != OnContact::none) finder_->look_at(paths);
  ContactSource source;
  source.candidates = [this] { return finder_->candidates(); };
  source.near = [this](std::span<const Stray> strayed) {
    std::vector<Stray> internal(strayed.begin(), strayed.end());
    for (Stray& stray : internal) stray.distance /= scale_.length;
    return finder_->near(internal);
  };
  if (walls) {
    Box inside = *walls;
    for (double& side : inside) side /= scale_.length;
    source.beyond_walls = [paths, inside] { return beyond_walls(paths, inside); };
  }
  source.spheres = [this, duration](std::span<const std::uint32_t> numbers) {
    std::vector<MovingSphere> out(numbers.size());
    parallel_for(out.size(), threads_,
                 [&](std::size_t k) { out[k] = sphere(numbers[k], duration); });
    return out;
  };
  source.threads = threads_;
  return source;
}

template <class State>
void HostEngine<State>::require_there(std::span<const Operation> operations) const {
  for (const Operation& operation : operations) {
    const auto numbers = operation.active.numbers();
    if (numbers.empty() || numbers.back() < count()) continue;
    throw bad_data(fmt::format("{} of body {}: there are {} bodies, and the first is number 0",
                               name_of(operation.kind), numbers.back(), count()),
                   "name bodies by their numbers in the order that they were loaded in");
  }
}

template <class State>
void HostEngine<State>::apply(std::span<const Operation> operations) {
  require_there(operations);
  for (const Operation& operation : operations) {
    if (operation.kind == Operation::Kind::accelerate) {
      accelerate(operation);
    } else if (operation.kind == Operation::Kind::keep_potential) {
      keep_potential_ = operation.keep;
    } else {
      motion_.apply(operation, scale_.time, state_);
      freshness_.after(operation);
    }
  }
}

template <class State>
BodiesView<Host<State>> HostEngine<State>::view(bool with_velocities) const {
  BodiesView<Host<State>> v{.count = count(),
                            .x = state_.place.x.data(),
                            .y = state_.place.y.data(),
                            .z = state_.place.z.data(),
                            .strength = strength_.data()};
  if (with_velocities) {
    v.vx = state_.velocity.x.data(), v.vy = state_.velocity.y.data();
    v.vz = state_.velocity.z.data();
  }
  return v;
}

template <class State>
State HostEngine<State>::coupling_of(std::size_t body) const {
  return law_.law == Law::gravity ? coupling_[0] : coupling_[body];
}

template <class State>
void HostEngine<State>::couple(Vector& field) const {
  parallel_for(count(), threads_, [&](std::size_t i) {
    const State factor = coupling_of(i);
    field.x[i] *= factor, field.y[i] *= factor, field.z[i] *= factor;
  });
}

template <class State>
void HostEngine<State>::evaluate(Vector& field, Vector* jerk, std::vector<State>* potential) {
  Field<Host<State>> wanted{.x = cleared(field.x), .y = cleared(field.y), .z = cleared(field.z)};
  if (potential != nullptr) wanted.potential = cleared(*potential);
  if (jerk != nullptr) {
    wanted.jerk_x = cleared(jerk->x), wanted.jerk_y = cleared(jerk->y);
    wanted.jerk_z = cleared(jerk->z);
  }
  solver_->add_self_field(view(jerk != nullptr), wanted);
  solver_calibrated_ = true;
  couple(field);
  if (jerk != nullptr) couple(*jerk);
}

template <class State>
void HostEngine<State>::accelerate(const Operation& operation) {
  if (freshness_.serves(operation)) return;
  const bool jerk = operation.with_jerk;
  if (jerk) state_.jerk.resize(count());
  if (!operation.active.all()) return accelerate_some(operation);
  // where jerks are asked for, the corrector moves the bodies once more
  const bool potential = keep_potential_ && !jerk && solver_->potential_keeps_field();
  evaluate(state_.acceleration, jerk ? &state_.jerk : nullptr, potential ? &potential_ : nullptr);
  add_external_fields(operation);
  freshness_.after(operation);
  if (potential) freshness_.found_potential();
}

template <class State>
void HostEngine<State>::add_external_fields(const Operation& accelerate) {
  if (!has_external()) return;
  const ExternalUnits units{scale_.length, scale_.time, gravity()};
  add_external(external(), units, accelerate, threads_, state_);
}

template <class State>
void HostEngine<State>::calibrate_solver() {
  const SolverInfo* known = find_solver(solver_->name());
  if (solver_calibrated_ || known == nullptr || !known->takes_accuracy) return;
  evaluate(scratch_, nullptr, nullptr);
}

// The others keep the accelerations that they have. A body that meets itself among the sources
// feels nothing of it.
template <class State>
void HostEngine<State>::accelerate_some(const Operation& operation) {
  const auto numbers = operation.active.numbers();
  const bool jerk = operation.with_jerk;
  calibrate_solver();
  collect(numbers, state_.place, targets_.place);
  Targets& t = targets_;
  BodiesView<Host<State>> bodies{
      .count = numbers.size(), .x = t.place.x.data(), .y = t.place.y.data(), .z = t.place.z.data()};
  t.field.resize(numbers.size());
  Field<Host<State>> wanted{
      .x = cleared(t.field.x), .y = cleared(t.field.y), .z = cleared(t.field.z)};
  if (jerk) {
    collect(numbers, state_.velocity, t.velocity);
    bodies.vx = t.velocity.x.data(), bodies.vy = t.velocity.y.data();
    bodies.vz = t.velocity.z.data();
    t.jerk.resize(numbers.size());
    wanted.jerk_x = cleared(t.jerk.x), wanted.jerk_y = cleared(t.jerk.y);
    wanted.jerk_z = cleared(t.jerk.z);
  }
  solver_->add_field(view(jerk), bodies, wanted);
  const auto give = [&](const Vector& from, Vector& to) {
    parallel_for(numbers.size(), threads_, [&](std::size_t k) {
      const std::size_t i = numbers[k];
      const State factor = coupling_of(i);
      to.x[i] = from.x[k] * factor, to.y[i] = from.y[k] * factor, to.z[i] = from.z[k] * factor;
    });
  };
  give(t.field, state_.acceleration);
  if (jerk) give(t.jerk, state_.jerk);
  add_external_fields(operation);
  freshness_.after(operation);
}

// Where the accelerations that the next step starts with are not there yet, one pass gives both;
// but those in external fields, which go by the time that the step names.
template <class State>
void HostEngine<State>::update_potential() {
  if (freshness_.potential()) return;
  if (freshness_.stale() && solver_->potential_keeps_field() && !has_external()) {
    evaluate(state_.acceleration, nullptr, &potential_);
    freshness_.after(Operation::accelerate(0));
  } else {
    solver_->add_self_field(view(false), {.potential = cleared(potential_)});
    solver_calibrated_ = true;
  }
  freshness_.found_potential();
}

template <class State>
double HostEngine<State>::potential_energy() {
  update_potential();
  const double sum = ordered_sum<double>(count(), threads_, [&](std::size_t i) {
    return static_cast<double>(strength_[i]) * static_cast<double>(potential_[i]);
  });
  return apsis::potential_energy(law_, scale_, sum);
}

template <class State>
Energies HostEngine<State>::pair_energies() {
  Bodies bodies;
  store(bodies);
  Energies out = motion(bodies, threads_);
  out.potential = potential_energy();
  return out;
}

template <class State>
Accelerations HostEngine<State>::pair_accelerations() {
  const bool exact = freshness_.exact() && !has_external();
  if (!exact) evaluate(scratch_, nullptr, nullptr);
  const Vector& from = exact ? state_.acceleration : scratch_;
  Accelerations out(count());
  const auto x = out.x(), y = out.y(), z = out.z();
  parallel_for(count(), threads_, [&](std::size_t i) {
    x[i] = static_cast<double>(from.x[i]) * scale_.acceleration();
    y[i] = static_cast<double>(from.y[i]) * scale_.acceleration();
    z[i] = static_cast<double>(from.z[i]) * scale_.acceleration();
  });
  return out;
}

template <class State>
std::vector<double> HostEngine<State>::pair_potentials() {
  update_potential();
  const double unit = potential_unit(law_, scale_);
  std::vector<double> out(count());
  parallel_for(count(), threads_,
               [&](std::size_t i) { out[i] = static_cast<double>(potential_[i]) * unit; });
  return out;
}

template <class State>
bool HostEngine<State>::finite() {
  for (const Vector* t : {&state_.place, &state_.velocity}) {
    for (const auto* component : {&t->x, &t->y, &t->z}) {
      // a sum of zeros unless something is not finite: vectorises, and needs no branch
      State sum = 0;
      for (const State value : *component) sum += value * State(0);
      if (!(sum == State(0))) return false;
    }
  }
  return true;
}

template <class State>
Resolution HostEngine<State>::describe() const {
  return {.solver = solver_->name(),
          .precision = settings_.precision(),
          .threads = solver_->threaded() ? threads_ : 1,
          .bodies = count(),
          .ranks = 1,
          .devices = {{.device = "cpu",
                       .driver = fmt::format("native {}", direct_host_instruction_set()),
                       .variant = solver_->variant(),
                       .choice = solver_->chosen(),
                       .bodies = count()}}};
}

template <class State>
Instruments HostEngine<State>::instruments() {
  Instruments out;
  out.evaluation_parts = [this] {
    return solver_->add_timed(
        view(false), {.x = scratch_.x.data(), .y = scratch_.y.data(), .z = scratch_.z.data()});
  };
  out.contact_bytes = [this] { return finder_ ? finder_->bytes() : 0; };
  return out;
}

template <class State>
EngineState HostEngine<State>::save_state() {
  EngineState state{state_layout("host", settings_.precision()), count(), {}};
  const auto add = [&](const Names& names, const Vector& t) {
    state.arrays.push_back(array_of(names[0], t.x));
    state.arrays.push_back(array_of(names[1], t.y));
    state.arrays.push_back(array_of(names[2], t.z));
  };
  add_constants(state, scale_, constants_);
  add(position_column.components, state_.place);
  add(velocity_column.components, state_.velocity);
  // Derivatives that the next step starts from; others follow from the positions.
  if (freshness_.accepted()) {
    add(acceleration_names, state_.acceleration);
    add(jerk_names, state_.jerk);
  }
  return state;
}

template <class State>
void HostEngine<State>::restore_state(const EngineState& state) {
  require_sound(state, settings_.precision());
  const std::size_t n = state.bodies;
  const auto take = [&](const Names& names, Vector& t) {
    take_array(state, names[0], n, t.x);
    take_array(state, names[1], n, t.y);
    take_array(state, names[2], n, t.z);
  };
  resize(n);
  take_constants(state, law_.law, scale_, constants_);
  take(position_column.components, state_.place);
  take(velocity_column.components, state_.velocity);
  prepare_law();
  const bool derivatives = has_array(state, "ax") && has_array(state, "jx");
  freshness_ = {};
  if (derivatives) {
    freshness_ = Freshness::of_accepted_state();
    state_.jerk.resize(n);
    take(acceleration_names, state_.acceleration);
    take(jerk_names, state_.jerk);
  }
}

template class HostEngine<float>;
template class HostEngine<double>;

}  // namespace apsis
