// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/evaluation.hpp>
#include <apsis/solvers/tree/sampling.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

namespace apsis::far {
namespace {

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

template <>
std::vector<Quad<float>>& Evaluation::quads() {
  return quads_;
}
template <>
std::vector<Quad<double>>& Evaluation::quads() {
  return double_quads_;
}

template <class Real>
void Evaluation::take(const Both<Real>& all, const Frame& frame,
                      const EvaluationSettings& settings) {
  constexpr bool split = std::is_same_v<Real, double>;
  using View = BodiesView<Host<Real>>;
  const std::size_t n = all.count();
  units_ = frame.units, mixed_signs_ = frame.mixed_signs;
  const KeyLayout layout = key_layout(n);
  const MortonKeys key_of(frame.cube, layout.levels);
  const Units u = units_;
  keys_.resize(n);
  std::vector<Quad<Real>>& unsorted = quads<Real>();
  unsorted.resize(n);
  parallel_for(n, settings.threads, [&](std::size_t i) {
    const double x = all.at(&View::x, i), y = all.at(&View::y, i), z = all.at(&View::z, i);
    keys_[i] = key_of(x, y, z) << layout.number_bits | i;
    unsorted[i] = {static_cast<Real>((x - u.x) * u.scale), static_cast<Real>((y - u.y) * u.scale),
                   static_cast<Real>((z - u.z) * u.scale),
                   static_cast<Real>(all.strength(i) * u.strength_scale)};
  });
  radix_sort(keys_, spare_, layout.number_bits, 3 * layout.levels, settings.threads);

  SortedBodies& b = scene_.bodies;
  b.resize(n, split);
  const std::uint64_t mask = (std::uint64_t{1} << layout.number_bits) - 1;
  parallel_for(n, settings.threads, [&](std::size_t k) {
    constexpr std::size_t ahead = 16;
    if (k + ahead < n) __builtin_prefetch(&unsorted[keys_[k + ahead] & mask]);
    const auto i = static_cast<std::size_t>(keys_[k] & mask);
    const Quad<Real>& body = unsorted[i];
    b.id[k] = static_cast<std::uint32_t>(i);
    b.x[k] = static_cast<float>(body.x), b.y[k] = static_cast<float>(body.y);
    b.z[k] = static_cast<float>(body.z), b.strength[k] = static_cast<float>(body.w);
    if constexpr (split) {
      b.low_x[k] = static_cast<float>(body.x - static_cast<double>(b.x[k]));
      b.low_y[k] = static_cast<float>(body.y - static_cast<double>(b.y[k]));
      b.low_z[k] = static_cast<float>(body.z - static_cast<double>(b.z[k]));
    }
  });
  b.pad();
  scene_.tree.build(b, keys_, layout, static_cast<std::size_t>(settings.choice.source_leaf),
                    settings.threads);
  b.pad();
}

void Evaluation::prepare(const EvaluationSettings& settings) {
  const FarFieldChoice& choice = settings.choice;
  Criterion& rule = scene_.criterion;
  rule = {};
  // below 1, so that no rounding makes a cell act on a body that it touches
  rule.angle = std::min(static_cast<float>(choice.angle), 0.999F);
  rule.tolerance = static_cast<float>(choice.tolerance);
  rule.target_leaf = static_cast<std::uint32_t>(choice.target_leaf);
  rule.pairs = choice.careful_sums  ? PairMode::careful
               : choice.rough_roots ? PairMode::rough
                                    : PairMode::full;
  const double softening = settings.softening * units_.scale;
  scene_.softening = softening < 0x1p-40 ? 0 : static_cast<float>(softening);
  // 1.5 ε²/r² of a cell's pull, all the same way, is to stay below a twentieth of the wish
  scene_.softened_within =
      scene_.softening * static_cast<float>(std::sqrt(1.5 / (0.05 * settings.accuracy)));
  scene_.softening_tolerance = static_cast<float>(0.05 * settings.accuracy);
  scene_.forces_on_bodies_only = settings.bodies_only;
  scene_.meetings = settings.meetings;

  scene_.roots.assign(1, 0);
  scene_.work.clear();
  scene_.force_scale.resize(scene_.tree.own_cells());
  make_room(choice.order);
  const std::size_t n = scene_.bodies.count;
  for (auto* sums : {&scene_.sums.x, &scene_.sums.y, &scene_.sums.z}) sums->resize(n);
  scene_.sums.potential.resize(scene_.wants_potential ? n : 0);
}

// For all cells and, behind the last, one that is nothing, outside the box.
void Evaluation::make_room(int order) {
  const std::size_t cells = scene_.tree.cells().size();
  const auto all = static_cast<std::size_t>(record_size(AllTerms::count(order)));
  const auto traceless = static_cast<std::size_t>(record_size(TracelessTerms::count(order)));
  scene_.shapes.resize(cells + 1);
  scene_.all_terms.resize((cells + 1) * all);
  scene_.traceless_terms.resize((cells + 1) * traceless);
  scene_.shapes[cells] = shape_of_nothing();
  const float outside = scene_.shapes[cells].x;
  for (float* record :
       {&scene_.all_terms[cells * all], &scene_.traceless_terms[cells * traceless]}) {
    std::fill_n(record, record == &scene_.all_terms[cells * all] ? all : traceless, 0.0F);
    std::fill_n(record, 3, outside);
  }
}

// Multipoles, from the deepest level to the root.
void Evaluation::climb(const Kernels& kernels, int threads) {
  constexpr std::size_t share = 64;
  const Octree& tree = scene_.tree;
  for (std::size_t level = tree.levels(); level-- > 0;) {
    const std::size_t begin = tree.level_begin(level), end = tree.level_begin(level + 1);
    parallel_blocks((end - begin + share - 1) / share, threads, [&](std::size_t b) {
      kernels.upward(scene_, begin + b * share, std::min(end, begin + (b + 1) * share));
    });
  }
}

// Barnes-Hut: the multipoles of every cell as bodies take them.
void Evaluation::invert(int order, int threads) {
  if (!inversion_ || inversion_->order() != order - 1) inversion_.emplace(order - 1);
  const auto from = static_cast<std::size_t>(record_size(TracelessTerms::count(order)));
  const auto to = static_cast<std::size_t>(record_size(AllTerms::count(order - 1)));
  const std::size_t cells = scene_.tree.own_cells();
  scene_.inverted_terms.resize(cells * to);
  parallel_for(cells, threads, [&](std::size_t c) {
    const float* record = scene_.traceless_terms.data() + c * from;
    float* inverted = scene_.inverted_terms.data() + c * to;
    std::copy_n(record, record_head, inverted);
    inversion_->apply(record + record_head, inverted + record_head);
  });
}

void Evaluation::estimate_forces(const Kernels& kernels, int threads) {
  const auto cells = std::span(scene_.tree.cells()).first(scene_.tree.own_cells());
  auto& scale = scene_.force_scale;
  std::vector<std::uint32_t> estimated;
  std::vector<char> is_estimated(cells.size(), 0);
  for (std::uint32_t c = 0; c < cells.size(); ++c) {
    const bool small = cells[c].count <= estimated_together;
    const bool first = c == 0 || cells[cells[c].parent].count > estimated_together;
    if (small ? first : cells[c].children == 0) estimated.push_back(c), is_estimated[c] = 1;
  }
  parallel_pieces(estimated.size(), 16, threads,
                  [&](std::size_t begin, std::size_t end, int member) {
                    Worker& worker = workers_[static_cast<std::size_t>(member)];
                    for (std::size_t k = begin; k < end; ++k) {
                      scale[estimated[k]] = kernels.estimate(scene_, worker, estimated[k]);
                    }
                  });
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].count <= estimated_together && is_estimated[c] == 0) {
      scale[c] = scale[cells[c].parent];
    }
  }
  for (std::size_t c = cells.size(); c-- > 0;) {
    if (cells[c].count <= estimated_together || cells[c].children == 0) continue;
    const auto* first = scale.data() + cells[c].first_child;
    scale[c] = *std::min_element(first, first + cells[c].children);
  }
}

