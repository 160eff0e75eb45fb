// SPDX-License-Identifier: MIT
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/bins/bins_opencl.hpp>
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/direct/direct_opencl_plan.hpp>
#include <apsis/solvers/timed_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace apsis {
namespace {

using device::Buffer;
using device::Kernel;
using device::Range;
using device::Scalar;
using Settings = direct_opencl::Settings;

constexpr std::size_t group = 64;
constexpr std::size_t most_box_groups = 64;  // that look for the box of the bodies
constexpr std::size_t most_segments = 1024;  // of the counts when they are added up
constexpr std::size_t most_counts = 8'388'608;
constexpr std::size_t least_chunk = 64;  // bodies

std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}
Range items(std::size_t count) { return {{rounded_up(count, group), 1, 1}, {group, 1, 1}}; }

// What is no pair follows from the precision alone, and is built once for all softenings.
device::Defines without_law(const Settings& settings) {
  device::Defines out{{"GROUP", std::to_string(group)}};
  for (const auto& define : settings.defines(false)) {
    if (define.first == "PRECISION") out.push_back(define);
  }
  return out;
}

void grow(Buffer& buffer, std::size_t bytes, device::Context& context, const char* what) {
  if (buffer.bytes() >= bytes) return;
  buffer = {};  // the old one goes before the new one comes
  buffer = context.buffer(bytes, what);
}

// Bodies on the device in the order of their bins.
struct Contents {
  Buffer counts, segment_sums;  // counts: where bodies of each bin and chunk end, in the end
  Buffer sorted, came_from;
  std::size_t count = 0, chunks = 0;
};

class Sorting {
 public:
  Sorting(device::Context& context, const Settings& settings, int bins)
      : context_(context), bins_(bins), entry_bytes_(4 * state_bytes(settings.asked().precision)) {
    const device::Program program = context.program("bins_contents.cl", without_law(settings));
    find_box_ = program.kernel<int, Buffer, Buffer>("find_box");
    make_grid_ = program.kernel<int, Buffer, int, Buffer>("make_grid");
    clear_ = program.kernel<int, Buffer>("clear_counts");
    count_ = program.kernel<int, int, Buffer, Buffer, int, int, int, Buffer>("count_bodies");
    sum_segments_ = program.kernel<int, int, Buffer, Buffer>("sum_segments");
    add_up_segments_ = program.kernel<int, Buffer>("add_up_segments");
    add_up_counts_ = program.kernel<int, int, Buffer, Buffer>("add_up_counts");
    put_ = program.kernel<int, int, Buffer, Buffer, int, int, int, Buffer, Buffer, Buffer>(
        "put_bodies");
    boxes_ = context.buffer(2 * most_box_groups * entry_bytes_, "boxes");
  }

  std::size_t bin_count() const {
    return static_cast<std::size_t>(bins_) * static_cast<std::size_t>(bins_) *
           static_cast<std::size_t>(bins_);
  }

  void make_grid(const BodiesView<Device>& bodies, Buffer& grid) {
    const std::size_t groups = std::min(most_box_groups, rounded_up(bodies.count, group) / group);
    find_box_({{groups * group, 1, 1}, {group, 1, 1}}, static_cast<int>(bodies.count),
              *bodies.place, boxes_);
    make_grid_({}, static_cast<int>(groups), boxes_, bins_, grid);
  }

  void sort(const BodiesView<Device>& bodies, const Buffer& grid, Contents& out) {
    const std::size_t n = bodies.count;
    out.count = n;
    out.chunks = chunks_for(n);
    const std::size_t entries = bin_count() * out.chunks;
    const std::size_t segments = std::min(most_segments, rounded_up(entries / group + 1, group));
    grow(out.counts, entries * sizeof(int), context_, "counts of bins");
    grow(out.segment_sums, most_segments * sizeof(int), context_, "counts of bins");
    grow(out.sorted, bodies.padded * entry_bytes_, context_, "sorted bodies");
    grow(out.came_from, bodies.padded * sizeof(int), context_, "sorted bodies");
    const int total = static_cast<int>(entries), chunks = static_cast<int>(out.chunks),
              length = static_cast<int>((n + out.chunks - 1) / out.chunks),
              segment = static_cast<int>((entries + segments - 1) / segments),
              first = static_cast<int>(bodies.first), bodies_here = static_cast<int>(n);
    clear_(items(entries), total, out.counts);
    count_(items(out.chunks), first, bodies_here, *bodies.place, grid, bins_, chunks, length,
           out.counts);
    sum_segments_(items(segments), total, segment, out.counts, out.segment_sums);
    add_up_segments_(items(1), static_cast<int>(segments), out.segment_sums);
    add_up_counts_(items(segments), total, segment, out.segment_sums, out.counts);
    put_(items(out.chunks), first, bodies_here, *bodies.place, grid, bins_, chunks, length,
         out.counts, out.sorted, out.came_from);
  }

