// SPDX-License-Identifier: MIT
// An evaluation whose bodies are spread over partners. Everything that decides which cells a walk
// needs is agreed on first: the frame, dipoles, groups of targets, their forces.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/evaluation.hpp>
#include <apsis/solvers/tree/sampling.hpp>

#include <algorithm>
#include <chrono>

namespace apsis::far {
namespace {

// Groups of targets that each partner tells the others of: the more, the less is sent that is not
// needed. 10^6 bodies in a Plummer sphere, halves: 510,000, 460,000 and 185,000 bodies sent for
// 512, 2048 and 16,384 groups. All groups of all partners come to each of them.
constexpr std::size_t groups_of_all = 32768, least_groups = 1024;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Costs costs_of(const EvaluationSettings& settings) {
  const auto terms = static_cast<float>(TracelessTerms::count(settings.choice.order));
  if (settings.bodies_only) return {.cell = 0.15F * terms, .body = 50};
  return {.cell = 0.6F * terms, .body = 50};
}

// The groups of all but oneself.
std::vector<std::vector<TargetGroup>> share_targets(const Outline& own, Partners& partners) {
  auto all = gather_values<TargetGroup>(partners, own.groups);
  all[partners.own()].clear();
  return all;
}

// A message that is read in two goes: what it holds, and then the rest to where it belongs.
struct Import {
  explicit Import(const Bytes& parcel)
      : reader(parcel), cells(reader.take<SentCell>()), shapes(reader.take<CellShape>()) {}

  ParcelReader reader;
  std::vector<SentCell> cells;
  std::vector<CellShape> shapes;

  // The cells come to stand from number `first` on.
  void place_shapes(std::size_t first, std::vector<CellShape>& to) const {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      to[first + c] = shapes[c];
      const auto child = static_cast<std::uint32_t>(first + cells[c].first_child);
      to[first + c].family = cells[c].children == 0 ? 0 : child << 4 | cells[c].children;
    }
  }
  std::vector<Cell> placed_cells(std::size_t first, std::size_t first_body) const {
    std::vector<Cell> out(cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const SentCell& sent = cells[c];
      out[c].begin = sent.begin == Cell::elsewhere
                         ? sent.begin
                         : sent.begin + static_cast<std::uint32_t>(first_body);
      out[c].count = sent.count;
      out[c].first_child = sent.first_child + static_cast<std::uint32_t>(first);
      out[c].children = sent.children, out[c].one_point = sent.one_point;
    }
    return out;
  }
};

std::vector<Import> imports_from(const std::vector<Bytes>& parcels) {
  std::vector<Import> imports;
  for (const Bytes& parcel : parcels) {
    if (parcel.empty()) continue;
    imports.emplace_back(parcel);
    if (imports.back().cells.empty()) imports.pop_back();
  }
  return imports;
}

}  // namespace

// For estimates: nothing but shapes.
void Evaluation::import_shapes(const std::vector<Bytes>& parcels) {
  std::size_t next = scene_.tree.own_cells();
  for (const Import& import : imports_from(parcels)) {
    scene_.roots.push_back(static_cast<std::uint32_t>(next));
    scene_.shapes.resize(next + import.cells.size() + 1);
    import.place_shapes(next, scene_.shapes);
    next += import.cells.size();
  }
  scene_.shapes[next] = shape_of_nothing();
}

void Evaluation::import_cells(const std::vector<Bytes>& parcels, int order) {
  auto imports = imports_from(parcels);
  std::vector<std::size_t> first_bodies;
  std::size_t bodies = scene_.bodies.count;
  for (Import& import : imports) {
    const std::size_t first = scene_.tree.cells().size();
    scene_.roots.push_back(static_cast<std::uint32_t>(first));
    scene_.tree.add_others(import.placed_cells(first, bodies));
    first_bodies.push_back(bodies);
    bodies += import.reader.take<std::uint64_t>().front();
  }
  make_room(order);
  SortedBodies& b = scene_.bodies;
  b.make_room_for_others(bodies - b.count);
  const auto size = [](int terms) { return static_cast<std::size_t>(record_size(terms)); };
  const std::size_t inverted = size(AllTerms::count(order - 1));
  const bool on_bodies = scene_.forces_on_bodies_only;
  if (on_bodies) scene_.inverted_terms.resize(scene_.tree.cells().size() * inverted);
  std::size_t first = scene_.tree.own_cells();
  for (std::size_t i = 0; i < imports.size(); ++i) {
    Import& import = imports[i];
    import.place_shapes(first, scene_.shapes);
    if (on_bodies) {
      import.reader.take_to(scene_.inverted_terms.data() + first * inverted);
    } else {
      import.reader.take_to(scene_.traceless_terms.data() +
                            first * size(TracelessTerms::count(order)));
    }
    if (scene_.softened()) {
      import.reader.take_to(scene_.all_terms.data() + first * size(AllTerms::count(order)));
    }
    for (auto* column : {&b.x, &b.y, &b.z, &b.strength, &b.low_x, &b.low_y, &b.low_z}) {
      import.reader.take_to(column->empty() ? nullptr : column->data() + first_bodies[i]);
    }
    first += import.cells.size();
  }
  b.pad();
}