// Forces of mixed signs cancel: their error is measured against a typical one.
void Evaluation::use_typical_force(float force) {
  std::fill(scene_.force_scale.begin(), scene_.force_scale.end(), force);
}

// About the centre of mass there are none, but the centre is rounded to float.
bool Evaluation::dipoles_matter(double accuracy, int order) const {
  if (mixed_signs_) return true;
  const auto size = static_cast<std::size_t>(record_size(AllTerms::count(order)));
  const auto cells = std::span(scene_.tree.cells()).first(scene_.tree.own_cells());
  const auto share = static_cast<float>(0.02 * accuracy);
  for (std::size_t c = 1; c < cells.size(); ++c) {
    const float* dipole = scene_.all_terms.data() + c * size + record_head + 1;
    const float most = std::max({std::abs(dipole[0]), std::abs(dipole[1]), std::abs(dipole[2])});
    const CellShape& shape = scene_.shapes[c];
    // a target that takes this cell is about as far away as the parent is large
    const float length = scene_.shapes[cells[c].parent].radius;
    if (most * shape.radius > share * shape.weight * length) return true;
  }
  return false;
}

namespace {

// A target cell with what its parent left to it.
struct Errand {
  std::shared_ptr<const Legacy> legacy;
  std::uint32_t cell = 0, child = 0;  // child: which of its parent's

