// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/messages.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsis::viewer {
namespace {

using Json = nlohmann::json;

const Json& value_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) throw bad_data(fmt::format("the message has no '{}'", key));
  return *found;
}

double number_of(const Json& object, const char* key, double low, double high) {
  const Json& value = value_of(object, key);
  if (value.is_number()) {
    const auto number = value.get<double>();
    if (std::isfinite(number) && number >= low && number <= high) return number;
  }
  throw bad_data(fmt::format("'{}' is not a number from {} to {}", key, low, high));
}

std::uint32_t index_of(const Json& object, const char* key) {
  const double number = number_of(object, key, 0, std::numeric_limits<std::uint32_t>::max());
  if (number != std::floor(number)) throw bad_data(fmt::format("'{}' is not a whole number", key));
  return static_cast<std::uint32_t>(number);
}

std::string word_of(const Json& object, const char* key) {
  const Json& value = value_of(object, key);
  if (value.is_string()) {
    auto word = value.get<std::string>();
    const auto letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    if (!word.empty() && word.size() <= 64 && std::all_of(word.begin(), word.end(), letter)) {
      return word;
    }
  }
  throw bad_data(fmt::format("'{}' is not a word", key));
}

struct Row {
  const char* name;
  std::size_t keys;  // "do" among them
  Message (*read)(const Json&);
};

using Kind = Command::Kind;
constexpr double longest_time = 1e300;

const Row rows[] = {
    {"play", 1,
     [](const Json&) -> Message {
       return Command{Kind::play, 0, {}};
     }},
    {"pause", 1,
     [](const Json&) -> Message {
       return Command{Kind::pause, 0, {}};
     }},
    {"step", 1,
     [](const Json&) -> Message {
       return Command{Kind::step, 0, {}};
     }},
    {"restart", 1,
     [](const Json&) -> Message {
       return Command{Kind::restart, 0, {}};
     }},
    {"speed", 2,
     [](const Json& m) -> Message {
       return Command{Kind::speed, number_of(m, "factor", 0, 1e6), {}};
     }},
    {"seek", 2,
     [](const Json& m) -> Message {
       return Command{Kind::seek, number_of(m, "time", -longest_time, longest_time), {}};
     }},
    {"example", 2,
     [](const Json& m) -> Message {
       return Command{Kind::example, 0, word_of(m, "name")};
     }},
    {"colour", 2,
     [](const Json& m) -> Message { return Wish{choice_from<ColourBy>(word_of(m, "by"))}; }},
    {"region", 5,
     [](const Json& m) -> Message {
       const auto place = [&](const char* key) { return number_of(m, key, -1e300, 1e300); };
       return Closer{{{place("x"), place("y"), place("z")}, number_of(m, "radius", 0, 1e300)}};
     }},
    {"capacity", 2,
     [](const Json& m) -> Message {
       return Capacity{static_cast<std::size_t>(
           number_of(m, "points", fewest_points, static_cast<double>(most_points)))};
     }},
    {"shown", 2, [](const Json& m) -> Message { return Shown{index_of(m, "frame")}; }},
    {"shape", 2,
     [](const Json& m) -> Message {
       const double on = number_of(m, "on", 0, 1);
       if (on != 0 && on != 1) throw bad_data("'on' is neither 0 nor 1");
       return Charting{on == 1};
     }},
    {"body", 2, [](const Json& m) -> Message { return Question{index_of(m, "index")}; }},
};

}  // namespace

Message parse_message(std::string_view text) {
  if (text.size() > most_message_bytes) throw bad_data("the message is too long");
  // to the parser a zero byte is the end of all
  if (text.find('\0') != std::string_view::npos) throw bad_data("the message holds a zero byte");
  const Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded() || !message.is_object())
    throw bad_data("the message is no JSON object");
  const std::string word = word_of(message, "do");
  for (const Row& row : rows) {
    if (word != row.name) continue;
    if (message.size() != row.keys) {
      throw bad_data(fmt::format("'{}' has other keys than it takes", word));
    }
    return row.read(message);
  }
  throw bad_data(fmt::format("nothing is called '{}'", word));
}

}  // namespace apsis::viewer
