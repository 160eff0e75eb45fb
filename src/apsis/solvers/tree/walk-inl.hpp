// SPDX-License-Identifier: MIT
// The walk: one recursion over targets that carries the sources still undecided, tests a vector of
// them at a time and stores no list longer than a visit. Targets do not depend on each other.
#if defined(APSIS_FAR_WALK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_WALK_INL
#undef APSIS_FAR_WALK_INL
#else
#define APSIS_FAR_WALK_INL
#endif

#include <apsis/solvers/tree/locals-inl.hpp>

APSIS_FAR_BEGIN

// What is asked of a batch of sources; a lane each.
struct Candidates {
  V x, y, z, radius, weight, effective, open_radius;
  V distance2;
  Mask live;
};

APSIS_FAR_INLINE void look_at(const Scene& scene, const std::uint32_t* cells, std::size_t left,
                              const CellShape& target, Candidates& c) {
  std::size_t offset[lanes];
  for (int l = 0; l < lanes; ++l) offset[l] = std::size_t{cells[l]} * 8;
  V column[8];
  load_columns(&scene.shapes[0].x, offset, column);
  c.x = column[0] - target.x, c.y = column[1] - target.y, c.z = column[2] - target.z;
  c.radius = column[3], c.weight = column[4], c.effective = column[5], c.open_radius = column[6];
  c.distance2 = c.x * c.x + c.y * c.y + c.z * c.z;
  c.live = first_lanes(left);
}

// How far sources are from a target of radius `reach`, and how large both together.
struct Separation {
  V distance2, root;  // 1/distance
  V extent, share;    // share: effective size over distance

  APSIS_FAR_MEMBER Separation(const Candidates& c, float reach, bool bodies_only)
      : distance2(c.distance2), extent(c.radius + reach) {
    V effective = c.effective + reach;
    if (bodies_only) {
      // from the nearest point of the target; rounding must not bring its own bodies outside
      const V distance =
          distance2 * root_of(distance2 > 0.0F ? distance2 : splat(1)) - 1.00001F * reach;
      distance2 = distance > 0.0F ? distance * distance : V{};
      extent = c.radius, effective = c.effective;
    }
    root = first_root(distance2 > 0.0F ? distance2 : splat(1));
    share = effective * root;
  }
};

// Sources that may act on a target as a whole: spheres well apart, and an expected error below the
// tolerated share of the force.
template <int P>
APSIS_FAR_INLINE Mask acceptable(const Candidates& c, const Separation& s, float angle,
                                 float tolerated) {
  const Mask apart = less(s.extent * s.extent, angle * angle * s.distance2);
  if (tolerated < 0) return apart;
  return apart & less(c.weight * s.root * s.root * powered<P>(s.share), splat(tolerated));
}

// Sources of which what softening changes may be cut at a low order. The derivatives of 1/r³ grow
// as (n+1)(n+2)/2 beside those of 1/r.
template <int P>
APSIS_FAR_INLINE Mask slightly_softened(const Scene& scene, const Candidates& c,
                                        const Separation& s, float tolerated) {
  constexpr int low = softening_order(P);
  constexpr auto growth = static_cast<float>(low + 2) * static_cast<float>(low + 3) / 4;
  const V pull = c.weight * s.root * s.root;
  const float factor = growth * scene.softening * scene.softening;
  const V left_out = factor * s.root * s.root * powered<low>(s.share) * pull;
  // a twentieth: it is cut at a lower order than the pull itself, and cancels less
  const Mask cut =
      less(left_out, tolerated < 0 ? scene.softening_tolerance * pull : splat(0.05F * tolerated));
  // within the softening the two parts are far larger than their sum, and a float has lost it
  return cut & less(splat(scene.softening * scene.softening), s.distance2);
}

APSIS_FAR_INLINE void make_room(Indices& list, std::size_t used, std::size_t more) {
  if (list.size() < used + more) list.resize(2 * (used + more));
}

// A list that is written behind its end in whole vectors and cut when it is done.
class Growing {
 public:
  APSIS_FAR_MEMBER explicit Growing(Indices& list) : list_(list) {}
  APSIS_FAR_MEMBER void add(const std::uint32_t* cells, Mask mask) {
    make_room(list_, used_, lanes);
    used_ = static_cast<std::size_t>(append(cells, mask, list_.data() + used_) - list_.data());
  }
  APSIS_FAR_MEMBER void add_children(const Scene& scene, const std::uint32_t* cells, Mask mask) {
    for (; mask != 0; mask &= mask - 1) {
      const std::uint32_t family = scene.shapes[cells[__builtin_ctz(mask)]].family;
      make_room(list_, used_, 16);
      std::uint32_t* to = list_.data() + used_;
      for (std::uint32_t d = 0; d < 8; ++d) to[d] = (family >> 4) + d;
      used_ += family & 15U;
    }
  }
  APSIS_FAR_MEMBER void finish() { list_.resize(used_); }
  APSIS_FAR_MEMBER std::size_t used() const { return used_; }

 private:
  Indices& list_;
  std::size_t used_ = 0;
};

// A cell, or one body of it, that sources act on.
struct Target {
  CellShape shape;
  float tolerated = -1;  // error of one source; negative: the angle alone decides
  bool last = false;     // not divided further

  Target(const Scene& scene, std::uint32_t cell, bool is_last)
      : shape(scene.shapes[cell]), last(is_last) {
    const float tolerance = scene.criterion.tolerance;
    if (tolerance > 0) tolerated = tolerance * scene.force_scale[cell];
  }
};

struct Verdict {
  Mask accepted, near, small, open, undecided;
  Mask felt, slight;  // accepted ones within softening's reach; those of them that feel it little
};

