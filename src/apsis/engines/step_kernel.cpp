// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/step_kernel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace apsis {
namespace {

// No numbers that a kernel computes. NaNs hand their bits on to what is computed with them, so what
// lies behind old positions and what new ones are filled with differ; velocities that are changed
// in place have a number there that no sum leaves as it is.
constexpr std::uint32_t behind_bits = 0x7fc5a11e, unwritten_bits = 0x7fc0ffee;
constexpr float behind_velocities = 12345.678F;
// Bodies behind the last, so that most writes there are seen and do not end the process.
constexpr std::size_t behind_last = 4096;

bool is_unwritten(float value) { return std::bit_cast<std::uint32_t>(value) == unwritten_bits; }

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

std::size_t largest_divisor(std::size_t of, std::size_t at_most) {
  std::size_t divisor = std::min(of, at_most);
  while (divisor > 1 && of % divisor != 0) --divisor;
  return std::max<std::size_t>(divisor, 1);
}

// Of a group's local memory for each work-item: enough for a float4, or x, y, z and a mass.
constexpr std::size_t local_bytes = 16;

}  // namespace

StepBodies step_bodies(const Bodies& bodies) {
  StepBodies out;
  out.places.reserve(4 * bodies.size());
  out.velocities.reserve(4 * bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 p = bodies.position(i), v = bodies.velocity(i);
    for (const double value : {p.x, p.y, p.z, bodies.mass[i]}) {
      out.places.push_back(static_cast<float>(value));
    }
    for (const double value : {v.x, v.y, v.z, 0.0}) {
      out.velocities.push_back(static_cast<float>(value));
    }
  }
  return out;
}

void store(const StepBodies& from, Bodies& bodies) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const float* p = from.places.data() + 4 * i;
    const float* v = from.velocities.data() + 4 * i;
    bodies.set_position(i, {p[0], p[1], p[2]});
    bodies.set_velocity(i, {v[0], v[1], v[2]});
  }
}

StepKernel::StepKernel(device::Context& context, const device::UserProgram& program,
                       const StepForm& form, std::size_t bodies, std::size_t group)
    : context_(context),
      form_(form),
      kernel_(program.kernel(form.kernel)),
      bodies_(bodies),
      in_place_(!form.takes(StepRole::new_velocities)) {
  for (const auto& outline : program.kernels()) {
    if (outline.name != form.kernel) continue;
    for (const auto& parameter : outline.parameters) names_.push_back(parameter.name);
  }
  const std::size_t most = std::min(kernel_.largest_group(), context.device().largest_group);
  group_ = form.fixed_group > 0 ? form.fixed_group : std::clamp<std::size_t>(group, 1, most);
  if (form.takes(StepRole::count)) {
    global_ = (bodies + group_ - 1) / group_ * group_;
  } else {
    if (form.fixed_group == 0) group_ = largest_divisor(bodies, group_);
    if (bodies % group_ != 0) {
      throw bad_data(fmt::format("kernel {} takes no n and asks for groups of {}: {} bodies are no "
                                 "multiple of that",
                                 form.kernel, group_, bodies),
                     "take a multiple, or give the kernel an argument n");
    }
    global_ = bodies;
  }
  capacity_ = global_ + behind_last;
  const std::size_t wide = form.packed ? 3 : 4;
  places_ = {made(StepRole::positions, wide), made(StepRole::new_positions, wide)};
  velocities_[0] = made(StepRole::velocities, wide);
  if (!in_place_) velocities_[1] = made(StepRole::new_velocities, wide);
  if (form.takes(StepRole::masses)) mass_array_ = made(StepRole::masses, 1);
}

StepKernel::Array StepKernel::made(StepRole role, std::size_t floats_a_body) const {
  const std::string name = names_.at(*form_.place_of(role));
  return {name, floats_a_body == 3,
          context_.buffer(capacity_ * floats_a_body * sizeof(float), name)};
}

// The array's own layout, with what lies behind the last body.
std::vector<float> StepKernel::filled(const Array& array, const std::vector<float>& wide) const {
  float behind = behind_ == BehindLast::nonsense ? std::bit_cast<float>(behind_bits) : 0;
  if (&array == velocities_.data()) behind = behind_velocities;
  std::vector<float> raw(array.buffer.bytes() / sizeof(float), behind);
  if (!array.packed) {
    std::copy(wide.begin(), wide.end(), raw.begin());
    return raw;
  }
  for (std::size_t i = 0; i < wide.size() / 4; ++i) {
    for (std::size_t k = 0; k < 3; ++k) raw[3 * i + k] = wide[4 * i + k];
  }
  return raw;
}

void StepKernel::write(Array& array, const std::vector<float>& wide) const {
  const std::vector<float> raw = filled(array, wide);
  array.buffer.write(std::span<const float>(raw));
}

void StepKernel::spoil(Array& array) const {
  const std::vector<float> raw(array.buffer.bytes() / sizeof(float),
                               std::bit_cast<float>(unwritten_bits));
  array.buffer.write(std::span<const float>(raw));
}

