// SPDX-License-Identifier: MIT
// Inside engines/: the search for contacts where the bodies are in a device's memory. Only the few
// that touch, and those near them, leave it.
#pragma once

#include <apsis/contacts/contact_step.hpp>
#include <apsis/device/context.hpp>
#include <apsis/engines/device_state.hpp>
#include <apsis/engines/scale.hpp>
#include <apsis/solvers/fmm/fmm_opencl_sort.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace apsis {

// States of bodies by their numbers, in internal units: place and velocity of each.
struct SomeStates {
  std::vector<Vec3> places, velocities;
};

class DeviceContacts {
 public:
  DeviceContacts(device::Context& context, Precision precision);

  // Other bodies: their radii in the user's lengths.
  void load(const DeviceState& state, std::span<const double> radii, const Scale& scale);
  // Whether floats tell bodies of these sizes apart.
  bool serves() const { return serves_; }

  // Paths of that duration, in internal time, which end where the state is.
  void look_at(const DeviceState& state, double duration);
  FoundPairs candidates();
  BodyPairs near(const DeviceState& state, std::span<const Stray> strayed);  // internal lengths
  std::vector<std::uint32_t> beyond(const DeviceState& state, const Box& walls);

  SomeStates states_of(const DeviceState& state, std::span<const std::uint32_t> numbers);
  void change(DeviceState& state, std::span<const std::uint32_t> numbers, const SomeStates& states);

  std::size_t bytes() const;  // of the device's memory that it holds

 private:
  using Buffer = device::Buffer;
  using Scalar = device::Scalar;
  static constexpr int most_levels = 12;
  // As sweep_search.cl has it.
  struct Levels {
    std::array<std::int32_t, most_levels> first{}, count{};
    std::int32_t top = 0;
  };
  struct Middle {
    Vec3 place;
    double size = 1;
  };

  void find_middle(const DeviceState& state);
  void order(const DeviceState& state);
  void build_boxes();
  Buffer& at_least(Buffer& buffer, std::size_t bytes, const char* what);
  // Calls search(capacity) with counters at zero until all that it finds fits, and reads it;
  // refuses more than `most`.
  template <class Search>
  FoundPairs collected(std::size_t most, const Search& search);
  void write_numbers(std::span<const std::uint32_t> numbers);
  template <class Number>
  std::vector<Number> packed(const SomeStates& states) const;

  device::Context* context_;
  fmm_opencl::RadixSort sort_;
  std::size_t count_ = 0;
  bool serves_ = false;
  std::vector<double> radii_;  // internal lengths
  double duration_ = 0;
  Middle middle_;
  int searches_ = 0;  // since the middle was found
  Levels levels_;
  Buffer radius_, items_, other_, begin_, end_, boxes_, tree_, found_, pairs_;
  Buffer sample_, numbers_, states_, stray_begin_, stray_end_;
  device::Kernel<Buffer, int, int, Buffer> sample_bodies_;
  device::Kernel<Buffer, int, Scalar, Scalar, Scalar, Scalar, int, Buffer> make_items_;
  device::Kernel<Buffer, int, int, Buffer, Buffer, Buffer, Scalar, Scalar, Scalar, Scalar, Buffer,
                 Buffer>
      make_leaves_;
  device::Kernel<Buffer, Buffer, int, Buffer, int, int, int, int> make_level_;
  device::Kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, int, Buffer> find_touching_;
  device::Kernel<int, Buffer, Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer, int, Buffer>
      find_near_;
  device::Kernel<int, Buffer, Buffer, Buffer, Buffer> gather_, scatter_;
  device::Kernel<int, Buffer, Buffer, Scalar, Scalar, Scalar, Scalar, Scalar, Scalar, Buffer, int,
                 Buffer>
      find_beyond_;
};

}  // namespace apsis
