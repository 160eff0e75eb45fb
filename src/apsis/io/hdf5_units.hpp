// SPDX-License-Identifier: MIT
// Inside io/: the units of an HDF5 file, as GADGET, AREPO and SWIFT write them, and what has to be
// assumed where a file says nothing.
#pragma once

#include <apsis/core/units.hpp>
#include <apsis/core/warning.hpp>
#include <apsis/io/hdf5_handles.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct FoundUnits {
  Units units;
  bool assumed = false;  // the file names none
  std::vector<Warning> warnings;
};

// `name` of the file starts the texts of warnings.
FoundUnits find_units(const hdf5::Session& session, const hdf5::Handle& file,
                      const std::optional<hdf5::Handle>& header,
                      const std::optional<hdf5::Handle>& parameters, const std::string& name);

// A warning where the file holds comoving coordinates; they are taken as they are.
std::optional<Warning> comoving_warning(const hdf5::Session& session, const hdf5::Handle& file,
                                        const std::optional<hdf5::Handle>& header,
                                        const std::optional<hdf5::Handle>& parameters,
                                        const std::string& name);

// The attribute's first number; `otherwise` where there is none.
double number_or(const hdf5::Session& session, const hdf5::Handle& object, const std::string& name,
                 double otherwise);

}  // namespace apsis
