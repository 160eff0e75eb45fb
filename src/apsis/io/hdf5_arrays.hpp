// SPDX-License-Identifier: MIT
// Inside io/: what GADGET's layout calls the columns of bodies. Types are no array there, but the
// groups PartType0, PartType1, ... that the arrays lie in.
#pragma once

#include <apsis/io/hdf5_handles.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace apsis::hdf5 {

// The powers of the units in a quantity, as GADGET-4 writes them beside each array.
struct Dimension {
  int length = 0, mass = 0, velocity = 0;
};

struct ArrayOfColumn {
  std::string_view column;  // see core/columns.hpp
  const char* name;
  Dimension dimension;
};

// In the order in which they are written.
inline constexpr std::array<ArrayOfColumn, 7> arrays{
    {{"position", "Coordinates", {.length = 1}},
     {"velocity", "Velocities", {.velocity = 1}},
     {"id", "ParticleIDs", {}},
     {"mass", "Masses", {.mass = 1}},
     {"charge", "Charge", {}},
     {"radius", "Radius", {.length = 1}},
     {"spin", "Spin", {.length = 1, .mass = 1, .velocity = 1}}}};
inline constexpr const char* potential_array = "Potential";
inline constexpr const char* acceleration_array = "Acceleration";

template <class Value>
hid_t memory_type() {
  if constexpr (std::is_same_v<Value, double>) {
    return H5T_NATIVE_DOUBLE;
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return H5T_NATIVE_UINT64;
  } else {
    static_assert(std::is_same_v<Value, std::uint8_t>);
    return H5T_NATIVE_UINT8;
  }
}

template <class Value>
hid_t file_type() {
  if constexpr (std::is_same_v<Value, double>) {
    return H5T_IEEE_F64LE;
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return H5T_STD_U64LE;
  } else {
    static_assert(std::is_same_v<Value, std::uint8_t>);
    return H5T_STD_U8LE;
  }
}

}  // namespace apsis::hdf5
