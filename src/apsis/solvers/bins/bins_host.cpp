// SPDX-License-Identifier: MIT
#include <apsis/solvers/bins/binned_bodies.hpp>
#include <apsis/solvers/bins/bins_host.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/tree/curve_solver.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace apsis {
namespace {

// Targets that a thread takes at a time: some bins hold many.
constexpr std::size_t most_targets = 256;
// Fewer pairs are done before a team of threads has woken up.
constexpr std::size_t serial_below_pairs = 40'000;

using Clock = std::chrono::steady_clock;
double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

template <class State>
class BinsHost final : public Solver<Host<State>>, public CurveSolver<State> {
 public:
  using View = BodiesView<Host<State>>;
  using FieldView = Field<Host<State>>;

  explicit BinsHost(const BinsHostSettings& settings)
      : settings_(settings), threads_(thread_count(settings.threads)) {
    for (int t = 0; t < threads_; ++t) {
      pairs_.push_back(
          make_direct_host<State>({.force = {.softening = settings.softening},
                                   .device = {.precision = settings.precision, .threads = 1}}));
    }
  }

  void add_field(const View& sources, const View& targets, const FieldView& field) override {
    if (sources.count == 0 || targets.count == 0) return;
    build(sources);
    targets_.sort(targets, grid_, threads_);
    add(targets_, false, {}, field);
  }
  void add_self_field(const View& bodies, const FieldView& field) override {
    add_timed(bodies, field);
  }
  std::optional<EvaluationParts> add_timed(const View& bodies, const FieldView& field) override {
    if (bodies.count == 0) return EvaluationParts{};
    return add_part(bodies, {}, field);
  }
  // The curve is the order of the bins.
  std::span<const std::uint32_t> add_curve_part(const View& bodies, const CurvePart& part,
                                                const FieldView& field) override {
    seconds_of_part_ = 0;
    if (bodies.count == 0) return {};
    seconds_of_part_ = add_part(bodies, part, field).force;
    return sources_.place;
  }
  double seconds_of_part() const override { return seconds_of_part_; }
  bool potential_keeps_field() const override { return pairs_.front()->potential_keeps_field(); }
  std::string name() const override { return "bins"; }
  std::string variant() const override { return std::string(variant_of(settings_.sum).name); }
  SolverChoice chosen() const override { return BinsChoice{*settings_.bins.bins}; }

 private:
  // Targets [begin, end) of one bin.
  struct Share {
    std::size_t bin, begin, end;
  };

  bool skips() const { return settings_.sum == BinsSum::skipping; }

