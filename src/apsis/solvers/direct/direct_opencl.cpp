// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace apsis {
namespace direct_opencl {
namespace {

// Without softening, or with so little that float can't hold its square, double roots are exact
// ones: the fast ones start from a float.
constexpr double smallest_fast_softening = 1e-15;
// A softening this far below the resolution of the positions acts on no pair but that of a body
// with itself, whose 1/ε³ would overflow.
constexpr double smallest_float_softening = 0x1p-40, smallest_double_softening = 0x1p-300;

// A number as OpenCL's compiler reads it, to the bit; what the type cannot hold is its nearest.
std::string literal(double value, bool wide) {
  using Float = std::numeric_limits<float>;
  using Double = std::numeric_limits<double>;
  if (wide) return fmt::format("{:a}", std::clamp(value, Double::min(), Double::max()));
  const auto narrow = std::clamp(value, double{Float::min()}, double{Float::max()});
  return fmt::format("{:a}f", static_cast<double>(static_cast<float>(narrow)));
}

}  // namespace

Settings::Settings(device::Context& context, const DirectOpenclSettings& settings)
    : context_(&context), asked_(settings), folder_(apsis::kernel_folder(context.kernel_folder())) {
  const double smallest =
      asked_.precision == Precision::f64 ? smallest_double_softening : smallest_float_softening;
  if (asked_.softening < smallest) asked_.softening = 0;
}

device::Program Settings::program(const std::string& file, const device::Defines& defines) const {
  const Radial radial = asked_.radial.radial;
  if (radial == newton) return context_->program(file, defines);
  const WrittenKernel in_its_place{radial_kernel(newton),
                                   fmt::format("#include \"{}\"\n", radial_kernel(radial))};
  const auto parts = kernel_text(file, folder_.path, in_its_place).files;
  if (std::ranges::find(parts, radial_kernel(radial)) == parts.end()) {
    throw bad_data(fmt::format("{} does not read {}, so that its forces would be those of newton",
                               (folder_.path / file).string(), radial_kernel(newton)),
                   "include radial.cl there, as the built-in file does, or leave force.radial out");
  }
  return context_->program(file, defines, in_its_place);
}

device::Defines Settings::defines(bool potential) const {
  const bool f64 = asked_.precision == Precision::f64;
  const bool exact_root =
      f64 && (asked_.reproducible || asked_.softening < smallest_fast_softening);
  device::Defines defines{{"PRECISION", f64                                  ? "64"
                                        : asked_.precision == Precision::f32 ? "32"
                                                                             : "48"},
                          {"SOFTENED", softened() ? "1" : "0"},
                          {"POTENTIAL", potential ? "1" : "0"},
                          {"FAST_ROOT", exact_root ? "0" : "1"},
                          {"WARPS", device().has_warps ? "1" : "0"}};
  if (asked_.radial.range > 0) defines.emplace_back("RANGE", literal(asked_.radial.range, f64));
  return defines;
}

void Settings::reserve(PartialSums& sums, int parts) const {
  const std::size_t entry = 4 * state_bytes(asked_.precision);
  const auto bytes_of = [&](int count) {
    return entry * (sums.first + sums.padded * static_cast<std::size_t>(count));
  };
  const std::size_t needed = bytes_of(sums.used + parts);
  if (needed <= sums.sums.bytes()) return;
  std::vector<std::byte> kept(sums.used > 0 ? bytes_of(sums.used) : 0);
  if (!kept.empty()) sums.sums.read(std::span(kept));
  sums.sums = context_->buffer(needed, "sums of the field");
  if (!kept.empty()) sums.sums.write(std::span<const std::byte>(kept));
}

namespace {

void require_takes(const std::string& variant, Radial radial) {
  if (takes(variant, radial)) return;
  std::vector<std::string> takers = direct_opencl_variant_names();
  std::erase_if(takers, [&](const std::string& name) { return !takes(name, radial); });
  throw bad_data(
      fmt::format("variant {} knows radial law newton alone, not {}", variant, name_of(radial)),
      fmt::format("leave it out, or use variant {}", list_of(takers)));
}

// Tiles hold whole sums of 32 pairs, and every work-item loads as much of them.
bool shares_tiles(int group) { return group > 0 && (group % 32 == 0 || 32 % group == 0); }

bool has_groups(const std::string& variant) { return variant != "wide"; }

// The default one, or `rows` where that has no groups of such a size, or another law.
std::string variant_for(const DeviceInfo& device, const DirectOpenclSettings& asked,
                        const KernelFolder& folder) {
  // exact double sums in one order on every device: one-sided, whatever the speed
  const bool one_order = asked.reproducible && asked.precision == Precision::f64;
  if (one_order && device.kind != DeviceKind::cpu) return "rows";
  std::string variant = default_direct_variant(device, asked.precision, asked.bodies);
  const int group = asked.sizes.group;
  const bool in_groups =
      group == 0 || (has_groups(variant) && (variant != "symmetric" || group % 32 == 0));
  const bool fits = in_groups && follows(folder, variant) && takes(variant, asked.radial.radial);
  return fits ? variant : "rows";
}

void require_good_sizes(const DeviceInfo& device, const std::string& variant,
                        const DirectSizes& sizes) {
  const auto require = [&](bool good, const std::string& what, const std::string& remedy) {
    if (good) return;
    throw bad_data(fmt::format("variant {} can't be built with {}", variant, what), remedy);
  };
  const bool symmetric = variant == "symmetric";
  const int items = symmetric ? std::max(sizes.group, 32 * sizes.teams) : sizes.group;
  if (symmetric) {
    require(sizes.group % (32 * sizes.teams) == 0, fmt::format("work-groups of {}", sizes.group),
            fmt::format("give a multiple of {}", 32 * sizes.teams));
  } else if (sizes.group != 0) {
    require(has_groups(variant), fmt::format("work-groups of {}", sizes.group),
            "leave their size out: each of its work-items stands alone");
    require(shares_tiles(sizes.group), fmt::format("work-groups of {}", sizes.group),
            "give 1, 2, 4, 8, 16 or a multiple of 32");
  }
  require(items >= 0 && static_cast<std::size_t>(items) <= device.largest_group,
          fmt::format("work-groups of {}", items),
          fmt::format("{} takes at most {}", device.name, device.largest_group));
  require(sizes.unroll >= 0 && sizes.unroll <= 32, fmt::format("unroll {}", sizes.unroll),
          "give 1 to 32");
  require(sizes.rows >= 0 && sizes.rows <= 32, fmt::format("{} rows", sizes.rows), "give 1 to 32");
  require(!symmetric || 96 % (sizes.rows * sizes.teams) == 0,
          fmt::format("{} rows and {} teams", sizes.rows, sizes.teams),
          "give numbers whose product divides 96");
  require(sizes.chunk == 0 || (!symmetric && (sizes.chunk == 1 || sizes.chunk == 32)),
          fmt::format("sums of {} pairs", sizes.chunk),
          symmetric ? "leave chunk out" : "give a chunk of 1 or 32");
  require(variant != "wide" || sizes.width == 4 || sizes.width == 8 || sizes.width == 16,
          fmt::format("vectors of {}", sizes.width), "give a width of 4, 8 or 16");
}

// What is asked for over what the device and the number of bodies suggest. In `reproducible` mode
// teams share no tiles, so that the size of a work-group changes no sum.
DirectSizes resolved_sizes(const DeviceInfo& device, const DirectOpenclSettings& asked) {
  DirectSizes sizes = default_direct_sizes(device, asked.variant, asked.precision, asked.bodies);
  const bool symmetric = asked.variant == "symmetric";
  if (symmetric && asked.reproducible) {
    sizes.teams = 1;
    sizes.group = device.has_warps ? 128 : 32;
  }
  for (const auto value : {&DirectSizes::group, &DirectSizes::rows, &DirectSizes::unroll,
                           &DirectSizes::width, &DirectSizes::teams, &DirectSizes::chunk}) {
    if (asked.sizes.*value > 0) sizes.*value = asked.sizes.*value;
  }
  if (symmetric && !asked.reproducible && asked.sizes.group > 0 && asked.sizes.teams == 0) {
    sizes.teams = std::max(1, asked.sizes.group / 32);
  }
  return sizes;
}

class DirectOpencl final : public Solver<Device> {
 public:
  DirectOpencl(device::Context& context, const DirectOpenclSettings& settings, DirectSizes sizes)
      : settings_(context, settings),
        sizes_(sizes),
        symmetric_(settings_, sizes),
        one_sided_(settings_, one_sided_variant(), one_sided_sizes()),
        with_jerk_(settings_) {}

  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override {
    const bool same = sources.place == targets.place;
    if (sources.first == 0) {
      add(sources, targets, field, same ? 0 : no_body_in_common);
      return;
    }
    // kernels count sources from the first one
    const std::size_t offset = sources.first * 4 * state_bytes(settings_.asked().precision);
    const device::Buffer place = sources.place->from(offset);
    device::Buffer velocity;
    Bodies piece = sources;
    piece.place = &place;
    if (sources.velocity != nullptr) {
      velocity = sources.velocity->from(offset);
      piece.velocity = &velocity;
    }
    add(piece, targets, field, same ? -static_cast<int>(sources.first) : no_body_in_common);
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    if (is_symmetric() && !field.wants().jerk && bodies.count > 0) {
      symmetric_.add(bodies, field);
    } else {
      add(bodies, bodies, field, 0);
    }
  }
  bool gives_jerk() const override { return true; }
  bool sums_by_parts() const override { return true; }
  std::string name() const override { return "direct"; }
  std::string variant() const override { return settings_.asked().variant; }
  SolverChoice chosen() const override { return sizes_; }

