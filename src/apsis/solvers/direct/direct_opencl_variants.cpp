// SPDX-License-Identifier: MIT
// The table of variants, and the sizes that each is built with.
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace apsis {
namespace {

// Below this many bodies a GPU runs out of pairs to meet once, and out of work-groups.
constexpr std::size_t symmetric_from = 4096;
// From here on large blocks, whose sums cost less, still fill a GPU.
constexpr std::size_t large_blocks_from = 65536;

struct SizeName {
  const char* name;
  int DirectSizes::*value;
};
constexpr std::array size_names{
    SizeName{"group", &DirectSizes::group},   SizeName{"rows", &DirectSizes::rows},
    SizeName{"unroll", &DirectSizes::unroll}, SizeName{"width", &DirectSizes::width},
    SizeName{"teams", &DirectSizes::teams},   SizeName{"chunk", &DirectSizes::chunk}};

// What an H200 does best with; other devices with warps follow the same rules.
DirectSizes symmetric_sizes(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  if (!device.has_warps) return {.rows = 4, .unroll = 1, .teams = 1};
  const bool large = bodies >= large_blocks_from;
  if (precision == Precision::f64) {
    return {.rows = large ? 6 : 4, .unroll = 8, .teams = large ? 4 : 1};
  }
  return {.rows = large ? 12 : 8, .unroll = 8, .teams = large ? 4 : 1};
}

// And those of all radial laws.
std::vector<std::string> with_radials(std::vector<std::string> files) {
  for (const auto& [radial, name] : Choice<Radial>::values) files.push_back(radial_kernel(radial));
  return files;
}

// As wide as AVX-512 in the pairs' type; compilers split it where the CPU has less.
DirectSizes wide_sizes(Precision precision) {
  return {.rows = 2, .width = precision == Precision::f64 ? 8 : 16};
}

}  // namespace

std::string text_of(const DirectSizes& sizes) {
  std::string text;
  for (const auto& [name, value] : size_names) {
    if (sizes.*value == 0) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, sizes.*value);
  }
  return text;
}

DirectSizes sizes_from(const std::string& text) {
  DirectSizes sizes;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = word.find('=');
    const auto found = std::find_if(size_names.begin(), size_names.end(), [&](const SizeName& s) {
      return sign != std::string::npos && word.substr(0, sign) == s.name;
    });
    int value = 0;
    const char* last = word.data() + word.size();
    const bool good = found != size_names.end() &&
                      std::from_chars(word.data() + sign + 1, last, value).ptr == last && value > 0;
    if (!good) {
      throw bad_data(fmt::format("'{}' is no size of a kernel", word),
                     "give for example \"rows=4 unroll=8\"");
    }
    sizes.*(found->value) = value;
  }
  return sizes;
}

std::span<const DirectVariant> direct_opencl_variants() {
  static const std::vector<DirectVariant> variants{
      {"naive", "one body a work-item, numbers read one by one from global memory",
       "direct_naive.cl"},
      {"packed3", "positions stored x, y, z without padding", "direct_packed3.cl"},
      {"float4", "a body in one load of four numbers", "direct_float4.cl"},
      {"tiled", "tiles of bodies shared in local memory", "direct_rows.cl"},
      {"unrolled", "tiled, with pairs written out one after the other", "direct_rows.cl"},
      {"rows", "unrolled, with several bodies a work-item", "direct_rows.cl"},
      {.name = "wide",
       .summary = "explicit vectors of bodies, for CPU devices",
       .file = "direct_wide.cl",
       .passes_over = with_radials({"pair.cl", "pair_sum.cl", "radial.cl", "numbers.cl"}),
       .why = "has the law in vectors of its own",
       .newton_only = true},
      {.name = "symmetric",
       .summary = "each pair once: both bodies feel it",
       .file = "direct_symmetric.cl",
       .passes_over = {"pair.cl", "pair_sum.cl", "radial.cl"},
       .why = "takes the two forces of a pair for opposite ones, as the built-in law has them"},
  };
  return variants;
}

std::vector<std::string> direct_opencl_variant_names() {
  std::vector<std::string> names;
  for (const DirectVariant& variant : direct_opencl_variants()) names.push_back(variant.name);
  return names;
}

bool takes(const std::string& variant, Radial radial) {
  const auto variants = direct_opencl_variants();
  const auto found = std::ranges::find(variants, variant, &DirectVariant::name);
  return radial == newton || found == variants.end() || !found->newton_only;
}

const std::string& direct_kernel_file(const std::string& variant) {
  const auto variants = direct_opencl_variants();
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const DirectVariant& v) { return v.name == variant; });
  if (found != variants.end()) return found->file;
  throw Error(ExitCode::internal_error, fmt::format("variant '{}' has no kernel file", variant));
}

std::string default_direct_variant(const DeviceInfo& device, Precision /*precision*/,
                                   std::size_t bodies) {
  if (device.kind == DeviceKind::cpu) return "wide";
  // elsewhere the teams of `symmetric` need a barrier a step
  return device.has_warps && bodies >= symmetric_from ? "symmetric" : "rows";
}

DirectSizes default_direct_sizes(const DeviceInfo& device, const std::string& variant,
                                 Precision precision, std::size_t bodies) {
  if (variant == "symmetric") return symmetric_sizes(device, precision, bodies);
  if (variant == "wide") return wide_sizes(precision);
  const int group = static_cast<int>(std::min<std::size_t>(
      device.kind == DeviceKind::cpu || bodies < symmetric_from ? 64 : 256, device.largest_group));
  if (variant == "tiled") return {.group = group, .rows = 1, .unroll = 1};
  if (variant == "unrolled") return {.group = group, .rows = 1, .unroll = 8};
  if (variant == "rows")
    return {.group = group, .rows = bodies < symmetric_from ? 1 : 4, .unroll = 8};
  return {};  // the driver knows best
}

std::vector<DirectSizes> candidate_direct_sizes(const DeviceInfo& device,
                                                const std::string& variant, Precision precision) {
  std::vector<DirectSizes> candidates;
  if (variant == "symmetric") {
    for (const int teams : {1, 2, 4}) {
      for (const int rows : {4, 6, 8, 12}) {
        for (const int unroll : {2, 8}) {
          candidates.push_back({.rows = rows, .unroll = unroll, .teams = teams});
        }
      }
    }
  } else if (variant == "wide") {
    const int widest = precision == Precision::f64 ? 8 : 16;
    for (const int width : {widest / 2, widest}) {
      for (const int rows : {1, 2, 3, 4}) candidates.push_back({.rows = rows, .width = width});
    }
  } else if (variant == "rows") {
    for (const int group : {64, 128, 256}) {
      if (static_cast<std::size_t>(group) > device.largest_group) continue;
      for (const int rows : {1, 2, 4}) {
        for (const int unroll : {4, 8}) {
          candidates.push_back({.group = group, .rows = rows, .unroll = unroll});
        }
      }
    }
  } else {
    candidates.push_back(default_direct_sizes(device, variant, precision, large_blocks_from));
  }
  return candidates;
}

}  // namespace apsis