 private:
  // As many as keep the device busy; the order of the bodies does not depend on it.
  std::size_t chunks_for(std::size_t bodies) const {
    const std::size_t wanted = context_.device().kind == DeviceKind::cpu ? 64 : 4096;
    const std::size_t by_memory = std::max<std::size_t>(1, most_counts / bin_count());
    const std::size_t by_bodies = (bodies + least_chunk - 1) / least_chunk;
    return std::min({wanted, by_memory, by_bodies});
  }

  device::Context& context_;
  int bins_;
  std::size_t entry_bytes_;
  Kernel<int, Buffer, Buffer> find_box_;
  Kernel<int, Buffer, int, Buffer> make_grid_;
  Kernel<int, Buffer> clear_, add_up_segments_;
  Kernel<int, int, Buffer, Buffer, int, int, int, Buffer> count_;
  Kernel<int, int, Buffer, Buffer> sum_segments_, add_up_counts_;
  Kernel<int, int, Buffer, Buffer, int, int, int, Buffer, Buffer, Buffer> put_;
  Buffer boxes_;
};

// The rung with a work-item a bin.
class ByBins {
 public:
  // What a work-item computes in a launch: a few tenths of a second.
  static constexpr std::size_t most_pairs = std::size_t{1} << 24;

  ByBins(const Settings& settings, const BinsOpenclSettings& asked, std::size_t bins)
      : settings_(settings), asked_(asked), bins_(bins) {
    const std::string file(variant_of(BinsSum::by_bins).file);
    find_starts_ = settings_.context()
                       .program(file, without_law(settings_))
                       .kernel<int, int, Buffer, Buffer>("find_starts");
    starts_ = settings_.context().buffer((bins + 1) * sizeof(int), "bins");
  }

  struct Sources {
    const Buffer &starts, &centres, &dipoles;
    const Contents& contents;
  };

  void add(const Sources& sources, const Contents& targets, bool same, bool potential,
           PartialSums& out) {
    find_starts_(items(bins_ + 1), static_cast<int>(bins_), static_cast<int>(targets.chunks),
                 targets.counts, starts_);
    const std::size_t most = targets_a_launch(sources.contents.count, targets.count);
    const std::size_t fullest = most < targets.count ? most_in_a_bin() : targets.count;
    Forces& kernel = forces(potential);
    for (std::size_t first = 0; first < fullest; first += most) {
      kernel(items(bins_), *asked_.bins.bins, sources.starts, sources.contents.sorted,
             sources.contents.came_from, sources.centres, sources.dipoles, starts_, targets.sorted,
             targets.came_from, static_cast<int>(first), static_cast<int>(most), same ? 1 : 0,
             settings_.eps2(), out.sums, out.used, static_cast<int>(out.padded));
    }
  }

 private:
  using Forces = Kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, int,
                        int, int, Scalar, Buffer, int, int>;

  // Of a bin. All bodies may be in one, and displays must not hang by it; CPUs have none.
  std::size_t targets_a_launch(std::size_t sources, std::size_t targets) const {
    if (asked_.targets_a_launch > 0) return asked_.targets_a_launch;
    if (settings_.device().kind == DeviceKind::cpu) return targets;
    return std::min(targets, most_pairs / (sources + bins_) + 1);
  }

  // Waits: how many launches there are is for the host to know.
  std::size_t most_in_a_bin() {
    std::vector<int> starts(bins_ + 1);
    starts_.read(std::span<int>(starts));
    int most = 0;
    for (std::size_t b = 0; b < bins_; ++b) most = std::max(most, starts[b + 1] - starts[b]);
    return static_cast<std::size_t>(most);
  }

  Forces& forces(bool potential) {
    Forces& kernel = forces_[potential ? 1 : 0];
    if (!kernel) {
      auto defines = settings_.defines(potential);
      defines.emplace_back("DIPOLE", asked_.signed_strengths ? "1" : "0");
      kernel = settings_.context()
                   .program(std::string(variant_of(BinsSum::by_bins).file), defines)
                   .kernel<int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, int,
                           int, int, Scalar, Buffer, int, int>("bins_forces_by_bins");
    }
    return kernel;
  }

  const Settings& settings_;
  const BinsOpenclSettings& asked_;
  std::size_t bins_;
  Kernel<int, int, Buffer, Buffer> find_starts_;
  std::array<Forces, 2> forces_;  // without potential and with it
  Buffer starts_;                 // of the targets
};

