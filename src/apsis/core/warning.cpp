// SPDX-License-Identifier: MIT
#include <apsis/core/warning.hpp>

#include <algorithm>
#include <array>

namespace apsis {
namespace {

using enum WarningClass;

constexpr std::array table{
    WarningInfo{WarningCode::energy_error, "energy-error", numbers,
                "the energy error passed 1e-2; the text names the likely causes in this run"},
    WarningInfo{WarningCode::force_error, "force-error", numbers,
                "sampled force errors are above force.accuracy, or far above what solver and "
                "precision give"},
    WarningInfo{WarningCode::input_rounding, "input-rounding", numbers,
                "f32 holds positions so coarsely that forces change by more than force.accuracy"},
    WarningInfo{WarningCode::bodies_outside_box, "bodies-outside-box", numbers,
                "bodies outside force.box count with the bins at its border"},
    WarningInfo{
        WarningCode::units_assumed, "units-assumed", input,
        "a file names no units: kpc, 1e10 Msun and km/s are taken in GADGET's layout, G = 1 "
        "in AMUSE's"},
    WarningInfo{WarningCode::comoving, "comoving", input,
                "a file holds comoving coordinates, which are taken as they are"},
    WarningInfo{WarningCode::ids_dropped, "ids-dropped", input,
                "only some bodies of a file have ids, or several have the same: all are numbered "
                "anew"},
    WarningInfo{WarningCode::several_snapshots, "several-snapshots", input,
                "a file holds several snapshots: the last one is taken"},
    WarningInfo{WarningCode::coincident_bodies, "coincident-bodies", input,
                "bodies share their place with others at the start and exert no force on them"},
    WarningInfo{WarningCode::overlapping_bodies, "overlapping-bodies", input,
                "bodies with contacts overlap at the start"},
    WarningInfo{WarningCode::no_step, "no-step", input,
                "the bodies' time is already that of time.until or later"},
    WarningInfo{WarningCode::other_bits, "other-bits", device,
                "the run went on elsewhere: it agrees to rounding, not bit for bit"},
    WarningInfo{WarningCode::checkpoint_damaged, "checkpoint-damaged", files,
                "a newer checkpoint could not be used: the run went on from one before it"},
    WarningInfo{WarningCode::no_picture, "no-picture", files, "a picture could not be made"}};

}  // namespace

std::span<const WarningInfo> warning_table() { return table; }

const WarningInfo& info_of(WarningCode code) {
  return *std::find_if(table.begin(), table.end(),
                       [code](const WarningInfo& row) { return row.code == code; });
}

const WarningInfo* find_warning(std::string_view name) {
  const auto* found = std::find_if(table.begin(), table.end(),
                                   [name](const WarningInfo& row) { return row.name == name; });
  return found == table.end() ? nullptr : found;
}

}  // namespace apsis
