// SPDX-License-Identifier: MIT
// XYZ: the number of bodies, a line of comment, and a row for each; frames of a movie follow each
// other. Extended XYZ says in the comment what columns there are.
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/append_log.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/text_table.hpp>
#include <apsis/io/xyz_columns.hpp>
#include <apsis/io/xyz_comment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace apsis {
namespace {

// Where a frame is: its lines, and the number of the first one.
struct Frame {
  std::uint64_t bodies = 0;
  std::string_view text;  // comment and rows
  std::size_t line = 1;   // of the number of bodies
};

struct Frames {
  std::vector<Frame> whole;
  std::optional<std::size_t> cut;  // the line at which one begins whose rows are not all there
};

Frames frames_in(std::string_view text, const std::string& name) {
  Frames frames;
  std::size_t line = 1;
  const auto line_length = [](std::string_view left) {
    const std::size_t end = left.find('\n');
    return end == std::string_view::npos ? left.size() : end + 1;
  };
  const auto skip_line = [&] {
    text.remove_prefix(line_length(text));
    ++line;
  };
  while (!text.empty()) {
    std::string_view first = text.substr(0, line_length(text));
    while (first.ends_with('\n') || first.ends_with('\r')) first.remove_suffix(1);
    const std::string_view count = trimmed(first);
    if (count.empty()) {  // blank lines between frames, or at the end
      skip_line();
      continue;
    }
    const auto column = static_cast<std::size_t>(count.data() - first.data()) + 1;
    Frame frame{whole_number_in({count, column}, {name, line, column}), {}, line};
    skip_line();
    const std::string_view body = text;
    // a comment, and a row of at least a letter and a line's end for each
    bool complete = frame.bodies <= text.size() / 2 + 1;
    for (std::uint64_t k = 0; complete && k <= frame.bodies; ++k) {
      complete = !text.empty();
      if (complete) skip_line();
    }
    if (!complete) {
      frames.cut = frame.line;
      return frames;
    }
    frame.text = body.substr(0, body.size() - text.size());
    frames.whole.push_back(frame);
  }
  return frames;
}

const Frame& frame_asked_for(const Frames& frames, const std::string& name, ReadLimits limits) {
  const std::uint64_t asked = limits.frame;
  const auto& whole = frames.whole;
  if (asked > 0 && asked <= whole.size()) return whole[static_cast<std::size_t>(asked) - 1];
  if (frames.cut) {
    throw bad_data(
        fmt::format("{}:{}:1: there are fewer rows than that number of bodies", name, *frames.cut),
        whole.empty() ? "the file was cut: get it anew"
                      : fmt::format("the file was cut: get it anew, or take one of the whole ones "
                                    "before it, 1 to {}, with {}",
                                    whole.size(), typed_command("convert --frame")));
  }
  if (whole.empty()) {
    throw bad_data(fmt::format("{} is empty", name), "an XYZ file begins with a number of bodies");
  }
  require_frame(asked, whole.size(), name);
  return whole.back();
}

// The rows of a frame into the columns of a snapshot.
class Rows {
 public:
  Rows(const std::string& name, Snapshot& snapshot) : name_(name), snapshot_(snapshot) {}

  void begin(const XyzProperties& properties, std::uint64_t bodies) {
    CsvColumns columns;
    for (const XyzProperty& property : properties) {
      columns.insert(columns.end(), property.columns.begin(), property.columns.end());
    }
    make_room(snapshot_, columns, static_cast<std::size_t>(bodies));
    for (const XyzProperty& property : properties) {
      for (std::size_t k = 0; k < property.width; ++k) {
        slots_.push_back(property.columns.empty()
                             ? std::nullopt
                             : std::optional(column_values(snapshot_, *property.columns[k])));
      }
    }
    snapshot_.not_given = columns_missing(columns);
    const auto missing = [&](const char* column) {
      return std::ranges::count(snapshot_.not_given, column) > 0;
    };
    if (missing("mass")) std::ranges::fill(snapshot_.bodies.mass, 1.0);
    if (missing("id")) snapshot_.bodies.renumber();
  }

  void add(std::string_view line, std::size_t number, std::size_t body) {
    split_fields(line, false, fields_);
    if (fields_.size() != slots_.size()) {
      fail_at({name_, number, 1},
              fmt::format("{} where there are {} columns", counted(fields_.size(), "value"),
                          slots_.size()),
              "mend that line, or the number of bodies above");
    }
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (!slots_[i]) continue;
      const TextPlace at{name_, number, fields_[i].column};
      const TextField& field = fields_[i];
      std::visit([&](auto values) { take(field, at, values[body]); }, *slots_[i]);
    }
  }

  // Of which species there were bodies that are no types, for who wonders.
  void finish() {
    if (!any_type_) snapshot_.bodies.type.clear();
    if (elements_.empty()) return;
    std::vector<std::string> told;
    for (const auto& [species, count] : elements_) {
      told.push_back(fmt::format("{} ({})", species, count));
    }
    snapshot_.provenance.emplace_back("species", fmt::format("{}", fmt::join(told, ", ")));
  }