class BinsOpencl final : public Solver<Device> {
 public:
  BinsOpencl(device::Context& context, const BinsOpenclSettings& asked)
      : asked_(asked),
        settings_(context, {.softening = asked.softening, .precision = asked.precision}),
        sorting_(context, settings_, *asked.bins.bins) {
    find_centres_ = context.program("bins_centres.cl", without_law(settings_))
                        .kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer>("find_centres");
    const std::size_t entry = 4 * state_bytes(asked.precision), bins = sorting_.bin_count();
    grid_ = context.buffer(2 * entry, "grid of bins");
    starts_ = context.buffer((bins + 1) * sizeof(int), "bins");
    centres_ = context.buffer(bins * entry, "bins");
    dipoles_ = context.buffer(bins * entry, "bins");
    if (asked.bins.box) write_grid(*asked.bins.box);
    if (asked.sum == BinsSum::by_bins) by_bins_.emplace(settings_, asked_, bins);
  }

  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override {
    if (sources.count == 0 || targets.count == 0) return;
    build(sources);
    sorting_.sort(targets, grid_, targets_);
    add(targets_, sources.place == targets.place, field);
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    if (bodies.count == 0) return;
    build(bodies);
    add(sources_, true, field);
  }
  std::optional<EvaluationParts> add_timed(const Bodies& bodies, const FieldOf& field) override {
    if (bodies.count == 0) return EvaluationParts{};
    return timed_parts(
        settings_.context(), [&] { build(bodies); }, [&] { add(sources_, true, field); });
  }
  std::string name() const override { return "bins"; }
  std::string variant() const override { return std::string(variant_of(asked_.sum).name); }
  SolverChoice chosen() const override { return BinsChoice{*asked_.bins.bins}; }

 private:
  using Forces = Kernel<Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, int,
                        int, int, Scalar, Buffer, int, int>;

  template <class State>
  void write_grid_as(const std::array<double, 6>& box) {
    std::array<State, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = static_cast<State>(box[2 * k]), high[k] = static_cast<State>(box[2 * k + 1]);
    }
    const BinsGrid<State> grid(*asked_.bins.bins, low, high);
    const std::array<State, 8> numbers{grid.low[0],    grid.low[1],    grid.low[2],    0,
                                       grid.a_unit[0], grid.a_unit[1], grid.a_unit[2], 0};
    grid_.write(std::span<const State>(numbers));
  }
  void write_grid(const std::array<double, 6>& box) {
    asked_.precision == Precision::f32 ? write_grid_as<float>(box) : write_grid_as<double>(box);
  }

  void build(const Bodies& sources) {
    if (!asked_.bins.box) sorting_.make_grid(sources, grid_);
    sorting_.sort(sources, grid_, sources_);
    const std::size_t bins = sorting_.bin_count();
    find_centres_({{bins * group, 1, 1}, {group, 1, 1}}, static_cast<int>(bins),
                  static_cast<int>(sources_.chunks), sources_.counts, sources_.sorted, starts_,
                  centres_, dipoles_);
  }

  Forces& forces(bool potential) {
    Forces& kernel = forces_[potential ? 1 : 0];
    if (!kernel) {
      auto defines = settings_.defines(potential);
      defines.emplace_back("DIPOLE", asked_.signed_strengths ? "1" : "0");
      kernel = settings_.context()
                   .program(std::string(variant_of(asked_.sum).file), defines)
                   .kernel<Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, int,
                           int, int, Scalar, Buffer, int, int>("bins_forces");
    }
    return kernel;
  }

  // Targets a launch. All bodies may be near: displays must not hang by them. CPUs have none.
  std::size_t targets_a_launch(std::size_t targets) const {
    const DeviceInfo& device = settings_.device();
    if (device.kind == DeviceKind::cpu) return targets;
    const auto pairs = static_cast<double>(sources_.count + sorting_.bin_count());
    return rounded_up(static_cast<std::size_t>(pairs_a_launch(device) / pairs) + 1, group);
  }

  void add(const Contents& targets, bool same, const FieldOf& field) {
    PartialSums& out = *field.field;
    settings_.reserve(out, 1);
    if (by_bins_) {
      by_bins_->add({starts_, centres_, dipoles_, sources_}, targets, same, field.wants().potential,
                    out);
      ++out.used;
      return;
    }
    Forces& kernel = forces(field.wants().potential);
    const std::size_t step = targets_a_launch(targets.count);
    for (std::size_t first = 0; first < targets.count; first += step) {
      const std::size_t end = std::min(targets.count, first + step);
      kernel(items(end - first), grid_, *asked_.bins.bins, starts_, sources_.sorted,
             sources_.came_from, centres_, dipoles_, targets.sorted, targets.came_from,
             static_cast<int>(first), static_cast<int>(end) - 1, same ? 1 : 0, settings_.eps2(),
             out.sums, out.used, static_cast<int>(out.padded));
    }
    ++out.used;
  }

  BinsOpenclSettings asked_;
  Settings settings_;
  Sorting sorting_;
  Kernel<int, int, Buffer, Buffer, Buffer, Buffer, Buffer> find_centres_;
  std::array<Forces, 2> forces_;  // without potential and with it
  Buffer grid_, starts_, centres_, dipoles_;
  Contents sources_, targets_;
  std::optional<ByBins> by_bins_;
};

}  // namespace

std::unique_ptr<Solver<Device>> make_bins_opencl(device::Context& context,
                                                 const BinsOpenclSettings& settings) {
  return std::make_unique<BinsOpencl>(context, settings);
}

}  // namespace apsis
