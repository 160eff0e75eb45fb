// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/io/energy_log.hpp>
#include <apsis/measure/chart.hpp>

#include <span>
#include <string>

namespace apsis {

// energy.png of a run: kinetic, potential and total energy, and below them the energy error.
// `time_unit` for the axis, empty where time has no name.
Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title,
                   const std::string& time_unit = {});

}  // namespace apsis