// Estimates of the force at all targets, and what others need to know of them.
void Evaluation::share_forces(const Kernels& kernels,
                              std::vector<std::vector<TargetGroup>>& targets, const Outline& own,
                              const Shared& shared, const EvaluationSettings& settings,
                              Partners& partners) {
  if (mixed_signs_) {
    use_typical_force(
        typical_field(scene_.bodies, scene_.softening, settings.threads, shared.typical, partners));
  } else {
    import_shapes(partners.exchange(cells_for_estimates(scene_, targets)));
    estimate_forces(kernels, settings.threads);
    scene_.roots.resize(scene_.tree.own_cells() > 0 ? 1 : 0);
  }
  std::vector<float> forces;
  for (const std::uint32_t cell : own.cells) forces.push_back(scene_.force_scale[cell]);
  const auto all = gather_values<float>(partners, forces);
  for (std::size_t p = 0; p < targets.size(); ++p) {
    for (std::size_t g = 0; g < targets[p].size(); ++g) targets[p][g].force = all[p][g];
  }
}

template <class Real>
void Evaluation::give_results(std::vector<FieldResult<Real>>& results, int threads) const {
  const double unit = units_.scale * units_.scale / units_.strength_scale;
  const double potential_unit = units_.scale / units_.strength_scale;
  const Sums& sums = scene_.sums;
  results.resize(scene_.bodies.count);
  const auto in_units = [](float value, double by) {
    return static_cast<Real>(static_cast<double>(value) * by);
  };
  parallel_for(results.size(), threads, [&](std::size_t k) {
    results[scene_.bodies.id[k]] = {
        in_units(sums.x[k], unit), in_units(sums.y[k], unit), in_units(sums.z[k], unit),
        scene_.wants_potential ? in_units(sums.potential[k], potential_unit) : Real(0),
        scene_.work[k]};
  });
}

template <class Real>
void Evaluation::find_shared_field(const BodiesView<Host<Real>>& piece, bool potential,
                                   const Shared& shared, const EvaluationSettings& wanted,
                                   Partners& partners, std::vector<FieldResult<Real>>& results) {
  times_ = {};
  const double start = seconds();
  EvaluationSettings settings = wanted;
  if (piece.count < 1000) settings.threads = 1;  // less work than waking a team
  workers_.resize(static_cast<std::size_t>(std::max(1, settings.threads)));
  for (Worker& worker : workers_) worker.lost = false;
  take(Both<Real>{piece}, shared.frame, settings);
  scene_.same_set = true;
  scene_.wants_potential = potential;
  prepare(settings);
  if (scene_.tree.own_cells() == 0) scene_.roots.clear();
  scene_.work.assign(piece.count, 0);
  scene_.costs = costs_of(settings);
  const int order = settings.choice.order;
  climb(kernels(order, false, false), settings.threads);
  if (settings.bodies_only) invert(order, settings.threads);
  scene_.has_dipoles = partners.any(dipoles_matter(settings.accuracy, order));
  const Kernels chosen = kernels(order, scene_.softened(), scene_.has_dipoles);
  const Outline own(scene_, piece.count / std::max(least_groups, groups_of_all / partners.count()));
  auto targets = share_targets(own, partners);
  if (settings.choice.tolerance > 0) share_forces(chosen, targets, own, shared, settings, partners);
  const EssentialRule rule{order, settings.threads, settings.distances_to_others};
  import_cells(partners.exchange(cells_for_forces(scene_, targets, rule)), order);
  const double built = seconds();
  walk(chosen, {}, settings.threads);
  if (std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.lost; })) {
    throw Error(ExitCode::internal_error,
                "a cell of another rank had to be opened and came without its bodies",
                "please report this");
  }
  give_results(results, settings.threads);
  times_ = {built - start, seconds() - built};
}

SharedCounts Evaluation::shared_counts() const {
  SharedCounts counts;
  const std::span<const Cell> cells = scene_.tree.cells();
  counts.bodies = scene_.bodies.count, counts.imported_bodies = scene_.bodies.others;
  counts.cells = scene_.tree.own_cells(), counts.imported_cells = cells.size() - counts.cells;
  for (const Cell& cell : cells.subspan(counts.cells)) {
    if (cell.hollow() && cell.children == 0) ++counts.hollow_cells;
  }
  for (const float work : scene_.work) counts.work += static_cast<double>(work);
  return counts;
}

template void Evaluation::find_shared_field(const BodiesView<Host<float>>&, bool, const Shared&,
                                            const EvaluationSettings&, Partners&,
                                            std::vector<FieldResult<float>>&);
template void Evaluation::find_shared_field(const BodiesView<Host<double>>&, bool, const Shared&,
                                            const EvaluationSettings&, Partners&,
                                            std::vector<FieldResult<double>>&);

}  // namespace apsis::far
