// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/host_engine.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

using Names = std::array<const char*, 3>;
constexpr Names acceleration_names{"ax", "ay", "az"}, jerk_names{"jx", "jy", "jz"};

}  // namespace

template <class State>
HostEngine<State>::HostEngine(EngineSettings settings, SolverFactory make_solver)
    : settings_(std::move(settings)),
      law_(law_of(settings_.force)),
      threads_(thread_count(settings_.device.threads)),
      make_solver_(std::move(make_solver)) {
  prepare_law();
}

template <class State>
void HostEngine<State>::resize(std::size_t n) {
  place_.resize(n), velocity_.resize(n), acceleration_.resize(n), scratch_.resize(n);
  strength_.resize(n), potential_.resize(n);
  jerk_ = {}, base_ = {}, base_jerk_ = {}, slots_ = {};  // made when first asked for
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
  copy(bodies.x(), scale_.length, place_.x);
  copy(bodies.y(), scale_.length, place_.y);
  copy(bodies.z(), scale_.length, place_.z);
  copy(bodies.vx(), scale_.velocity(), velocity_.x);
  copy(bodies.vy(), scale_.velocity(), velocity_.y);
  copy(bodies.vz(), scale_.velocity(), velocity_.z);
  prepare_law();
  moved();
}

template <class State>
void HostEngine<State>::store(Bodies& bodies) {
  const auto copy = [&](const std::vector<State>& from, double unit, std::span<double> to) {
    parallel_for(count(), threads_,
                 [&](std::size_t i) { to[i] = static_cast<double>(from[i]) * unit; });
  };
  bodies.positions.resize(count()), bodies.velocities.resize(count());
  copy(place_.x, scale_.length, bodies.x());
  copy(place_.y, scale_.length, bodies.y());
  copy(place_.z, scale_.length, bodies.z());
  copy(velocity_.x, scale_.velocity(), bodies.vx());
  copy(velocity_.y, scale_.velocity(), bodies.vy());
  copy(velocity_.z, scale_.velocity(), bodies.vz());
  copy_constants(constants_, bodies);
}

template <class State>
void HostEngine<State>::moved() {
  fresh_ = Freshness::stale;
  jerk_fresh_ = potential_fresh_ = false;
}

template <class State>
void HostEngine<State>::drift(double dt) {
  const State h = static_cast<State>(dt / scale_.time);
  parallel_for(count(), threads_, [&](std::size_t i) {
    place_.x[i] += velocity_.x[i] * h;
    place_.y[i] += velocity_.y[i] * h;
    place_.z[i] += velocity_.z[i] * h;
  });
  moved();
}

template <class State>
void HostEngine<State>::kick(double dt) {
  const State h = static_cast<State>(dt / scale_.time);
  parallel_for(count(), threads_, [&](std::size_t i) {
    velocity_.x[i] += acceleration_.x[i] * h;
    velocity_.y[i] += acceleration_.y[i] * h;
    velocity_.z[i] += acceleration_.z[i] * h;
  });
  jerk_fresh_ = false;
}

template <class State>
BodiesView<Host<State>> HostEngine<State>::view(bool with_velocities) const {
  BodiesView<Host<State>> v{.count = count(),
                            .x = place_.x.data(),
                            .y = place_.y.data(),
                            .z = place_.z.data(),
                            .strength = strength_.data()};
  if (with_velocities) {
    v.vx = velocity_.x.data(), v.vy = velocity_.y.data(), v.vz = velocity_.z.data();
  }
  return v;
}

template <class State>
void HostEngine<State>::couple(Triple& field) const {
  const bool same_for_all = law_.law == Law::gravity;
  parallel_for(count(), threads_, [&](std::size_t i) {
    const State factor = same_for_all ? coupling_[0] : coupling_[i];
    field.x[i] *= factor, field.y[i] *= factor, field.z[i] *= factor;
  });
}