  BinsGrid<State> grid_around(const View& bodies) const {
    std::array<State, 3> low{}, high{};
    if (const auto& box = settings_.bins.box) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = static_cast<State>((*box)[2 * k]), high[k] = static_cast<State>((*box)[2 * k + 1]);
      }
    } else {
      const std::array columns{bodies.x, bodies.y, bodies.z};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [least, most] = std::minmax_element(columns[k], columns[k] + bodies.count);
        low[k] = *least, high[k] = *most;
      }
    }
    return {*settings_.bins.bins, low, high};
  }

  EvaluationParts add_part(const View& bodies, const CurvePart& part, const FieldView& field) {
    const auto begin = Clock::now();
    build(bodies);
    const auto built = Clock::now();
    add(sources_, true, part, field);
    return {seconds_between(begin, built), seconds_between(built, Clock::now())};
  }

  void build(const View& sources) {
    grid_ = grid_around(sources);
    sources_.sort(sources, grid_, threads_);
    centres_.gather(sources_, threads_);
    if (!skips()) negative_ = centres_.negative();
  }

  // Every share is summed by one thread in a fixed order; `same`: the targets are the sources. A
  // share that is only partly asked for is computed as a whole, so that its bits are the same.
  void add(const BinnedBodies<State>& targets, bool same, const CurvePart& part,
           const FieldView& field) {
    const std::size_t n = targets.size();
    const Wants wants = field.wants();
    for (auto* sums : {&x_, &y_, &z_}) sums->assign(wants.acceleration ? n : 0, State(0));
    potential_.assign(wants.potential ? n : 0, State(0));
    std::vector<Share> shares;
    for (std::size_t b = 0; b < grid_.count(); ++b) {
      for (std::size_t i = targets.start[b]; i < targets.start[b + 1]; i += most_targets) {
        const std::size_t end = std::min(targets.start[b + 1], i + most_targets);
        if (i < part.end && end > part.begin) shares.push_back({b, i, end});
      }
    }
    const bool few = n * sources_.size() < serial_below_pairs;
    const auto one = [&](std::size_t s, std::size_t, int member) {
      add_share(*pairs_[static_cast<std::size_t>(member)], targets, shares[s], same);
    };
    parallel_pieces(shares.size(), 1, few ? 1 : threads_, one);
    const auto scatter = [&](const std::vector<State>& sums, State* to) {
      if (sums.empty()) return;
      parallel_for(std::min(part.end, n) - part.begin, threads_, [&](std::size_t i) {
        const std::size_t k = part.begin + i;
        to[targets.place[k]] += sums[k];
      });
    };
    scatter(x_, field.x), scatter(y_, field.y), scatter(z_, field.z);
    scatter(potential_, field.potential);
  }

  FieldView sums_from(std::size_t begin) {
    FieldView sums;
    if (!x_.empty()) sums.x = &x_[begin], sums.y = &y_[begin], sums.z = &z_[begin];
    if (!potential_.empty()) sums.potential = &potential_[begin];
    return sums;
  }

  void add_share(Solver<Host<State>>& pairs, const BinnedBodies<State>& targets, const Share& share,
                 bool same) {
    const View here = targets.view(share.begin, share.end);
    const FieldView sums = sums_from(share.begin);
    const auto from_bodies = [&](std::size_t begin, std::size_t end) {
      if (begin < end) pairs.add_field(sources_.view(begin, end), here, sums);
    };
    const auto from_centres = [&](const BinCentres<State>& centres, std::size_t first_bin,
                                  std::size_t end_bin) {
      const std::size_t begin = centres.first[first_bin], end = centres.first[end_bin];
      if (begin == end) return;
      pairs.add_field(centres.view(begin, end), here, sums);
      if (centres.dipoles) add_dipoles(centres, begin, end, here, sums);
    };
    const NearRows near(grid_, share.bin);
    if (!skips()) {
      from_centres(centres_, 0, grid_.count());
      for (std::size_t r = 0; r < near.count; ++r) {
        from_centres(negative_, near.rows[r].begin, near.rows[r].end);
      }
    }
    std::size_t behind = 0;  // the last near row
    for (std::size_t r = 0; r < near.count; ++r) {
      const auto& row = near.rows[r];
      if (skips()) from_centres(centres_, behind, row.begin);
      behind = row.end;
      const std::size_t begin = sources_.start[row.begin], end = sources_.start[row.end];
      if (same && begin <= share.begin && share.end <= end) {
        // no body acts on itself
        from_bodies(begin, share.begin);
        pairs.add_self_field(here, sums);
        from_bodies(share.end, end);
      } else {
        from_bodies(begin, end);
      }
    }
    if (skips()) from_centres(centres_, behind, grid_.count());
  }

  // Field d/ρ³ − 3 (d·r) r/ρ⁵ and potential −(d·r)/ρ³ of dipoles d, with ρ² = r² + ε².
  void add_dipoles(const BinCentres<State>& centres, std::size_t begin, std::size_t end,
                   const View& targets, const FieldView& sums) const {
    const auto eps2 = static_cast<State>(settings_.softening * settings_.softening);
    for (std::size_t i = 0; i < targets.count; ++i) {
      State x = 0, y = 0, z = 0, potential = 0;
      for (std::size_t c = begin; c < end; ++c) {
        const State rx = centres.x[c] - targets.x[i], ry = centres.y[c] - targets.y[i],
                    rz = centres.z[c] - targets.z[i];
        const State square = rx * rx + ry * ry + rz * rz + eps2;
        if (square == 0) continue;
        const State inverse = 1 / std::sqrt(square), inverse2 = inverse * inverse;
        const State inverse3 = inverse * inverse2;
        const State dx = centres.dipole_x[c], dy = centres.dipole_y[c], dz = centres.dipole_z[c];
        const State along = (dx * rx + dy * ry + dz * rz) * inverse3, radial = 3 * along * inverse2;
        x += dx * inverse3 - radial * rx;
        y += dy * inverse3 - radial * ry;
        z += dz * inverse3 - radial * rz;
        potential -= along;
      }
      if (sums.x != nullptr) sums.x[i] += x, sums.y[i] += y, sums.z[i] += z;
      if (sums.potential != nullptr) sums.potential[i] += potential;
    }
  }

  BinsHostSettings settings_;
  int threads_;
  std::vector<std::unique_ptr<Solver<Host<State>>>> pairs_;  // one a thread
  BinsGrid<State> grid_;
  BinnedBodies<State> sources_, targets_;
  BinCentres<State> centres_, negative_;
  std::vector<State> x_, y_, z_, potential_;  // in the order of the bins
  double seconds_of_part_ = 0;
};

}  // namespace

template <class State>
std::unique_ptr<Solver<Host<State>>> make_bins(const BinsHostSettings& settings) {
  return std::make_unique<BinsHost<State>>(settings);
}
template std::unique_ptr<Solver<Host<float>>> make_bins(const BinsHostSettings&);
template std::unique_ptr<Solver<Host<double>>> make_bins(const BinsHostSettings&);

}  // namespace apsis
