// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/tuned.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace apsis {
namespace {

constexpr auto place_names = position_column.components;
constexpr auto velocity_names = velocity_column.components;
constexpr std::array<const char*, 3> acceleration_names{"ax", "ay", "az"};
constexpr std::array<const char*, 3> jerk_names{"jx", "jy", "jz"};

// Evaluations between two calls that start the queue, and between two that wait for it: a driver
// that is given thousands of launches ahead keeps all of them in memory.
constexpr int flush_every = 8, wait_every = 512;

const DeviceInfo& able_device(const DeviceInfo& device, Precision precision) {
  if (precision == Precision::f32 || device.has_double) return device;
  throw Error(
      ExitCode::unavailable,
      fmt::format("{} has no double precision, which {} needs", device.name, name_of(precision)),
      "use precision = \"f32\" or another device");
}

Vectors divided(Vectors vectors, double unit) {
  for (double& value : vectors.values()) value /= unit;
  return vectors;
}

Vectors multiplied(Vectors vectors, double unit) {
  for (double& value : vectors.values()) value *= unit;
  return vectors;
}

// The one strength of all bodies as the device holds it, where they are all the same and not 0.
std::optional<double> equal_value(const std::vector<double>& strengths, Precision precision) {
  if (strengths.empty() || strengths.front() == 0) return std::nullopt;
  const auto same = [&](double value) { return value == strengths.front(); };
  if (!std::all_of(strengths.begin(), strengths.end(), same)) return std::nullopt;
  return precision == Precision::f32 ? static_cast<double>(static_cast<float>(strengths.front()))
                                     : strengths.front();
}

}  // namespace

OpenclEngine::OpenclEngine(const DeviceInfo& device, EngineSettings settings,
                           const SolverFactory& make_solver, DeviceUse use)
    : Engine(settings),
      settings_(std::move(settings)),
      law_(law_of(settings_.force)),
      precision_(settings_.precision()),
      use_(use),
      make_solver_(make_solver ? make_solver : solver_named(settings_.force.solver).make_on_device),
      context_(able_device(device, precision_), {.kernel_folder = settings_.device.kernel_dir}),
      motion_(context_, precision_),
      external_kernels_(context_, precision_, external()),
      sums_(context_, precision_) {
  state_.precision = precision_;
}

void OpenclEngine::allocate_for(std::size_t bodies) {
  // the old buffers go before the new ones come
  field_ = {}, jerk_field_ = {};
  solver_.reset();
  allocate(state_, context_, bodies);
  field_.padded = jerk_field_.padded = state_.padded;
  field_unread_ = false;
  waiting_.clear();
  freshness_ = {};
  contacts_loaded_ = false;
  entries_ = entries_at_least;
}

SolverSettings OpenclEngine::solver_settings() const {
  auto strength = strengths(constants_, law_.law);
  for (double& value : strength) value /= scale_.strength;
  return {.force = in_units_of(scale_.length, settings_.force),
          .device = settings_.device,
          .choice = settings_.choice,
          .equal_strength = equal_value(strength, precision_),
          .bodies = state_.count};
}

void OpenclEngine::prepare_law() {
  SolverSettings wanted = solver_settings();
  const DeviceSettings& device = settings_.device;
  const bool open =
      settings_.force.solver == "direct" && device.variant.empty() && is_open(settings_.choice);
  if (open && !device.reproducible) {
    const auto tuned = tuned_choice(context_.device(), precision_, state_.count);
    if (tuned && takes(tuned->variant, law_.radial.radial) &&
        follows(kernel_folder(device.kernel_dir), tuned->variant)) {
      wanted.device.variant = tuned->variant, wanted.choice = tuned->sizes;
    }
  }
  if (use_ == DeviceUse::shared) make_one_sided(wanted);
  solver_ = make_solver_(context_, wanted);
  write_coupling(state_, context_, internal_couplings(constants_, law_, scale_));
}

// A power of two that keeps the largest mass near 1, also where charges make the field.
double OpenclEngine::mass_unit() const {
  if (law_.law == Law::gravity) return scale_.strength;
  double largest = 0;
  for (const double mass : constants_.mass) largest = std::max(largest, mass);
  return largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1;
}