// What becomes of a batch at a target that is divided further or not.
template <int P>
APSIS_FAR_INLINE Verdict judge(const Scene& scene, const Candidates& c, const Target& target) {
  const Criterion& rule = scene.criterion;
  const bool bodies_only = scene.forces_on_bodies_only;
  const float reach = target.shape.radius;
  Verdict v{};
  const Separation s(c, reach, bodies_only);
  v.accepted = c.live & acceptable<P>(c, s, rule.angle, target.tolerated);
  if (scene.softened()) {
    const float within2 = scene.softened_within * scene.softened_within;
    v.felt = v.accepted & less(s.distance2, splat(within2));
    // for expansions, all terms of near cells cost no more than the stricter tolerance that a cut
    // asks for
    if (bodies_only && v.felt != 0)
      v.slight = v.felt & slightly_softened<P>(scene, c, s, target.tolerated);
  }
  const Mask rest = c.live & ~v.accepted, leaf = less(c.open_radius, V{});
  if (!target.last) {
    v.open = rest & ~leaf & ~less(c.open_radius, splat(rule.open_share * reach));
    v.undecided = rest & ~v.open;
    return v;
  }
  v.near = rest & leaf;
  const float share = bodies_only ? 0 : rule.leaf_share;
  // also where neither has an extent: bodies at one point are told apart from their neighbours
  v.open = rest & ~leaf & ~less(c.open_radius, splat(share * reach));
  v.small = rest & ~leaf & ~v.open;
  return v;
}

// Sorts a target's candidates into the worker's lists and `undecided`.
template <int P>
static void decide(const Scene& scene, Worker& w, const Target& target,
                   std::span<const std::uint32_t> candidates, Indices& undecided) {
  const auto none = static_cast<std::uint32_t>(scene.shapes.size() - 1);
  Growing plain(w.accepted.plain), corrected(w.accepted.corrected), softened(w.accepted.softened);
  Growing near(w.near), small(w.small), left(undecided);
  w.now.assign(candidates.begin(), candidates.end());
  while (!w.now.empty()) {
    Growing next(w.next);
    const std::size_t count = w.now.size();
    w.now.resize(count + lanes, none);
    for (std::size_t i = 0; i < count; i += lanes) {
      const std::uint32_t* cells = w.now.data() + i;
      Candidates c;
      look_at(scene, cells, count - i, target.shape, c);
      const Verdict v = judge<P>(scene, c, target);
      plain.add(cells, v.accepted & (~v.felt | v.slight));
      if (v.slight != 0) corrected.add(cells, v.slight);
      if (v.felt != v.slight) softened.add(cells, v.felt & ~v.slight);
      if (target.last) {
        near.add(cells, v.near);
        if (v.small != 0) small.add(cells, v.small);
      } else {
        left.add(cells, v.undecided);
      }
      next.add_children(scene, cells, v.open);
    }
    next.finish();
    w.now.swap(w.next);
  }
  for (Growing* list : {&plain, &corrected, &softened, &near, &small, &left}) list->finish();
}

// Targets of a cell, or the one place that all its bodies share.
static std::size_t distinct_bodies(const Cell& cell) { return cell.one_point ? 1 : cell.count; }

// The first `targets` bodies of a cell and room for their sums.
static void begin_targets(const Scene& scene, Worker& w, const Cell& cell, std::size_t targets,
                          Place centre) {
  const std::size_t room = targets + 2 * lanes;
  for (auto* column : {&w.tx, &w.ty, &w.tz, &w.fx, &w.fy, &w.fz, &w.phi}) {
    if (column->size() < room) column->resize(room);
  }
  for (auto* column : {&w.fx, &w.fy, &w.fz, &w.phi}) {
    std::fill_n(column->begin(), targets + lanes, 0.0F);
  }
  copy_bodies(scene.bodies, cell.begin, targets, centre, w.tx.data(), w.ty.data(), w.tz.data());
  if (scene.wants_potential) w.own.assign(room, -1);
  for (auto* column : {&w.x, &w.y, &w.z, &w.strength}) column->resize(most_sources + 2 * lanes);
}

static void store_targets(Scene& scene, const Worker& w, const Cell& cell, std::size_t targets) {
  const auto put = [&](const std::vector<float>& from, std::vector<float>& to) {
    float* at = to.data() + cell.begin;
    std::copy_n(from.begin(), targets, at);
    std::fill(at + targets, at + cell.count, from[0]);  // all at one place
  };
  put(w.fx, scene.sums.x), put(w.fy, scene.sums.y), put(w.fz, scene.sums.z);
  if (!scene.wants_potential) return;
  put(w.phi, scene.sums.potential);
  if (!cell.one_point || !scene.same_set || !scene.softened()) return;
  // each of them feels the others
  double all = 0;
  for (std::size_t k = 0; k < cell.count; ++k) {
    all += static_cast<double>(scene.bodies.strength[cell.begin + k]);
  }
  for (std::size_t i = cell.begin; i < cell.begin + cell.count; ++i) {
    const double others = all - static_cast<double>(scene.bodies.strength[i]);
    scene.sums.potential[i] += static_cast<float>(others / static_cast<double>(scene.softening));
  }
}

static void add_target(Scene& scene, const Worker& w, std::size_t body) {
  scene.sums.x[body] += w.fx[0], scene.sums.y[body] += w.fy[0], scene.sums.z[body] += w.fz[0];
  if (scene.wants_potential) scene.sums.potential[body] += w.phi[0];
}

static void note(std::vector<Meetings::Pair>& list, std::uint32_t target,
                 std::span<const std::uint32_t> sources) {
  for (const std::uint32_t source : sources) list.push_back({target, source});
}

APSIS_FAR_END
#endif