  Visit visit() const {
    return {.cell = cell,
            .candidates = legacy->candidates,
            .accepted = &legacy->accepted,
            .local = legacy->local[child].data(),
            .work = legacy->work};
  }
};

}  // namespace

// Large cells level by level, each leaving errands for its children; then the small ones, each with
// everything below it, in any order.
void Evaluation::walk(const Kernels& kernels, const CurvePart& part, int threads) {
  const auto& cells = scene_.tree.cells();
  if (scene_.tree.own_cells() == 0) return;
  const auto count = static_cast<std::uint32_t>(scene_.bodies.count);
  const std::uint32_t pieces = std::max(256U, 64 * static_cast<std::uint32_t>(threads));
  const bool at_once = threads == 1 && part.is_whole();
  const std::uint32_t grain = at_once ? count : std::max(count / pieces, 256U);
  std::vector<Errand> large, small;
  const auto add = [&](Errand errand, std::vector<Errand>& level) {
    const Cell& cell = cells[errand.cell];
    if (cell.begin >= part.end || cell.begin + cell.count <= part.begin) return;
    (cell.count <= grain ? small : level).push_back(std::move(errand));
  };
  const auto for_each = [&](const std::vector<Errand>& errands, auto&& run) {
    parallel_pieces(errands.size(), 1, threads, [&](std::size_t k, std::size_t, int member) {
      run(k, errands[k].visit(), workers_[static_cast<std::size_t>(member)]);
    });
  };
  const auto start = std::make_shared<Legacy>();
  start->candidates = scene_.roots;
  add({start}, large);
  while (!large.empty()) {
    std::vector<std::shared_ptr<const Legacy>> left(large.size());
    for_each(large, [&](std::size_t k, const Visit& visit, Worker& worker) {
      const auto legacy = std::make_shared<Legacy>();
      if (kernels.visit(scene_, worker, visit, *legacy)) left[k] = legacy;
    });
    std::vector<Errand> next;
    for (std::size_t k = 0; k < large.size(); ++k) {
      const Cell& cell = cells[large[k].cell];
      for (std::uint32_t c = 0; left[k] && c < cell.children; ++c) {
        add({left[k], cell.first_child + c, c}, next);
      }
    }
    large.swap(next);
  }
  for_each(small, [&](std::size_t, const Visit& visit, Worker& worker) {
    kernels.descend(scene_, worker, visit);
  });
}