template <class State>
void HostEngine<State>::evaluate(Triple& field, Triple* jerk, std::vector<State>* potential) const {
  const auto cleared = [](std::vector<State>& v) {
    std::fill(v.begin(), v.end(), State(0));
    return v.data();
  };
  Field<Host<State>> wanted{.x = cleared(field.x), .y = cleared(field.y), .z = cleared(field.z)};
  if (potential != nullptr) wanted.potential = cleared(*potential);
  if (jerk != nullptr) {
    wanted.jerk_x = cleared(jerk->x), wanted.jerk_y = cleared(jerk->y);
    wanted.jerk_z = cleared(jerk->z);
  }
  solver_->add_self_field(view(jerk != nullptr), wanted);
  couple(field);
  if (jerk != nullptr) couple(*jerk);
}

template <class State>
void HostEngine<State>::accelerate(Wants wants) {
  if (fresh_ != Freshness::stale && (!wants.jerk || jerk_fresh_)) return;
  if (wants.jerk) jerk_.resize(count());
  // where jerks are asked for, the corrector moves the bodies once more
  const bool potential = keep_potential_ && !wants.jerk && solver_->potential_keeps_field();
  evaluate(acceleration_, wants.jerk ? &jerk_ : nullptr, potential ? &potential_ : nullptr);
  fresh_ = Freshness::exact;
  jerk_fresh_ = wants.jerk;
  potential_fresh_ = potential;
}

template <class State>
void HostEngine<State>::save(int slot) {
  // one by one into arrays that are already there: nothing is allocated from the second step on
  Slot& to = slots_[static_cast<std::size_t>(slot)];
  to.place = place_, to.velocity = velocity_, to.acceleration = acceleration_;
}

template <class State>
void HostEngine<State>::combine(int base_slot, std::span<const SlotTerm> terms) {
  const Slot& base = slots_[static_cast<std::size_t>(base_slot)];
  const auto add = [&](std::size_t i, std::vector<State> Triple::*c) {
    State x = (base.place.*c)[i], v = (base.velocity.*c)[i];
    for (const SlotTerm& term : terms) {
      const Slot& slot = slots_[static_cast<std::size_t>(term.slot)];
      const State h = static_cast<State>(term.coefficient / scale_.time);
      x += (slot.velocity.*c)[i] * h;
      v += (slot.acceleration.*c)[i] * h;
    }
    (place_.*c)[i] = x, (velocity_.*c)[i] = v;
  };
  parallel_for(count(), threads_,
               [&](std::size_t i) { add(i, &Triple::x), add(i, &Triple::y), add(i, &Triple::z); });
  moved();
}

template <class State>
void HostEngine<State>::predict(double dt) {
  base_.place = place_, base_.velocity = velocity_, base_.acceleration = acceleration_;
  base_jerk_ = jerk_;
  const State h = static_cast<State>(dt / scale_.time);
  const State half = h / 2, third = h / 3;
  const auto extrapolate = [&](std::size_t i, std::vector<State> Triple::*c) {
    const State v = (base_.velocity.*c)[i], a = (base_.acceleration.*c)[i], j = (base_jerk_.*c)[i];
    (place_.*c)[i] = (base_.place.*c)[i] + h * (v + half * (a + third * j));
    (velocity_.*c)[i] = v + h * (a + half * j);
  };
  parallel_for(count(), threads_, [&](std::size_t i) {
    extrapolate(i, &Triple::x), extrapolate(i, &Triple::y), extrapolate(i, &Triple::z);
  });
  moved();
}

// Makino & Aarseth 1992: the trapezium with its first derivative correction, fourth order.
template <class State>
void HostEngine<State>::correct(double dt) {
  const State h = static_cast<State>(dt / scale_.time);
  const State half = h / 2, twelfth = h * h / 12;
  const auto refine = [&](std::size_t i, std::vector<State> Triple::*c) {
    const State v0 = (base_.velocity.*c)[i];
    const State a0 = (base_.acceleration.*c)[i], a1 = (acceleration_.*c)[i];
    const State v1 = v0 + half * (a0 + a1) + twelfth * ((base_jerk_.*c)[i] - (jerk_.*c)[i]);
    (velocity_.*c)[i] = v1;
    (place_.*c)[i] = (base_.place.*c)[i] + half * (v0 + v1) + twelfth * (a0 - a1);
  };
  parallel_for(count(), threads_, [&](std::size_t i) {
    refine(i, &Triple::x), refine(i, &Triple::y), refine(i, &Triple::z);
  });
  moved();
}