 private:
  static void take(const TextField& field, const TextPlace& place, double& value) {
    value = number_in(field, place);
    if (std::isfinite(value)) return;
    fail_at(place, fmt::format("'{}' is not a finite number", field.text),
            "mend or remove that body");
  }
  static void take(const TextField& field, const TextPlace& place, std::uint64_t& value) {
    value = whole_number_in(field, place);
  }
  void take(const TextField& field, const TextPlace& /*place*/, std::uint8_t& value) {
    if (const auto type = type_of_species(field.text)) {
      value = *type;
      any_type_ = true;
      return;
    }
    value = usual_type;
    constexpr std::size_t most_names = 100, longest = 16;
    if (field.text == "X") return;  // no species at all
    std::string species;
    for (const char c : field.text.substr(0, longest)) species += c > ' ' && c < 127 ? c : '?';
    if (elements_.size() < most_names || elements_.contains(species)) ++elements_[species];
  }

  const std::string& name_;
  Snapshot& snapshot_;
  std::vector<std::optional<CsvValues>> slots_;  // of the fields of a row
  std::vector<TextField> fields_;
  std::map<std::string, std::uint64_t> elements_;
  bool any_type_ = false;
};

void append_row(std::string& text, const Snapshot& snapshot, std::size_t i,
                const std::vector<ConstCsvValues>& values) {
  text += species_of(snapshot.bodies, i);
  for (const ConstCsvValues& column : values) {
    text += ' ';
    // the fewest digits that bring a number back exactly
    std::visit([&](auto numbers) { fmt::format_to(std::back_inserter(text), "{}", numbers[i]); },
               column);
  }
  text += '\n';
}

// A number of bodies in a line of its own, and text after it.
bool looks_like_xyz(std::span<const std::byte> beginning, std::uint64_t /*length*/) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  std::string_view first = text.substr(0, end);
  if (first.ends_with('\r')) first.remove_suffix(1);
  first = trimmed(first);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_text = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\r' || c == '\n';
  };
  return !first.empty() && std::ranges::all_of(first, is_digit) &&
         std::ranges::all_of(text.substr(end), is_text);
}

std::string flavour(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Lines lines(text);
  std::string_view line;
  lines.next(line) && lines.next(line);
  return line.find("Properties=") == std::string_view::npos ? "XYZ" : "extended XYZ";
}

std::vector<std::string> losses(const Snapshot& snapshot) {
  std::vector<std::string> lost;
  if (!snapshot.provenance.empty()) lost.emplace_back("XYZ has no provenance");
  return lost;
}

void write_frames(const std::filesystem::path& path, std::uint64_t frames,
                  const std::function<Snapshot(std::uint64_t)>& frame) {
  write_by_name(path, [&](const std::filesystem::path& temporary) {
    AppendLog file = AppendLog::create(temporary);
    for (std::uint64_t k = 0; k < frames; ++k) {
      const Snapshot snapshot = frame(k);
      require_consistent(snapshot, path.string());
      file.append(format_xyz(snapshot));
    }
    file.flush();
  });
}

}  // namespace

Snapshot parse_xyz(std::string_view text, const std::string& name, ReadLimits limits) {
  const Frames frames = frames_in(text, name);
  const Frame& frame = frame_asked_for(frames, name, limits);
  require_fits(frame.bodies, name, limits);
  Snapshot snapshot;
  snapshot.frames = frames.whole.size();
  Lines lines(frame.text);
  std::string_view line;
  lines.next(line);
  const XyzComment comment(line, {name, frame.line + 1, 1});
  comment.apply(snapshot);
  auto properties = comment.properties();
  if (properties && !frame.text.ends_with('\n')) {  // of a program, which ends what it finishes
    fail_at({name, frame.line + static_cast<std::size_t>(frame.bodies) + 1, 1},
            "the last line does not end", "the file was cut: get it anew");
  }
  Rows rows(name, snapshot);
  std::size_t body = 0;
  while (body < frame.bodies && lines.next(line)) {
    const std::size_t number = frame.line + lines.number();
    if (body == 0) {
      if (!properties) {
        std::vector<TextField> fields;
        split_fields(line, false, fields);
        properties = properties_counted(fields.size(), {name, number, 1});
      }
      rows.begin(*properties, frame.bodies);
    }
    rows.add(line, number, body++);
  }
  rows.finish();
  return snapshot;
}

std::string format_xyz(const Snapshot& snapshot) {
  const XyzProperties properties = properties_of(snapshot);
  std::vector<ConstCsvValues> values;
  for (const XyzProperty& property : properties) {
    if (property.kind == 'S') continue;  // the species, which stand first
    for (const CsvColumn* column : property.columns) {
      values.push_back(column_values(snapshot, *column));
    }
  }
  const std::size_t n = snapshot.bodies.size();
  std::string text = fmt::format("{}\n{}\n", n, xyz_comment(snapshot, properties));
  text.reserve(text.size() + n * values.size() * 20);
  for (std::size_t i = 0; i < n; ++i) append_row(text, snapshot, i, values);
  return text;
}

SnapshotFormat xyz_format() {
  return {
      .name = "XYZ",
      .endings = {".xyz", ".extxyz"},
      .summary = "frames of a movie as text, for OVITO, VMD and ASE; written as extended XYZ",
      .looks_like = looks_like_xyz,
      .read =
          [](std::span<const std::byte> bytes, const std::string& name, ReadLimits limits) {
            const auto* text = reinterpret_cast<const char*>(bytes.data());
            return parse_xyz({text, bytes.size()}, name, limits);
          },
      .write =
          [](const std::filesystem::path& path, const Snapshot& snapshot,
             const SnapshotWriteOptions& /*options*/) { write_text(path, format_xyz(snapshot)); },
      .write_frames = write_frames,
      .losses = losses,
      .flavour = flavour};
}

}  // namespace apsis
