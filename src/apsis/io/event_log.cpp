// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/event_log.hpp>
#include <apsis/io/text_table.hpp>

#include <fmt/format.h>

#include <iterator>
#include <string>

namespace apsis {
namespace {

constexpr std::size_t column_count = 17;

EventRow row_from(const std::vector<TextField>& fields, const TextPlace& place) {
  const auto number = [&](std::size_t i) { return number_in(fields[i], place); };
  const auto vector = [&](std::size_t i) { return Vec3{number(i), number(i + 1), number(i + 2)}; };
  EventRow row;
  row.step = whole_number_in(fields[0], place);
  BodyEvent& event = row.event;
  event.time = number(1), event.kind = std::string(fields[2].text);
  event.a = whole_number_in(fields[3], place);
  event.mass_a = number(5), event.place_a = vector(7);
  if (!fields[4].text.empty()) {
    event.b = whole_number_in(fields[4], place);
    event.mass_b = number(6), event.place_b = vector(10);
  }
  event.approach = number(13);
  event.energy_before = number(14), event.energy_after = number(15), event.energy_lost = number(16);
  return row;
}

}  // namespace

EventLog EventLog::create(const std::filesystem::path& path) {
  EventLog log(AppendLog::create(path));
  log.log_.append(header);
  return log;
}

EventLog EventLog::resume(const std::filesystem::path& path, std::uint64_t offset) {
  return EventLog(AppendLog::resume(path, offset));
}

void EventLog::append(const EventRow& row) {
  const BodyEvent& e = row.event;
  fmt::memory_buffer line;
  const auto out = std::back_inserter(line);
  fmt::format_to(out, "{},{:.17g},{},{},", row.step, e.time, e.kind, e.a);
  if (e.b) {
    fmt::format_to(out, "{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}", *e.b,
                   e.mass_a, e.mass_b, e.place_a.x, e.place_a.y, e.place_a.z, e.place_b.x,
                   e.place_b.y, e.place_b.z);
  } else {
    fmt::format_to(out, ",{:.17g},,{:.17g},{:.17g},{:.17g},,,", e.mass_a, e.place_a.x, e.place_a.y,
                   e.place_a.z);
  }
  fmt::format_to(out, ",{:.17g},{:.17g},{:.17g},{:.17g}\n", e.approach, e.energy_before,
                 e.energy_after, e.energy_lost);
  log_.append({line.data(), line.size()});
}

std::vector<EventRow> read_event_log(const std::filesystem::path& path) {
  const std::string text = read_text(path, std::uint64_t{1} << 32);
  const std::string name = path.string();
  const std::string_view header =
      std::string_view(EventLog::header).substr(0, std::string_view(EventLog::header).size() - 1);
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line) || line != header) {
    fail_at({name, 1, 1}, "not a table of events", fmt::format("its first line is '{}'", header));
  }
  std::vector<EventRow> rows;
  std::vector<TextField> fields;
  while (lines.next(line)) {
    const TextPlace place{name, lines.number(), 1};
    split_fields(line, true, fields);
    if (fields.size() != column_count) {
      fail_at(place, fmt::format("{} values where there should be {}", fields.size(), column_count),
              "remove that line");
    }
    rows.push_back(row_from(fields, place));
  }
  return rows;
}

}  // namespace apsis