template <class State>
void HostEngine<State>::accept() {
  fresh_ = Freshness::accepted;
  jerk_fresh_ = true;
}

// Where the accelerations that the next step starts with are not there yet, one pass gives both.
template <class State>
void HostEngine<State>::update_potential() {
  if (potential_fresh_) return;
  if (fresh_ == Freshness::stale && solver_->potential_keeps_field()) {
    evaluate(acceleration_, nullptr, &potential_);
    fresh_ = Freshness::exact;
  } else {
    std::fill(potential_.begin(), potential_.end(), State(0));
    solver_->add_self_field(view(false), {.potential = potential_.data()});
  }
  potential_fresh_ = true;
}

template <class State>
double HostEngine<State>::potential_energy() {
  update_potential();
  const double sum = ordered_sum<double>(count(), threads_, [&](std::size_t i) {
    return static_cast<double>(strength_[i]) * static_cast<double>(potential_[i]);
  });
  const double unit = scale_.strength * (scale_.strength / scale_.length);
  return 0.5 * potential_sign(law_.law) * law_.constant * unit * sum;
}

template <class State>
Energies HostEngine<State>::energies() {
  Bodies bodies;
  store(bodies);
  Energies out = motion(bodies, threads_);
  out.potential = potential_energy();
  return out;
}

template <class State>
Accelerations HostEngine<State>::accelerations() {
  const bool exact = fresh_ == Freshness::exact;
  if (!exact) evaluate(scratch_, nullptr, nullptr);
  const Triple& from = exact ? acceleration_ : scratch_;
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
bool HostEngine<State>::finite() {
  for (const Triple* t : {&place_, &velocity_}) {
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
std::optional<EvaluationParts> HostEngine<State>::evaluation_parts() {
  return solver_->add_timed(
      view(false), {.x = scratch_.x.data(), .y = scratch_.y.data(), .z = scratch_.z.data()});
}

template <class State>
EngineState HostEngine<State>::save_state() {
  EngineState state{state_layout("host", settings_.precision()), count(), {}};
  const auto add = [&](const Names& names, const Triple& t) {
    state.arrays.push_back(array_of(names[0], t.x));
    state.arrays.push_back(array_of(names[1], t.y));
    state.arrays.push_back(array_of(names[2], t.z));
  };
  add_constants(state, scale_, constants_);
  add(position_column.components, place_);
  add(velocity_column.components, velocity_);
  // Derivatives that the next step starts from; others follow from the positions.
  if (fresh_ == Freshness::accepted) {
    add(acceleration_names, acceleration_);
    add(jerk_names, jerk_);
  }
  return state;
}

template <class State>
void HostEngine<State>::restore_state(const EngineState& state) {
  require_sound(state, settings_.precision());
  const std::size_t n = state.bodies;
  const auto take = [&](const Names& names, Triple& t) {
    take_array(state, names[0], n, t.x);
    take_array(state, names[1], n, t.y);
    take_array(state, names[2], n, t.z);
  };
  resize(n);
  take_constants(state, law_.law, scale_, constants_);
  take(position_column.components, place_);
  take(velocity_column.components, velocity_);
  prepare_law();
  const bool derivatives = has_array(state, "ax") && has_array(state, "jx");
  moved();
  if (derivatives) {
    accept();
    jerk_.resize(n);
    take(acceleration_names, acceleration_);
    take(jerk_names, jerk_);
  }
}

template class HostEngine<float>;
template class HostEngine<double>;

}  // namespace apsis
