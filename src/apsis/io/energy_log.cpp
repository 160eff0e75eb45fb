// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/text_table.hpp>

#include <fmt/format.h>

#include <iterator>
#include <string>

namespace apsis {
namespace {

constexpr std::size_t column_count = 16;

EnergyRow row_from(const std::vector<TextField>& fields, const TextPlace& place) {
  const auto number = [&](std::size_t i) { return number_in(fields[i], place); };
  const auto vector = [&](std::size_t i) { return Vec3{number(i), number(i + 1), number(i + 2)}; };
  EnergyRow row;
  row.step = whole_number_in(fields[0], place);
  row.time = number(1);
  row.energies.kinetic = number(2);
  row.energies.potential = number(3);
  row.error = number(5);
  row.energies.momentum = vector(6);
  row.energies.angular_momentum = vector(9);
  row.energies.center_of_mass = vector(12);
  if (fields.size() > column_count) row.lost = number(column_count);
  return row;
}

std::string_view without_end(std::string_view line) { return line.substr(0, line.size() - 1); }

}  // namespace

EnergyLog EnergyLog::create(const std::filesystem::path& path, EnergyColumns columns) {
  EnergyLog log(AppendLog::create(path), columns);
  log.log_.append(columns == EnergyColumns::usual ? header : header_with_losses);
  return log;
}

EnergyLog EnergyLog::resume(const std::filesystem::path& path, std::uint64_t offset,
                            EnergyColumns columns) {
  if (offset < std::string_view(header).size()) {
    throw bad_data(
        fmt::format("the checkpoint was written when {} had {} bytes, not even its first "
                    "line",
                    path.string(), offset),
        "resume from the other checkpoint, or start the run again");
  }
  return {AppendLog::resume(path, offset), columns};
}

void EnergyLog::append(const EnergyRow& row) {
  const Energies& e = row.energies;
  const double values[] = {row.time,
                           e.kinetic,
                           e.potential,
                           e.total(),
                           row.error,
                           e.momentum.x,
                           e.momentum.y,
                           e.momentum.z,
                           e.angular_momentum.x,
                           e.angular_momentum.y,
                           e.angular_momentum.z,
                           e.center_of_mass.x,
                           e.center_of_mass.y,
                           e.center_of_mass.z,
                           e.virial()};
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), "{}", row.step);
  for (const double value : values) fmt::format_to(std::back_inserter(line), ",{:.17g}", value);
  if (columns_ == EnergyColumns::with_losses) {
    fmt::format_to(std::back_inserter(line), ",{:.17g}", row.lost);
  }
  line.push_back('\n');
  log_.append({line.data(), line.size()});
}

std::vector<EnergyRow> read_energy_log(const std::filesystem::path& path) {
  const std::string text = read_text(path, std::uint64_t{1} << 30);
  const std::string name = path.string();
  const std::string_view usual = without_end(EnergyLog::header);
  const std::string_view with_losses = without_end(EnergyLog::header_with_losses);
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line) || (line != usual && line != with_losses)) {
    fail_at({name, 1, 1}, "not an energy log", fmt::format("its first line is '{}'", usual));
  }
  const std::size_t columns = line == usual ? column_count : column_count + 1;
  std::vector<EnergyRow> rows;
  std::vector<TextField> fields;
  while (lines.next(line)) {
    const TextPlace place{name, lines.number(), 1};
    split_fields(line, true, fields);
    if (fields.size() != columns) {
      fail_at(place, fmt::format("{} values where there should be {}", fields.size(), columns),
              "remove that line");
    }
    rows.push_back(row_from(fields, place));
  }
  return rows;
}

}  // namespace apsis