void OpenclEngine::write_state(const Vectors& places, const Vectors& velocities) {
  auto strength = strengths(constants_, law_.law);
  for (double& value : strength) value /= scale_.strength;
  auto masses = constants_.mass;
  const double unit = mass_unit();  // looks at all bodies
  for (double& value : masses) value /= unit;
  write_places(state_, places, strength);
  write_columns(state_, state_.velocity, velocities, masses);
}

void OpenclEngine::load(const Bodies& bodies) {
  allocate_for(bodies.size());
  copy_constants(bodies, constants_);
  scale_ = scale_for(bodies, law_);
  require_reach(bodies, scale_,
                precision_ == Precision::f64 ? reach_of_float_roots : reach_of_float_pairs);
  prepare_law();
  write_state(divided(bodies.positions, scale_.length),
              divided(bodies.velocities, scale_.velocity()));
}

void OpenclEngine::store(Bodies& bodies) {
  launch_waiting();
  store_from([&](Quantity quantity) { return read_columns(state_, state_.*quantity); }, bodies);
}

void OpenclEngine::replace(const Bodies& bodies) {
  keep_choices();
  load(bodies);
}

void OpenclEngine::keep_choices() {
  if (solver_ == nullptr) return;
  settings_.device.variant = solver_->variant();
  take_choice(solver_->chosen());
}

void OpenclEngine::change(std::span<const std::uint32_t> numbers, const Bodies& states) {
  launch_waiting();
  SomeStates internal;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    internal.places.push_back(states.position(k) / scale_.length);
    internal.velocities.push_back(states.velocity(k) / scale_.velocity());
  }
  device_contacts().change(state_, numbers, internal);
  freshness_ = {};
}

DeviceContacts& OpenclEngine::device_contacts() {
  if (!contacts_) contacts_ = std::make_unique<DeviceContacts>(context_, precision_);
  if (!contacts_loaded_) contacts_->load(state_, constants_.radius, scale_);
  contacts_loaded_ = true;
  return *contacts_;
}

ContactSource OpenclEngine::contact_source(double duration, const std::optional<Box>& walls) {
  const ContactSearch how = search_of(contacts());
  const bool here = how == ContactSearch::automatic || how == ContactSearch::tree;
  const bool searches = on_contact(contacts()) != OnContact::none;
  const bool serves = device_contacts().serves();
  if (searches && !(here && serves)) return Engine::contact_source(duration, walls);
  launch_waiting();
  if (searches) contacts_->look_at(state_, internal_time(duration));
  ContactSource source;
  source.candidates = [this] { return contacts_->candidates(); };
  source.near = [this](std::span<const Stray> strayed) {
    std::vector<Stray> internal(strayed.begin(), strayed.end());
    for (Stray& stray : internal) stray.distance /= scale_.length;
    return contacts_->near(state_, internal);
  };
  if (walls) {
    Box inside = *walls;
    for (double& side : inside) side /= scale_.length;
    source.beyond_walls = [this, inside] { return contacts_->beyond(state_, inside); };
  }
  source.spheres = [this, duration](std::span<const std::uint32_t> numbers) {
    const SomeStates states = contacts_->states_of(state_, numbers);
    std::vector<MovingSphere> out;
    out.reserve(numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      out.push_back(moving_sphere(constants_, numbers[k], scale_.length * states.places[k],
                                  scale_.velocity() * states.velocities[k], duration));
    }
    return out;
  };
  return source;
}

void OpenclEngine::store_from(const Gather& gather, Bodies& bodies) const {
  bodies.positions = multiplied(gather(&DeviceState::place), scale_.length);
  bodies.velocities = multiplied(gather(&DeviceState::velocity), scale_.velocity());
  copy_constants(constants_, bodies);
}

void OpenclEngine::apply(std::span<const Operation> operations) {
  require_all_active(operations, "OpenCL devices");
  for (const Operation& operation : operations) perform(operation);
}

