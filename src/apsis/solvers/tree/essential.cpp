// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/essential.hpp>

#include <algorithm>
#include <cmath>
#include <deque>

namespace apsis::far {
namespace {

// Bounds over a cell and all cells below it.
struct Below {
  float spread = 0, radius = 0, effective = 0;
};

std::vector<Below> bounds_below(const Scene& scene) {
  const std::size_t cells = scene.tree.own_cells();
  std::vector<Below> all(cells);
  for (std::size_t c = cells; c-- > 0;) {
    const Cell& cell = scene.tree.cells()[c];
    const CellShape& shape = scene.shapes[c];
    Below& below = all[c];
    below.radius = shape.radius, below.effective = shape.effective_radius;
    for (std::size_t k = cell.first_child; k < cell.first_child + cell.children; ++k) {
      grow(below.spread, distance(shape, scene.shapes[k]) + static_cast<double>(all[k].spread));
      below.radius = std::max(below.radius, all[k].radius);
      below.effective = std::max(below.effective, all[k].effective);
    }
  }
  return all;
}

// Roundings of distances on both sides, with low parts or without.
constexpr double shorter = 1 - 1e-5, longer = 1 + 1e-5;

// What becomes of a cell at a group of targets.
enum class Verdict {
  accepted_with_all_below,  // and so would be every cell below it
  accepted,
  opened
};

// As the walk decides it.
class ForcesAsk {
 public:
  ForcesAsk(const Scene& scene, const EssentialRule& rule)
      : scene_(scene),
        rule_(rule),
        inverse_angle_(1 / static_cast<double>(scene.criterion.angle)),
        below_(bounds_below(scene)) {}

  Verdict operator()(std::uint32_t cell, const TargetGroup& group) const {
    const CellShape& shape = scene_.shapes[cell];
    const Below& below = below_[cell];
    const double away2 = rule_.distances * rule_.distances * squared_distance(shape, group);
    // most of what is not accepted is too near, and needs no root
    const double least =
        static_cast<double>(group.extent) + inverse_angle_ * static_cast<double>(shape.radius);
    if (away2 < least * least) return Verdict::opened;
    const double away = std::sqrt(away2) * shorter;
    if (!accepts({away, shape.radius, shape.effective_radius, shape.weight}, group)) {
      return Verdict::opened;
    }
    if (scene_.tree.cells()[cell].children == 0) return Verdict::accepted_with_all_below;
    const double nearest = away - static_cast<double>(below.spread) * longer;
    return accepts({nearest, below.radius, below.effective, shape.weight}, group)
               ? Verdict::accepted_with_all_below
               : Verdict::accepted;
  }
  static std::uint32_t children(const TargetGroup& group) { return group.children; }
  // A cell that is small beside a target is met body by body, unless it holds so many that the
  // target's bodies walk it alone.
  bool is_met_whole(std::uint32_t cell, const TargetGroup& group) const {
    return scene_.tree.cells()[cell].count <= scene_.criterion.walk_above &&
           !is_large_beside(cell, group.reach);
  }
  bool is_large_beside(std::uint32_t cell, float reach) const {
    return scene_.forces_on_bodies_only ||
           static_cast<double>(scene_.shapes[cell].radius) >=
               static_cast<double>(scene_.criterion.leaf_share * reach) * longer;
  }

 private:
  struct Source {
    double away;
    float radius, effective, weight;
  };

  bool accepts(const Source& source, const TargetGroup& group) const {
    const double angle = static_cast<double>(scene_.criterion.angle);
    const auto radius = static_cast<double>(source.radius),
               effective = static_cast<double>(source.effective),
               nearest = source.away - static_cast<double>(group.extent) * longer;
    // from the nearest point, or by a body that walks alone
    if (!(nearest > 0 && radius * longer < angle * nearest)) return false;
    if (scene_.forces_on_bodies_only) return errs_little(source, nearest, effective, group);
    const double reach = static_cast<double>(group.reach),
                 away = source.away - static_cast<double>(group.spread) * longer;
    return (radius + reach) * longer < angle * away &&
           errs_little(source, away, effective + reach, group) &&
           errs_little(source, nearest, effective, group);
  }
  // The vector code takes roots from the hardware's estimate, which are good to 4e-4.
  bool errs_little(const Source& source, double away, double size, const TargetGroup& group) const {
    const double tolerance = static_cast<double>(scene_.criterion.tolerance);
    if (!(tolerance > 0)) return true;
    const double inverse = 1 / away, share = size * inverse;
    double error = 1.01 * static_cast<double>(source.weight) * inverse * inverse;
    for (int n = 0; n < rule_.order; ++n) error *= share;
    return error < tolerance * static_cast<double>(group.force);
  }

