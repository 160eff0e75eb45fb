// SPDX-License-Identifier: MIT
// events.csv: a row for everything that changed bodies beside forces, in the order of time. Without
// clock values, so that runs can be compared byte by byte.
#pragma once

#include <apsis/files/append_log.hpp>
#include <apsis/sim/event.hpp>

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace apsis {

struct EventRow {
  std::uint64_t step = 0;
  BodyEvent event;
  friend bool operator==(const EventRow&, const EventRow&) = default;
};

class EventLog {
 public:
  static EventLog create(const std::filesystem::path& path);
  static EventLog resume(const std::filesystem::path& path, std::uint64_t offset);

  void append(const EventRow& row);
  void flush() { log_.flush(); }
  void sync() { log_.sync(); }
  std::uint64_t offset() const { return log_.offset(); }

  static constexpr const char* header =
      "step,time,kind,a,b,mass_a,mass_b,xa,ya,za,xb,yb,zb,approach,energy_before,energy_after,"
      "energy_lost\n";

 private:
  explicit EventLog(AppendLog log) : log_(std::move(log)) {}
  AppendLog log_;
};

// bad_data with line and column for what is not such a table.
std::vector<EventRow> read_event_log(const std::filesystem::path& path);

}  // namespace apsis
