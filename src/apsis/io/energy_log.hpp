// SPDX-License-Identifier: MIT
// energy.csv: one row per look at the energies, without clock values, so that runs can be compared
// byte by byte.
#pragma once

#include <apsis/core/energies.hpp>
#include <apsis/files/append_log.hpp>

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace apsis {

struct EnergyRow {
  std::uint64_t step = 0;
  double time = 0;
  Energies energies;
  double error = 0;  // energy_error() against the start
  double lost = 0;   // that it takes account of
};

// Runs whose bodies may touch or leave have one column more.
enum class EnergyColumns { usual, with_losses };

class EnergyLog {
 public:
  static EnergyLog create(const std::filesystem::path& path,
                          EnergyColumns columns = EnergyColumns::usual);
  static EnergyLog resume(const std::filesystem::path& path, std::uint64_t offset,
                          EnergyColumns columns = EnergyColumns::usual);

  void append(const EnergyRow& row);
  void flush() { log_.flush(); }
  void sync() { log_.sync(); }
  std::uint64_t offset() const { return log_.offset(); }

  static constexpr const char* header =
      "step,time,kinetic,potential,total,error,px,py,pz,lx,ly,lz,cx,cy,cz,virial\n";
  static constexpr const char* header_with_losses =
      "step,time,kinetic,potential,total,error,px,py,pz,lx,ly,lz,cx,cy,cz,virial,lost\n";

 private:
  EnergyLog(AppendLog log, EnergyColumns columns) : log_(std::move(log)), columns_(columns) {}
  AppendLog log_;
  EnergyColumns columns_;
};

// bad_data with line and column for what is not such a table.
std::vector<EnergyRow> read_energy_log(const std::filesystem::path& path);

}  // namespace apsis
