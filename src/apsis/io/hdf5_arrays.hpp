// SPDX-License-Identifier: MIT
// Inside io/: what GADGET's layout calls the columns of bodies. Types are no array there, but the
// groups PartType0, PartType1, ... that the arrays lie in.
#pragma once

#include <apsis/core/columns.hpp>
#include <apsis/io/hdf5_handles.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace apsis::hdf5 {

struct ArrayOfColumn {
  std::string_view column;  // see core/columns.hpp
  std::string name;
  Dimension dimension;
};

// In the order in which they are written: those with names of GADGET's, then the others, which are
// called as they are here with a capital ("Radius").
inline const std::vector<ArrayOfColumn>& arrays() {
  static const std::vector<ArrayOfColumn> all = [] {
    std::vector<ArrayOfColumn> made{{"position", "Coordinates", {}},
                                    {"velocity", "Velocities", {}},
                                    {"id", "ParticleIDs", {}},
                                    {"mass", "Masses", {}}};
    for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
      if (column.name == "type") return;
      auto found = std::ranges::find(made, column.name, &ArrayOfColumn::column);
      if (found == made.end()) {
        std::string name(column.name);
        name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
        found = made.insert(found, {column.name, std::move(name), {}});
      }
      found->dimension = column.dimension;
    });
    return made;
  }();
  return all;
}
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