  const Scene& scene_;
  EssentialRule rule_;
  double inverse_angle_;
  std::vector<Below> below_;
};

// Whether an estimate of the field opens a cell; see estimate() in descend-inl.hpp. One that it
// finds hollow it takes as a whole, which is rougher and nothing worse.
class EstimatesAsk {
 public:
  explicit EstimatesAsk(const Scene& scene) : scene_(scene), below_(bounds_below(scene)) {}

  Verdict operator()(std::uint32_t cell, const TargetGroup& group) const {
    const Below& below = below_[cell];
    if (accepts(cell, group, static_cast<double>(below.radius),
                static_cast<double>(below.spread))) {
      return Verdict::accepted_with_all_below;
    }
    return accepts(cell, group, static_cast<double>(scene_.shapes[cell].radius), 0)
               ? Verdict::accepted
               : Verdict::opened;
  }
  static std::uint32_t children(const TargetGroup& group) { return group.estimate_children; }
  static bool is_met_whole(std::uint32_t, const TargetGroup&) { return false; }
  static bool is_large_beside(std::uint32_t, float) { return true; }

 private:
  bool accepts(std::uint32_t cell, const TargetGroup& group, double radius, double spread) const {
    if (scene_.tree.cells()[cell].children == 0) return true;
    if (radius < 0.7 * shorter * static_cast<double>(group.estimate_least)) return true;
    const double away = distance(scene_.shapes[cell], group) * shorter - spread;
    return away > radius + static_cast<double>(group.estimate_spread) +
                      0.5 * static_cast<double>(group.estimate_reach);
  }

  const Scene& scene_;
  std::vector<Below> below_;
};

struct BodyRange {
  std::uint32_t begin, count;
};

// The cells of a message, children of one side by side, and the bodies.
template <class Ask>
class Picking {
 public:
  Picking(const Scene& scene, std::span<const TargetGroup> groups, const Ask& ask)
      : scene_(scene), groups_(groups), ask_(ask) {
    if (groups.empty() || scene.tree.own_cells() == 0) return;
    add(0);
    const std::uint32_t all = 0;
    pick(0, std::span(&all, 1), 0);
  }
  const std::vector<SentCell>& cells() const { return cells_; }
  const std::vector<BodyRange>& bodies() const { return bodies_; }

 private:
  const Cell& source(std::size_t place) const { return scene_.tree.cells()[cells_[place].cell]; }

  void pick(std::size_t place, std::span<const std::uint32_t> asking, std::size_t depth) {
    if (left_.size() <= depth) left_.emplace_back();
    Indices& left = left_[depth];
    switch (fate(place, asking, left)) {
      case Fate::hollow:
        return;
      case Fate::whole:
        return add_whole(place);
      case Fate::opened:
        add_children(place);
        for (std::size_t k = 0; k < source(place).children; ++k) {
          pick(cells_[place].first_child + k, left, depth + 1);
        }
    }
  }

  enum class Fate { hollow, opened, whole };

  // `left` are the groups that the cells below this one have to ask.
  Fate fate(std::size_t place, std::span<const std::uint32_t> asking, Indices& left) {
    const std::uint32_t cell = cells_[place].cell;
    const bool leaf = source(place).children == 0;
    bool opened = false;
    left.clear(), near_.clear();
    stack_.assign(asking.begin(), asking.end());
    while (!stack_.empty()) {
      const std::uint32_t g = stack_.back();
      const TargetGroup& group = groups_[g];
      stack_.pop_back();
      const Verdict verdict = ask_(cell, group);
      if (verdict == Verdict::accepted_with_all_below) continue;
      if (verdict == Verdict::accepted) {
        left.push_back(g);
        continue;
      }
      // once it is clear that the cell is opened, groups of its size are left to its children
      if (opened && ask_.is_large_beside(cell, group.extent)) {
        near_.push_back(g);
        continue;
      }
      if (ask_.children(group) > 0) {
        for (std::uint32_t k = 0; k < group.children; ++k) stack_.push_back(group.first_child + k);
        continue;
      }
      if (leaf || ask_.is_met_whole(cell, group)) return Fate::whole;
      near_.push_back(g);
      opened = true;
    }
    // those that will open the children, too, are asked first
    left.insert(left.end(), near_.begin(), near_.end());
    return opened ? Fate::opened : Fate::hollow;
  }

  void add_children(std::size_t place) {
    const Cell& cell = source(place);
    cells_[place].first_child = static_cast<std::uint32_t>(cells_.size());
    cells_[place].children = cell.children;
    for (std::uint32_t k = 0; k < cell.children; ++k) add(cell.first_child + k);
  }
  void add(std::uint32_t cell) {
    cells_.push_back({.cell = cell, .count = scene_.tree.cells()[cell].count});
  }