 private:
  bool is_symmetric() const { return settings_.asked().variant == "symmetric"; }
  // Two sets that differ are a case for `rows` where the variant meets each pair of a set once.
  std::string one_sided_variant() const {
    return is_symmetric() ? "rows" : settings_.asked().variant;
  }
  DirectSizes one_sided_sizes() const {
    if (!is_symmetric()) return sizes_;
    const DirectOpenclSettings& asked = settings_.asked();
    return default_direct_sizes(settings_.device(), "rows", asked.precision, asked.bodies);
  }
  void add(const Bodies& sources, const Bodies& targets, const FieldOf& field, int own_offset) {
    if (sources.count == 0 || targets.count == 0) return;
    if (field.wants().jerk) {
      with_jerk_.add(sources, targets, field, own_offset);
    } else {
      one_sided_.add(sources, targets, field, own_offset);
    }
  }

  Settings settings_;
  DirectSizes sizes_;
  Symmetric symmetric_;
  OneSided one_sided_;
  WithJerk with_jerk_;
};

}  // namespace
}  // namespace direct_opencl

std::unique_ptr<Solver<Device>> make_direct_opencl(device::Context& context,
                                                   const DirectOpenclSettings& settings) {
  const DeviceInfo& device = context.device();
  DirectOpenclSettings asked = settings;
  const KernelFolder folder = kernel_folder(context.kernel_folder());
  if (asked.variant.empty()) {
    asked.variant = direct_opencl::variant_for(device, asked, folder);
  }
  const auto names = direct_opencl_variant_names();
  if (std::find(names.begin(), names.end(), asked.variant) == names.end()) {
    throw bad_data(fmt::format("solver direct has no variant '{}' on {}{}", asked.variant,
                               device.name, did_you_mean(asked.variant, names)),
                   "choose " + list_of(names));
  }
  require_follows(folder, asked.variant);
  direct_opencl::require_takes(asked.variant, asked.radial.radial);
  if (asked.precision != Precision::f32 && !device.has_double) {
    throw bad_data(fmt::format("{} has no double precision, which {} needs", device.name,
                               name_of(asked.precision)),
                   "use precision = \"f32\" or another device");
  }
  const DirectSizes sizes = direct_opencl::resolved_sizes(device, asked);
  direct_opencl::require_good_sizes(device, asked.variant, sizes);
  return std::make_unique<direct_opencl::DirectOpencl>(context, asked, sizes);
}

}  // namespace apsis
