// SPDX-License-Identifier: MIT
// Inside mpi/: settings as bytes and back, field by field as they list them (core/fields.hpp), so
// that a new field reaches other ranks without a word here.
#pragma once

#include <apsis/core/settings.hpp>
#include <apsis/io/byte_stream.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace apsis::mpi {

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsOneOf : std::false_type {};
template <class... T>
struct IsOneOf<std::variant<T...>> : std::true_type {};

// A struct that lists its fields itself.
template <class Value>
concept ListsFields = requires(Value& value) {
  for_each_field(value, [](const FieldInfo&, auto&) {});
};

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
  } else if constexpr (IsList<Value>::value) {
    writer.put(std::uint64_t{value.size()});
    for (const auto& each : value) put_value(writer, each);
  } else if constexpr (IsOneOf<Value>::value) {
    writer.put(std::uint64_t{value.index()});
    std::visit([&](const auto& held) { put_value(writer, held); }, value);
  } else if constexpr (ListsFields<Value>) {
    for_each_field(value, [&](const FieldInfo&, const auto& field) { put_value(writer, field); });
  } else if constexpr (!std::is_empty_v<Value>) {
    writer.put(value);
  }
}

template <class Value>
void take_value(ByteReader& reader, Value& value);

// The alternative of this number.
template <class... T>
void take_one_of(ByteReader& reader, std::variant<T...>& value) {
  const auto index = reader.take<std::uint64_t>();
  std::uint64_t number = 0;
  const auto take_if_it = [&]<class Held>(Held held) {
    if (number++ != index) return;
    take_value(reader, held);
    value = std::move(held);
  };
  (take_if_it(T{}), ...);
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
  } else if constexpr (IsList<Value>::value) {
    value.resize(reader.take_count(1));
    for (auto& each : value) take_value(reader, each);
  } else if constexpr (IsOneOf<Value>::value) {
    take_one_of(reader, value);
  } else if constexpr (ListsFields<Value>) {
    for_each_field(value, [&](const FieldInfo&, auto& field) { take_value(reader, field); });
  } else if constexpr (!std::is_empty_v<Value>) {
    value = reader.take<Value>();
  }
}

template <ListsFields Settings>
void put_fields(ByteWriter& writer, const Settings& settings) {
  put_value(writer, settings);
}

template <ListsFields Settings>
void take_fields(ByteReader& reader, Settings& settings) {
  take_value(reader, settings);
}

}  // namespace apsis::mpi