std::vector<float> StepKernel::read(const Array& array) const {
  std::vector<float> raw(array.buffer.bytes() / sizeof(float));
  array.buffer.read(std::span<float>(raw));
  return raw;
}

std::vector<float> StepKernel::wide(const Array& array, const std::vector<float>& raw) const {
  if (!array.packed) return {raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(4 * bodies_)};
  std::vector<float> values(4 * bodies_);
  for (std::size_t i = 0; i < bodies_; ++i) {
    for (std::size_t k = 0; k < 3; ++k) values[4 * i + k] = raw[3 * i + k];
  }
  return values;
}

void StepKernel::load(const StepBodies& bodies, BehindLast behind) {
  behind_ = behind;
  current_ = 0;
  write(places_[0], bodies.places);
  write(places_[1], bodies.places);
  write(velocities_[0], bodies.velocities);
  if (!in_place_) write(velocities_[1], bodies.velocities);
  masses_.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) masses_.push_back(bodies.places[4 * i + 3]);
  if (form_.takes(StepRole::masses)) write(mass_array_, masses_);
}

void StepKernel::set_argument(unsigned index, const StepNumbers& numbers) {
  const auto set_real = [&](double value) {
    if (form_.types[index] == "double") return kernel_.set_number(index, value);
    kernel_.set_number(index, static_cast<float>(value));
  };
  const auto set_whole = [&](std::size_t value) {
    if (form_.types[index].find("long") != std::string::npos) {
      return kernel_.set_number(index, static_cast<std::uint64_t>(value));
    }
    kernel_.set_number(index, static_cast<std::uint32_t>(value));
  };
  switch (form_.roles[index]) {
    case StepRole::positions:
      return kernel_.set(index, places_[current_].buffer);
    case StepRole::new_positions:
      return kernel_.set(index, places_[1 - current_].buffer);
    case StepRole::velocities:
      return kernel_.set(index, old_velocities().buffer);
    case StepRole::new_velocities:
      return kernel_.set(index, new_velocities().buffer);
    case StepRole::masses:
      return kernel_.set(index, mass_array_.buffer);
    case StepRole::tile:
      return kernel_.set_local(index, group_ * local_bytes);
    case StepRole::count:
      return set_whole(bodies_);
    case StepRole::group:
      return set_whole(group_);
    case StepRole::step:
      return set_real(numbers.step);
    case StepRole::softening:
      return set_real(numbers.softening);
    case StepRole::constant:
      return set_real(numbers.constant);
    case StepRole::mass:
      return set_real(numbers.mass);
  }
}

void StepKernel::set_arguments(const StepNumbers& numbers) {
  for (unsigned i = 0; i < form_.roles.size(); ++i) set_argument(i, numbers);
}

void StepKernel::step(const StepNumbers& numbers) {
  if (bodies_ == 0) return;
  set_arguments(numbers);
  kernel_.launch({{global_, 1, 1}, {group_, 0, 0}});
  current_ = 1 - current_;
}

StepBodies StepKernel::state() const {
  const Array& place = places_[current_];
  const Array& velocity = old_velocities();
  StepBodies bodies{wide(place, read(place)), wide(velocity, read(velocity))};
  for (std::size_t i = 0; place.packed && i < bodies_; ++i) bodies.places[4 * i + 3] = masses_[i];
  return bodies;
}

StepTrace StepKernel::traced_step(const StepNumbers& numbers) {
  StepTrace trace;
  trace.before = state();
  Array& out = places_[1 - current_];
  const Array& in = places_[current_];
  spoil(out);
  if (!in_place_) spoil(velocities_[1 - current_]);
  std::vector<std::pair<const Array*, std::vector<float>>> before;
  const std::array<const Array*, 4> watched{&in, &out, velocities_.data(), &velocities_[1]};
  for (const Array* array : watched) {
    if (array->buffer.bytes() > 0) before.emplace_back(array, read(*array));
  }
  step(numbers);
  context_.finish();
  for (const auto& [array, was] : before) {
    const std::vector<float> now = read(*array);
    const std::size_t width = array->packed ? 3 : 4;
    for (std::size_t k = width * bodies_; k < now.size() && !trace.behind_last; ++k) {
      if (same_bits(now[k], was[k])) continue;
      trace.behind_last = k / width;
      trace.behind_array = array->name;
    }
    for (std::size_t k = 0; array == &in && k < width * bodies_ && !trace.changed_old; ++k) {
      if (!same_bits(now[k], was[k])) trace.changed_old = k / width;
    }
  }
  trace.after = state();
  for (std::size_t i = 0; i < bodies_; ++i) {
    const auto unwritten = [&](const std::vector<float>& wide) {
      return is_unwritten(wide[4 * i]) || is_unwritten(wide[4 * i + 1]) ||
             is_unwritten(wide[4 * i + 2]);
    };
    if (unwritten(trace.after.places)) {
      if (trace.unwritten_positions++ == 0) trace.unwritten_position = i;
    }
    if (!trace.unwritten_velocity && unwritten(trace.after.velocities)) {
      trace.unwritten_velocity = i;
    }
  }
  return trace;
}

}  // namespace apsis
