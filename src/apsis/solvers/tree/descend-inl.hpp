// SPDX-License-Identifier: MIT
// A visit to a target cell: its share of the far field into its expansion, then either what is left
// for its children, or near pairs and everything evaluated at its bodies.
#if defined(APSIS_FAR_DESCEND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_DESCEND_INL
#undef APSIS_FAR_DESCEND_INL
#else
#define APSIS_FAR_DESCEND_INL
#endif

#include <apsis/solvers/tree/walk-inl.hpp>

APSIS_FAR_BEGIN

template <int P, bool softened, bool dipoles>
struct Descent {
  // Softened fields have sources everywhere: all terms of their expansions are kept.
  using Terms = std::conditional_t<softened, AllTerms, TracelessTerms>;
  static constexpr int terms = Terms::count(P);
  static constexpr int low = softening_order(P);

  // Accepted cells into the expansion about a place, orders up to `highest`.
  template <int highest>
  static void add_accepted(const Scene& scene, Worker& w, Place at, float unit, float* local) {
    const auto none = static_cast<std::uint32_t>(scene.shapes.size() - 1);
    Accepted& accepted = w.accepted;
    if (!accepted.plain.empty()) {
      constexpr int count = TracelessTerms::count(highest);
      float sums[count] = {};
      add_cell_list<TracelessTerms, P, dipoles, highest>(scene.traceless_terms.data(),
                                                         accepted.plain, none, at, unit, 0, sums);
      if constexpr (softened) {
        float all[AllTerms::count(highest)];
        unfold_traces<highest>(sums, all);
        for (int q = 0; q < AllTerms::count(highest); ++q) local[q] += all[q];
      } else {
        for (int q = 0; q < count; ++q) local[q] += sums[q];
      }
    }
    if constexpr (softened) {
      const float* records = scene.all_terms.data();
      const float eps2 = scene.softening * scene.softening;
      if (!accepted.softened.empty()) {
        add_cell_list<AllTerms, P, dipoles, highest>(records, accepted.softened, none, at, unit,
                                                     eps2, local);
      }
    }
  }

  static void note_far(const Worker& w, std::uint32_t target, std::vector<Meetings::Pair>& list) {
    note(list, target, w.accepted.plain), note(list, target, w.accepted.softened);
  }

  // Small cells close to a large sparse target: each of its bodies, a target without extent, walks
  // them alone.
  static void walk_alone(Scene& scene, Worker& w, std::uint32_t cell, const Indices& cells_left) {
    const Cell& whole = scene.tree.cells()[cell];
    const SortedBodies& b = scene.bodies;
    for (std::uint32_t body = whole.begin; body < whole.begin + whole.count; ++body) {
      Target target(scene, cell, true);
      target.shape.x = b.x[body], target.shape.y = b.y[body], target.shape.z = b.z[body];
      target.shape.radius = target.shape.effective_radius = 0;
      decide<P>(scene, w, target, cells_left, w.next_undecided);
      w.near.insert(w.near.end(), w.small.begin(), w.small.end());
      Place at{b.x[body], b.y[body], b.z[body]};
      if (b.split()) at.low_x = b.low_x[body], at.low_y = b.low_y[body], at.low_z = b.low_z[body];
      Cell alone;
      alone.begin = body, alone.count = 1;
      begin_targets(scene, w, alone, 1, at);
      float local[4] = {};
      add_accepted<1>(scene, w, at, 1, local);
      w.phi[0] = local[0], w.fx[0] = local[1], w.fy[0] = local[2], w.fz[0] = local[3];
      const std::size_t sources = add_near(scene, w, alone, 1, at);
      add_target(scene, w, body);
      if (!scene.work.empty())
        scene.work[body] += static_cast<float>(sources) + cells_work(scene, w);
      if (scene.meetings != nullptr) {
        note_far(w, body, scene.meetings->body_cell);
        note(scene.meetings->body_near, body, w.near);
      }
    }
  }

  // What the accepted cells cost.
  static float cells_work(const Scene& scene, const Worker& w) {
    return scene.costs.cell *
           static_cast<float>(w.accepted.plain.size() + w.accepted.corrected.size() +
                              2 * w.accepted.softened.size());
  }

  static void finish(Scene& scene, Worker& w, const Visit& visit, const float* local, float work) {
    const Cell& cell = scene.tree.cells()[visit.cell];
    const CellShape shape = scene.shapes[visit.cell];
    const std::size_t targets = distinct_bodies(cell);
    const Place centre{shape.x, shape.y, shape.z};
    std::size_t small_bodies = 0;
    for (const std::uint32_t s : w.small) small_bodies += scene.tree.cells()[s].count;
    if (small_bodies <= scene.criterion.walk_above || targets == 1) {
      w.near.insert(w.near.end(), w.small.begin(), w.small.end());
      w.small.clear();
    }
    begin_targets(scene, w, cell, targets, centre);
    if (scene.forces_on_bodies_only) {
      inherit(visit, w.accepted);
      if (scene.meetings != nullptr) {
        note_far(w, visit.cell, scene.meetings->cell_cell);
      }
      add_on_bodies(scene, w, cell, targets);
    } else if constexpr (softened) {
      add_local_field<P>(scene, w, cell, shape, local, targets);
    } else {
      float all[AllTerms::count(P)];
      unfold_traces<P>(local, all);
      add_local_field<P>(scene, w, cell, shape, all, targets);
    }
    if (scene.forces_on_bodies_only) work += cells_work(scene, w);
    work += static_cast<float>(add_near(scene, w, cell, targets, centre)) + scene.costs.body;
    store_targets(scene, w, cell, targets);
    if (!scene.work.empty()) std::fill_n(scene.work.begin() + cell.begin, cell.count, work);
    if (scene.meetings != nullptr) note(scene.meetings->near, visit.cell, w.near);
    if (w.small.empty()) return;
    w.left_to_bodies.swap(w.small);
    walk_alone(scene, w, visit.cell, w.left_to_bodies);
  }