  // With everything below it; its bodies stay side by side.
  void add_whole(std::size_t place) {
    const Cell& cell = source(place);
    bodies_.push_back({cell.begin, cell.count});
    give_bodies(place, body_count_ - cell.begin);  // may wrap around, and back
    body_count_ += cell.count;
  }
  void give_bodies(std::size_t place, std::uint32_t shift) {
    const Cell& cell = source(place);
    cells_[place].begin = cell.begin + shift;
    cells_[place].one_point = cell.one_point;
    if (cell.children == 0) return;
    add_children(place);
    for (std::size_t k = 0; k < cell.children; ++k) {
      give_bodies(cells_[place].first_child + k, shift);
    }
  }

  const Scene& scene_;
  std::span<const TargetGroup> groups_;
  const Ask& ask_;
  std::vector<SentCell> cells_;
  std::vector<BodyRange> bodies_;
  std::uint32_t body_count_ = 0;
  std::deque<Indices> left_;  // by depth
  Indices stack_, near_;
};

// --- packing ---

std::vector<CellShape> shapes_of(const Scene& scene, const std::vector<SentCell>& cells) {
  std::vector<CellShape> shapes(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    shapes[c] = scene.shapes[cells[c].cell];
    if (cells[c].children == 0) shapes[c].open_radius = -1;  // as leaves, which they may not be
  }
  return shapes;
}

std::vector<float> records_of(const std::vector<float>& all, int terms,
                              const std::vector<SentCell>& cells) {
  const auto size = static_cast<std::size_t>(record_size(terms));
  std::vector<float> records(cells.size() * size);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    std::copy_n(all.data() + cells[c].cell * size, size, records.data() + c * size);
  }
  return records;
}

std::vector<float> column_of(const std::vector<float>& all, const std::vector<BodyRange>& ranges) {
  std::vector<float> column;
  for (const BodyRange& range : ranges) {
    if (all.empty()) break;
    column.insert(column.end(), all.begin() + range.begin, all.begin() + range.begin + range.count);
  }
  return column;
}

}  // namespace

std::vector<Bytes> cells_for_estimates(const Scene& scene,
                                       std::span<const std::vector<TargetGroup>> targets) {
  const EstimatesAsk ask(scene);
  std::vector<Bytes> out;
  for (const auto& groups : targets) {
    const Picking picking(scene, groups, ask);
    Parcel parcel;
    parcel.put(picking.cells());
    parcel.put(shapes_of(scene, picking.cells()));
    out.push_back(parcel.take());
  }
  return out;
}

namespace {

Bytes packed_for_forces(const Scene& scene, const Picking<ForcesAsk>& picking,
                        const EssentialRule& rule) {
  const auto& cells = picking.cells();
  std::uint64_t bodies = 0;
  for (const BodyRange& range : picking.bodies()) bodies += range.count;
  Parcel parcel;
  const auto terms = static_cast<std::size_t>(record_size(AllTerms::count(rule.order)));
  parcel.reserve(cells.size() * (sizeof(SentCell) + sizeof(CellShape) + 8 * terms) +
                 (bodies + 64) * 7 * sizeof(float));
  parcel.put(cells);
  parcel.put(shapes_of(scene, cells));
  parcel.put(std::span<const std::uint64_t>(&bodies, 1));
  if (scene.forces_on_bodies_only) {
    parcel.put(records_of(scene.inverted_terms, AllTerms::count(rule.order - 1), cells));
  } else {
    parcel.put(records_of(scene.traceless_terms, TracelessTerms::count(rule.order), cells));
  }
  if (scene.softened()) {
    parcel.put(records_of(scene.all_terms, AllTerms::count(rule.order), cells));
  }
  const SortedBodies& b = scene.bodies;
  for (const auto* column : {&b.x, &b.y, &b.z, &b.strength, &b.low_x, &b.low_y, &b.low_z}) {
    parcel.put(column_of(*column, picking.bodies()));
  }
  return parcel.take();
}

}  // namespace

std::vector<Bytes> cells_for_forces(const Scene& scene,
                                    std::span<const std::vector<TargetGroup>> targets,
                                    const EssentialRule& rule) {
  const ForcesAsk ask(scene, rule);
  std::vector<Bytes> out(targets.size());
  parallel_tasks(targets.size(), rule.threads, [&](std::size_t p) {
    const Picking picking(scene, targets[p], ask);
    out[p] = packed_for_forces(scene, picking, rule);
  });
  return out;
}

}  // namespace apsis::far