template <class Real>
void Evaluation::give(const Field<Host<Real>>& field, std::size_t first_target, int threads) {
  const std::size_t n = scene_.bodies.count;
  const Sums& sums = scene_.sums;
  quads_.resize(n);
  parallel_for(n, threads, [&](std::size_t k) {
    quads_[scene_.bodies.id[k]] = {sums.x[k], sums.y[k], sums.z[k],
                                   scene_.wants_potential ? sums.potential[k] : 0};
  });
  const double unit = units_.scale * units_.scale / units_.strength_scale;
  const double potential_unit = units_.scale / units_.strength_scale;
  parallel_for(n - first_target, threads, [&](std::size_t i) {
    const Quad<float>& sum = quads_[first_target + i];
    const auto add = [i](Real* to, float value, double in_units) {
      if (to != nullptr) to[i] += static_cast<Real>(static_cast<double>(value) * in_units);
    };
    add(field.x, sum.x, unit), add(field.y, sum.y, unit), add(field.z, sum.z, unit);
    add(field.potential, sum.w, potential_unit);
  });
}

template <class Real>
void Evaluation::give_part(const Field<Host<Real>>& field, const CurvePart& part, int threads) {
  const Sums& sums = scene_.sums;
  const double unit = units_.scale * units_.scale / units_.strength_scale;
  const double potential_unit = units_.scale / units_.strength_scale;
  const std::size_t end = std::min(part.end, scene_.bodies.count);
  parallel_for(end - std::min(end, part.begin), threads, [&](std::size_t number) {
    const std::size_t k = part.begin + number, i = scene_.bodies.id[k];
    const auto add = [i](Real* to, float value, double in_units) {
      if (to != nullptr) to[i] += static_cast<Real>(static_cast<double>(value) * in_units);
    };
    add(field.x, sums.x[k], unit), add(field.y, sums.y[k], unit), add(field.z, sums.z[k], unit);
    if (scene_.wants_potential) add(field.potential, sums.potential[k], potential_unit);
  });
}

template <class Real>
void Evaluation::add_field(const BodiesView<Host<Real>>& sources,
                           const BodiesView<Host<Real>>* targets, const Field<Host<Real>>& field,
                           const EvaluationSettings& wanted) {
  times_ = {};
  const std::size_t asked = targets == nullptr ? sources.count : targets->count;
  if (sources.count == 0 || asked == 0) return;
  const double start = seconds();
  EvaluationSettings settings = wanted;
  if (sources.count + asked < 2000) settings.threads = 1;  // less work than waking a team
  workers_.resize(static_cast<std::size_t>(std::max(1, settings.threads)));
  const Both<Real> all{sources, targets};
  take(all, frame_of(all, settings.threads), settings);
  scene_.same_set = targets == nullptr;
  scene_.wants_potential = field.potential != nullptr;
  prepare(settings);
  const int order = settings.choice.order;
  climb(kernels(order, false, false), settings.threads);
  if (settings.bodies_only) invert(order, settings.threads);
  scene_.has_dipoles = dipoles_matter(settings.accuracy, order);
  const Kernels chosen = kernels(order, scene_.softened(), scene_.has_dipoles);
  if (settings.choice.tolerance > 0 && mixed_signs_) {
    use_typical_force(typical_field(scene_.bodies, scene_.softening, settings.threads));
  } else if (settings.choice.tolerance > 0) {
    estimate_forces(chosen, settings.threads);
  }
  const double built = seconds();
  walk(chosen, settings.part, settings.threads);
  if (settings.part.is_whole()) {
    give(field, targets == nullptr ? 0 : sources.count, settings.threads);
  } else {
    give_part(field, settings.part, settings.threads);
  }
  times_ = {built - start, seconds() - built};
}

template void Evaluation::take(const Both<float>&, const Frame&, const EvaluationSettings&);
template void Evaluation::take(const Both<double>&, const Frame&, const EvaluationSettings&);
template void Evaluation::add_field(const BodiesView<Host<float>>&, const BodiesView<Host<float>>*,
                                    const Field<Host<float>>&, const EvaluationSettings&);
template void Evaluation::add_field(const BodiesView<Host<double>>&,
                                    const BodiesView<Host<double>>*, const Field<Host<double>>&,
                                    const EvaluationSettings&);

}  // namespace apsis::far