void OpenclEngine::perform(const Operation& operation) {
  const auto slot = static_cast<std::size_t>(operation.slot);
  switch (operation.kind) {
    case Operation::Kind::accelerate:
      return accelerate(operation);
    case Operation::Kind::drift:
    case Operation::Kind::kick:
      waiting_.push_back(operation);
      waiting_.back().dt = internal_time(operation.dt);
      break;
    case Operation::Kind::save:
      launch_waiting();
      if (state_.slots[slot].bytes() == 0) require_room_for_more(3);
      motion_.save(state_, operation.slot);
      break;
    case Operation::Kind::combine: {
      launch_waiting();
      Operation internal = operation;
      for (SlotTerm& term : internal.term) term.coefficient = internal_time(term.coefficient);
      motion_.combine(state_, internal.slot, internal.terms());
      break;
    }
    case Operation::Kind::predict:
      require_accepted();
      launch_waiting();
      if (state_.base.bytes() == 0) require_room_for_more(4);
      motion_.predict(state_, internal_time(operation.dt));
      break;
    case Operation::Kind::correct:
      launch_waiting();
      motion_.correct(state_, internal_time(operation.dt));
      break;
    case Operation::Kind::advance:
      refuse_to_advance("OpenCL engines");
    case Operation::Kind::keep_potential:  // energies have a pass of their own
    case Operation::Kind::accept:
      break;
  }
  freshness_.after(operation);
}

void OpenclEngine::launch_waiting() {
  if (!field_unread_ && waiting_.empty()) return;
  motion_.move(state_, field_unread_ ? &field_ : nullptr, waiting_);
  field_unread_ = false;
  waiting_.clear();
}

BodiesView<Device> OpenclEngine::view(bool with_velocities) const {
  return {.count = state_.count,
          .padded = state_.padded,
          .place = &state_.place,
          .velocity = with_velocities ? &state_.velocity : nullptr,
          .order = state_.order.bytes() > 0 ? &state_.order : nullptr};
}

void OpenclEngine::evaluate(Wants wants) {
  launch_waiting();
  field_.used = jerk_field_.used = 0;
  if (state_.count == 0) return;
  solver_->add_self_field(
      view(wants.jerk),
      {.field = &field_, .jerk = wants.jerk ? &jerk_field_ : nullptr, .wanted = wants});
  pace();
}

void OpenclEngine::pace() {
  ++evaluations_enqueued_;
  if (evaluations_enqueued_ % wait_every == 0) {
    context_.finish();
  } else if (evaluations_enqueued_ % flush_every == 0) {
    context_.flush();
  }
}

void OpenclEngine::accelerate(const Operation& operation) {
  if (freshness_.serves(operation)) return;
  evaluate({.acceleration = true, .potential = false, .jerk = operation.with_jerk});
  keep_accelerations(operation);
}

void OpenclEngine::keep_accelerations(const Operation& accelerate) {
  const bool jerk = accelerate.with_jerk;
  if (jerk && state_.jerk.bytes() == 0) {
    require_room_for_more(2);
    made(state_.jerk, state_, context_, 1, "jerks");
  }
  field_unread_ = field_.used > 0;
  if (jerk && jerk_field_.used > 0) motion_.couple(state_, jerk_field_, state_.jerk);
  if (field_.used == 0) {  // nobody pulls
    state_.acceleration.clear();
    if (jerk) state_.jerk.clear();
  }
  if (has_external()) {
    launch_waiting();
    const ExternalUnits units{scale_.length, scale_.time, gravity()};
    external_kernels_.add(state_, accelerate.time, units, jerk);
  }
  freshness_.after(accelerate);
}

// The kernel takes the state that bodies are in for the accepted one.
void OpenclEngine::require_accepted() const {
  if (!freshness_.predicted()) return;
  throw Error(ExitCode::unavailable, "a prediction before the last one was accepted",
              "use device cpu");
}

void OpenclEngine::require_room_for_more(std::size_t entries) {
  entries_ += entries;
  require_device_memory(context_.device(), precision_, state_.count, entries_);
}

void OpenclEngine::warm_up() {
  launch_waiting();
  field_.used = 0;
  if (state_.count == 0) return;
  BodiesView<Device> one = view(false);
  one.count = 1, one.order = nullptr;
  solver_->add_self_field(one,
                          {.field = &field_, .wanted = {.acceleration = false, .potential = true}});
  field_.used = 0;
  finish();
}

void OpenclEngine::finish() {
  launch_waiting();
  context_.finish();
}

Instruments OpenclEngine::instruments() {
  Instruments out;
  out.evaluation_parts = [this] { return evaluation_parts(); };
  out.kernel_seconds = [this] { return context_.kernel_seconds(); };
  out.record_timeline = [this] { context_.record_timeline(); };
  out.timeline = [this] {
    return std::vector<DeviceTimeline>{{context_.device().name, context_.timeline()}};
  };
  out.device_bytes = [this] { return context_.allocated_bytes(); };
  out.contact_bytes = [this] { return contacts_ ? contacts_->bytes() : 0; };
  return out;
}