  // Barnes-Hut: the accepted cells of this target and of its ancestors.
  static void inherit(const Visit& visit, Accepted& own) {
    const auto append = [](const Indices& from, Indices& to) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(visit.accepted->plain, own.plain);
    append(visit.accepted->corrected, own.corrected);
    append(visit.accepted->softened, own.softened);
  }
  static void add_on_bodies(const Scene& scene, Worker& w, const Cell& cell, std::size_t targets) {
    add_inverted<P - 1>(scene, w, cell, targets, w.accepted.plain);
    if constexpr (softened) {
      add_cells_to_bodies<low, dipoles, P, Part::softening>(scene, w, cell, targets,
                                                            w.accepted.corrected);
      add_cells_to_bodies<P, dipoles, P, Part::whole>(scene, w, cell, targets, w.accepted.softened);
    }
  }

  // True where `legacy` was filled for the children.
  static bool visit(Scene& scene, Worker& w, const Visit& visit, Legacy& legacy) {
    const Cell& cell = scene.tree.cells()[visit.cell];
    const CellShape shape = scene.shapes[visit.cell];
    const bool last = cell.children == 0 || cell.count <= scene.criterion.target_leaf;
    decide<P>(scene, w, Target(scene, visit.cell, last), visit.candidates, legacy.candidates);
    float local[terms] = {}, work = visit.work;
    if (!scene.forces_on_bodies_only) {
      work += cells_work(scene, w) / static_cast<float>(cell.count);
      std::copy_n(visit.local, terms, local);
      add_accepted<P>(scene, w, {shape.x, shape.y, shape.z}, unit_of(shape), local);
      if (scene.meetings != nullptr) {
        note_far(w, visit.cell, scene.meetings->cell_cell);
      }
    }
    if (last) {
      finish(scene, w, visit, local, work);
      return false;
    }
    legacy.work = work;
    if (scene.forces_on_bodies_only) {
      inherit(visit, w.accepted);
      std::swap(legacy.accepted, w.accepted);
    } else if constexpr (softened) {
      local_of_children<Terms, P>(scene, cell, shape, local, legacy.local);
    } else {
      float all[AllTerms::count(P)];
      unfold_traces<P>(local, all);
      local_of_children<Terms, P>(scene, cell, shape, all, legacy.local);
    }
    return true;
  }

  static void descend_from(Scene& scene, Worker& w, const Visit& from, std::size_t depth) {
    if (w.legacies.size() <= depth) w.legacies.emplace_back();
    Legacy& legacy = w.legacies[depth];
    if (!visit(scene, w, from, legacy)) return;
    const Cell& cell = scene.tree.cells()[from.cell];
    for (std::uint32_t c = 0; c < cell.children; ++c) {
      descend_from(scene, w,
                   {.cell = cell.first_child + c,
                    .candidates = legacy.candidates,
                    .accepted = &legacy.accepted,
                    .local = legacy.local[c].data(),
                    .work = legacy.work},
                   depth + 1);
    }
  }
  static void descend(Scene& scene, Worker& w, const Visit& from) {
    descend_from(scene, w, from, 0);
  }
};

// |field| at a cell's centre from the monopoles of cells not much larger than their distance, and
// the pull of the cell's own bodies.
static float estimate(const Scene& scene, Worker& w, std::uint32_t cell) {
  const CellShape target = scene.shapes[cell];
  const auto none = static_cast<std::uint32_t>(scene.shapes.size() - 1);
  const float softening2 = scene.softening * scene.softening;
  const float eps2 = 0.3F * target.radius * target.radius + softening2 + floor2;
  V x{}, y{}, z{};
  w.now.assign(scene.roots.begin(), scene.roots.end());
  while (!w.now.empty()) {
    Growing next(w.next);
    const std::size_t count = w.now.size();
    w.now.resize(count + lanes, none);
    for (std::size_t i = 0; i < count; i += lanes) {
      Candidates c;
      look_at(scene, w.now.data() + i, count - i, target, c);
      const V reach = c.radius + 0.5F * target.radius;
      const Mask open = c.live & less(c.distance2, reach * reach) &
                        less(splat(0.7F * target.radius), c.open_radius);
      const V root = first_root(c.distance2 + eps2);
      const V pull = kept(c.live & ~open, c.weight * root * root * root);
      x += pull * c.x, y += pull * c.y, z += pull * c.z;
      next.add_children(scene, w.now.data() + i, open);
    }
    next.finish();
    w.now.swap(w.next);
  }
  const Cell& bodies = scene.tree.cells()[cell];
  const float own =
      bodies.count >= 64 && !bodies.one_point
          ? 0.3F * target.weight / (target.radius * target.radius + softening2 + floor2)
          : 0;
  return std::hypot(sum_of(x), sum_of(y), sum_of(z)) + own;
}

template <int P, bool softened, bool dipoles>
static Kernels kernels_of() {
  using D = Descent<P, softened, dipoles>;
  return {P, &upward<P>, &estimate, &D::visit, &D::descend};
}

static Kernels APSIS_FAR_TABLE(bool softened, bool dipoles) {
  constexpr int order = APSIS_FAR_ORDER;
  // at high orders dipoles are a small share, and the code without them is not worth its size
  if constexpr (order < high_order && !small_code) {
    if (!dipoles) {
      return softened ? kernels_of<order, true, false>() : kernels_of<order, false, false>();
    }
  }
  return softened ? kernels_of<order, true, true>() : kernels_of<order, false, true>();
}

APSIS_FAR_END
#endif
