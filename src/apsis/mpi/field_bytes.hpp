// SPDX-License-Identifier: MIT
// Inside mpi/: settings as bytes and back, field by field as they list them (core/fields.hpp), so
// that a new field reaches other ranks without a word here.
#pragma once

#include <apsis/core/settings.hpp>
#include <apsis/io/byte_stream.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace apsis::mpi {

template <class Value>
void put_value(ByteWriter& writer, const Value& value) {
  if constexpr (IsOptional<Value>::value) {
    put_value(writer, value.has_value());
    if (value) put_value(writer, *value);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    writer.put_text(value);
  } else if constexpr (std::is_same_v<Value, bool>) {
    writer.put(std::uint8_t{value});
  } else if constexpr (std::is_enum_v<Value>) {
    writer.put(static_cast<int>(value));
  } else if constexpr (std::is_same_v<Value, Box>) {
    for (const double side : value) writer.put(side);
  } else {
    writer.put(value);
  }
}

template <class Value>
void take_value(ByteReader& reader, Value& value) {
  if constexpr (IsOptional<Value>::value) {
    bool there = false;
    take_value(reader, there);
    value.reset();
    if (there) take_value(reader, value.emplace());
  } else if constexpr (std::is_same_v<Value, std::string>) {
    value = reader.take_text();
  } else if constexpr (std::is_same_v<Value, bool>) {
    value = reader.take<std::uint8_t>() != 0;
  } else if constexpr (std::is_enum_v<Value>) {
    value = static_cast<Value>(reader.take<int>());
  } else if constexpr (std::is_same_v<Value, Box>) {
    for (double& side : value) side = reader.take<double>();
  } else {
    value = reader.take<Value>();
  }
}

template <class Settings>
void put_fields(ByteWriter& writer, const Settings& settings) {
  for_each_field(settings, [&](const FieldInfo&, const auto& value) { put_value(writer, value); });
}

template <class Settings>
void take_fields(ByteReader& reader, Settings& settings) {
  for_each_field(settings, [&](const FieldInfo&, auto& value) { take_value(reader, value); });
}

}  // namespace apsis::mpi