std::optional<EvaluationParts> OpenclEngine::evaluation_parts() {
  finish();
  field_.used = 0;
  const auto parts = solver_->add_timed(view(false), {.field = &field_, .wanted = {}});
  field_.used = 0;
  return parts;
}

Energies OpenclEngine::pair_energies() {
  evaluate({.acceleration = false, .potential = true});
  return energies_from(field_.sums, field_.padded, field_.used);
}

Energies OpenclEngine::energies_from(const device::Buffer& sums, std::size_t padded, int parts) {
  const MotionTotals totals = sums_.totals(state_, sums, padded, parts);
  const double mass = mass_unit(), velocity = scale_.velocity(), length = scale_.length;
  return {.kinetic = mass * totals.kinetic * velocity * velocity,
          .potential = potential_energy(law_, scale_, totals.strength_potential),
          .momentum = mass * velocity * totals.momentum,
          .angular_momentum = mass * velocity * length * totals.angular_momentum,
          .center_of_mass = totals.mass > 0 ? length * (totals.moment / totals.mass) : Vec3{}};
}

Accelerations OpenclEngine::pair_accelerations() {
  launch_waiting();
  if (freshness_.exact() && !has_external())
    return accelerations_from(read_columns(state_, state_.acceleration));
  evaluate({.acceleration = true});
  keep_scratch(true);
  return accelerations_from(read_columns(state_, state_.scratch));
}

std::vector<double> OpenclEngine::pair_potentials() {
  launch_waiting();
  evaluate({.acceleration = false, .potential = true});
  keep_scratch(false);
  std::vector<double> out = read_fourth(state_, state_.scratch);
  const double unit = potential_unit(law_, scale_);
  for (double& value : out) value *= unit;
  return out;
}

Accelerations OpenclEngine::accelerations_from(Vectors columns) const {
  return multiplied(std::move(columns), scale_.acceleration());
}

bool OpenclEngine::finite() {
  launch_waiting();
  return state_.count == 0 || sums_.finite(state_);
}

bool OpenclEngine::gives_jerk() const { return solver_ != nullptr && solver_->gives_jerk(); }

Resolution OpenclEngine::describe() const {
  return {.solver = solver_ ? solver_->name() : "",
          .precision = precision_,
          .threads = 0,
          .bodies = state_.count,
          .ranks = 1,
          .devices = {{.device = context_.device().name,
                       .driver = context_.device().driver,
                       .variant = solver_ ? solver_->variant() : "",
                       .choice = solver_ ? solver_->chosen() : SolverChoice{},
                       .bodies = state_.count}}};
}

EngineState OpenclEngine::save_state() {
  launch_waiting();
  return state_from([&](Quantity quantity) { return read_columns(state_, state_.*quantity); });
}

EngineState OpenclEngine::state_from(const Gather& gather) const {
  EngineState saved{state_layout("opencl", precision_), state_.count, {}};
  add_constants(saved, scale_, constants_);
  add_columns(saved, state_, gather(&DeviceState::place), place_names);
  add_columns(saved, state_, gather(&DeviceState::velocity), velocity_names);
  // Derivatives that the next step starts from; others follow from the positions.
  if (accepted()) {
    add_columns(saved, state_, gather(&DeviceState::acceleration), acceleration_names);
    add_columns(saved, state_, gather(&DeviceState::jerk), jerk_names);
  }
  return saved;
}

void OpenclEngine::restore_state(const EngineState& saved) {
  require_sound(saved, precision_);
  allocate_for(saved.bodies);
  take_constants(saved, law_.law, scale_, constants_);
  prepare_law();
  write_state(taken_columns(saved, state_, place_names),
              taken_columns(saved, state_, velocity_names));
  if (!has_array(saved, "ax") || !has_array(saved, "jx")) return;
  require_room_for_more(2);
  made(state_.jerk, state_, context_, 1, "jerks");
  write_columns(state_, state_.acceleration, taken_columns(saved, state_, acceleration_names));
  write_columns(state_, state_.jerk, taken_columns(saved, state_, jerk_names));
  freshness_ = Freshness::of_accepted_state();
}

}  // namespace apsis
