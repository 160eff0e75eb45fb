// SPDX-License-Identifier: MIT
#include <apsis/io/csv_keys.hpp>
#include <apsis/io/xyz_comment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace apsis {
namespace {

constexpr std::string_view blanks = " \t";
// Ours, which others do not use for something else.
constexpr std::array our_keys{"units",     "length_in_cm", "mass_in_g", "velocity_in_cm_per_s",
                              "gravity",   "coulomb",      "law",       "constant",
                              "softening", "radial",       "range"};

// Where a value that begins with a quote or bracket ends: at the next one without a backslash, or
// with the line.
std::size_t closing(std::string_view line, std::size_t start, char close) {
  std::size_t at = start;
  while (at < line.size() && line[at] != close) at += line[at] == '\\' ? 2 : 1;
  return std::min(at, line.size());
}

char close_of(char open) {
  constexpr std::string_view opens = "\"'{[", closes = "\"'}]";
  const std::size_t which = opens.find(open);
  return which == std::string_view::npos ? '\0' : closes[which];
}

std::vector<XyzPair> pairs_in(std::string_view line) {
  std::vector<XyzPair> pairs;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(blanks, at)) < line.size()) {
    const std::size_t end = std::min(line.find_first_of("= \t", at), line.size());
    const std::string_view key = line.substr(at, end - at);
    at = end;
    if (at >= line.size() || line[at] != '=') continue;  // a word by itself
    ++at;
    const char close = at < line.size() ? close_of(line[at]) : '\0';
    const std::size_t start = close != '\0' ? at + 1 : at;
    const std::size_t stop = close != '\0' ? closing(line, start, close)
                                           : std::min(line.find_first_of(blanks, at), line.size());
    pairs.push_back({key, {line.substr(start, stop - start), start + 1}});
    at = close != '\0' ? stop + 1 : stop;
  }
  return pairs;
}

std::string in_quotes(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      result += c == '\n' ? "\\n" : "\\r";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace

XyzComment::XyzComment(std::string_view line, const TextPlace& place)
    : place_(place), pairs_(pairs_in(line)) {}

const XyzPair* XyzComment::find(std::string_view key) const {
  const auto found = std::ranges::find(pairs_, key, &XyzPair::key);
  return found != pairs_.end() ? &*found : nullptr;
}

TextPlace XyzComment::place_of(const XyzPair& pair) const {
  return {place_.file, place_.line, pair.value.column};
}

std::optional<XyzProperties> XyzComment::properties() const {
  const XyzPair* pair = find("Properties");
  if (pair == nullptr) return std::nullopt;
  return properties_named(pair->value.text, place_of(*pair));
}

void XyzComment::apply(Snapshot& snapshot) const {
  const XyzPair* time = find("Time") != nullptr ? find("Time") : find("time");
  if (find("Properties") == nullptr) {
    snapshot.units_assumed = true;
    if (time == nullptr) return;
    double value = 0;
    const std::string_view text = time->value.text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && std::isfinite(value)) snapshot.time = value;
    return;
  }
  CsvKeys keys{std::string(place_.file)};
  const auto take = [&](const char* key, const XyzPair* pair) {
    if (pair != nullptr) keys.set(key, pair->value, place_.line);
  };
  take("time", time);
  for (const char* key : our_keys) take(key, find(key));
  keys.apply(snapshot);
}

std::string xyz_comment(const Snapshot& s, const XyzProperties& properties) {
  std::string text = fmt::format(
      "Properties={} pbc=\"F F F\" Time={} units={} length_in_cm={} mass_in_g={} "
      "velocity_in_cm_per_s={} gravity={} coulomb={} law={} constant={} softening={}",
      text_of(properties), s.time, in_quotes(s.units.name), s.units.length_in_cm, s.units.mass_in_g,
      s.units.velocity_in_cm_per_s, s.units.gravity, s.units.coulomb, name_of(s.law.law),
      s.law.constant, s.law.softening);
  if (s.law.radial.radial != newton) {  // which files without it have
    text += fmt::format(" radial={} range={}", name_of(s.law.radial.radial), s.law.radial.range);
  }
  return text;
}

}  // namespace apsis
