// SPDX-License-Identifier: MIT
// All pairs on an OpenCL device, in the variants of one table: from the tutorial's kernel to the
// one that meets each pair once.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/radial_laws.hpp>
#include <apsis/device/context.hpp>
#include <apsis/solvers/device_views.hpp>
#include <apsis/solvers/solver_choice.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// "rows=4 unroll=8", only what is not 0; and back (bad_data for anything else).
std::string text_of(const DirectSizes& sizes);
DirectSizes sizes_from(const std::string& text);

struct DirectVariant {
  std::string name;
  std::string summary;  // one line for lists
  std::string file;     // of kernels/
  bool ordered = true;  // sums in a fixed order: same bits on repetition
  // Files with the law of pairs that it does not read, or must not where they are edited; and why.
  std::vector<std::string> passes_over = {};
  std::string why = {};
  bool newton_only = false;  // takes no other radial law
};

// From the simplest to the fastest.
std::span<const DirectVariant> direct_opencl_variants();
std::vector<std::string> direct_opencl_variant_names();
// The file of kernels/ that a variant of the table is built from.
const std::string& direct_kernel_file(const std::string& variant);

// The variant that is usually the fastest on such a device, without measuring.
std::string default_direct_variant(const DeviceInfo& device, Precision precision,
                                   std::size_t bodies);
// What a variant is built with where nothing else is asked for. Depends on the number of bodies.
DirectSizes default_direct_sizes(const DeviceInfo& device, const std::string& variant,
                                 Precision precision, std::size_t bodies);
// What is worth trying in a search.
std::vector<DirectSizes> candidate_direct_sizes(const DeviceInfo& device,
                                                const std::string& variant, Precision precision);

struct DirectOpenclSettings {
  double softening = 0;   // in the units of the state
  RadialLaw radial = {};  // likewise
  Precision precision = Precision::f32;
  std::string variant;  // empty: the default one
  DirectSizes sizes;    // 0: defaults
  bool reproducible = false;
  // All strengths are this one (not 0): the pair loops leave out the products with it.
  std::optional<double> equal_strength;
  std::size_t bodies = 0;  // for the choice of sizes
};

// Whether a variant of the table sums by such a law; also for one that is not in it.
bool takes(const std::string& variant, Radial radial);

// Throws bad_data for unknown variants, those that do not take the radial law, and sizes that do
// not fit the device.
std::unique_ptr<Solver<Device>> make_direct_opencl(device::Context& context,
                                                   const DirectOpenclSettings& settings);

}  // namespace apsis
