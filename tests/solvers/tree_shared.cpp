// SPDX-License-Identifier: MIT
// `tree` and `fmm` whose bodies are spread over partners: threads here, ranks in tests/mpi.
#include <apsis/core/error.hpp>
#include <apsis/core/random.hpp>
#include <apsis/solvers/fmm/fmm_host.hpp>
#include <apsis/solvers/tree/evaluation.hpp>
#include <apsis/solvers/tree/pieces.hpp>
#include <apsis/solvers/tree/tree_host.hpp>

#include <gtest/gtest.h>
#include <solvers/fmm_host_data.hpp>
#include <solvers/partners_in_threads.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::FarColumns;
using test::FarData;
using test::PartnersInThreads;

template <class Real>
std::unique_ptr<FarFieldSolver<Real>> make(bool tree, const FarFieldSettings& options,
                                           double softening) {
  return tree ? make_tree<Real>(options, softening, 1) : make_fmm<Real>(options, softening, 1);
}

// Solvers of partners that own even blocks of some bodies.
template <class Real>
class SolversInThreads {
 public:
  SolversInThreads(std::size_t partners, bool tree, const FarFieldSettings& options,
                   double softening)
      : threads_(partners), histories_(partners) {
    for (std::size_t p = 0; p < partners; ++p) {
      solvers_.push_back(make<Real>(tree, options, softening));
    }
  }

  void add_field(FarColumns<Real>& bodies, const Wants& wants = {.potential = true}) {
    const std::size_t n = bodies.x.size(), count = solvers_.size();
    const auto thrown = threads_.run([&](far::Partners& partners) {
      const std::size_t p = partners.own(), begin = p * n / count, end = (p + 1) * n / count;
      auto field = part_of(bodies.field_and_potential(), begin);
      if (!wants.potential) field.potential = nullptr;
      dynamic_cast<apsis::SharedSolver<Real>&>(*solvers_[p])
          .add_shared_field(part_of(bodies.view(), begin, end - begin), field, wants, histories_[p],
                            partners);
    });
    for (const auto& error : thrown) {
      if (error) std::rethrow_exception(error);
    }
  }
  FarFieldSolver<Real>& solver(std::size_t p) { return *solvers_[p]; }
  SharedCounts counts(std::size_t p) {
    return dynamic_cast<apsis::SharedSolver<Real>&>(*solvers_[p]).shared_counts();
  }
  std::vector<WorkHistory>& histories() { return histories_; }

 private:
  PartnersInThreads threads_;
  std::vector<std::unique_ptr<FarFieldSolver<Real>>> solvers_;
  std::vector<WorkHistory> histories_;
};

// Where it is above the wish: close charges without softening, of which some samples see more.
template <class Real>
double error_of_one(FarColumns<Real> bodies, const test::FarReference<Real>& reference, bool tree,
                    double wish, double softening) {
  bodies.clear();
  make<Real>(tree, {.accuracy = wish}, softening)->add_self_field(bodies.view(), bodies.field());
  return std::max(wish, reference.p99(reference.errors(bodies)));
}

template <class Real>
void expect_promise_kept(const FarData& data, const Bodies& given, std::size_t partners,
                         const std::vector<double>& wishes) {
  FarColumns<Real> bodies(given, data.charged);
  for (const double softening : {0.0, data.softening}) {
    const test::FarReference<Real> reference(bodies, softening, data.charged);
    for (const bool tree : {false, true}) {
      for (const double wish : wishes) {
        SolversInThreads<Real> shared(partners, tree, {.accuracy = wish}, softening);
        for (int evaluation = 0; evaluation < 2; ++evaluation) {  // by count, by work
          bodies.clear();
          shared.add_field(bodies);
          const double p99 = reference.p99(reference.errors(bodies));
          EXPECT_LE(p99, p99 > wish ? 1.25 * error_of_one(bodies, reference, tree, wish, softening)
                                    : wish)
              << shared.solver(0).name() << " of " << partners << ", softening " << softening
              << ", " << shared.solver(0).sizes();
          for (auto& history : shared.histories()) history.places.clear();  // as if it had moved
        }
      }
    }
  }
}

class SharedFarField : public testing::TestWithParam<FarData> {};
class DeepSharedFarField : public SharedFarField {};

TEST_P(SharedFarField, keeps_its_word) {
  expect_promise_kept<float>(GetParam(), GetParam().make(3000, 11), 3, {1e-2, 1e-3, 1e-5});
  expect_promise_kept<double>(GetParam(), GetParam().make(1501, 12), 4, {1e-4});
}
TEST_P(DeepSharedFarField, keeps_its_word) {
  const std::vector<double> wishes{1e-2, 1e-3, 1e-4, 1e-5};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Bodies bodies = GetParam().make(5000 * seed + 1, seed);
    expect_promise_kept<float>(GetParam(), bodies, 1 + seed, wishes);
    expect_promise_kept<double>(GetParam(), bodies, 6 - seed, wishes);
  }
}
const auto named = [](const auto& tested) {
  std::string name = tested.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
};
INSTANTIATE_TEST_SUITE_P(Data, SharedFarField, testing::ValuesIn(test::far_data()), named);
INSTANTIATE_TEST_SUITE_P(Data, DeepSharedFarField, testing::ValuesIn(test::far_data()), named);

// --- odd numbers and places ---

TEST(SharedField, few_bodies_feel_each_other_however_many_share_them) {
  for (const std::size_t n : {0, 1, 2, 3, 5, 40}) {
    for (const bool tree : {false, true}) {
      for (const double softening : {0.0, 0.1}) {
        FarColumns<double> bodies;
        for (std::size_t i = 0; i < n; ++i) {
          BodyRandom random(7, i);
          const Vec3 p = random.in_ball();
          bodies.add(p.x, p.y, p.z, 1.0 + static_cast<double>(i));
        }
        SolversInThreads<double> shared(4, tree, {.accuracy = 1e-4}, softening);
        shared.add_field(bodies);
        const auto errors = test::errors_of(bodies, softening, false);
        EXPECT_LE(errors.max, 1e-4) << n << " bodies";
        EXPECT_LE(errors.potential, 1e-4) << n << " bodies";
      }
    }
  }
}

TEST(SharedField, bodies_at_one_point_give_no_force_and_softened_potential) {
  for (const bool tree : {false, true}) {
    for (const double softening : {0.0, 0.5}) {
      FarColumns<float> bodies;
      for (int i = 0; i < 300; ++i) bodies.add(1, 2, 3, 1);
      SolversInThreads<float> shared(3, tree, {.opening_angle = 0.5}, softening);
      shared.add_field(bodies);
      for (std::size_t i = 0; i < 300; ++i) {
        EXPECT_EQ(bodies.fx[i], 0);
        EXPECT_NEAR(bodies.potential[i], softening > 0 ? 299 / softening : 0, 1e-3);
      }
    }
  }
}

// Clusters of coincident bodies, and one that keys of the whole can't tell apart.
TEST(SharedField, crowds_closer_than_keys_tell_apart_keep_their_word) {
  FarColumns<double> bodies;
  for (std::size_t i = 0; i < 1200; ++i) {
    BodyRandom random(5, i);
    const Vec3 p = random.in_ball();
    const double size = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-9 : 0;
    bodies.add(0.3 + size * p.x, size * p.y, size * p.z, 1);
  }
  for (const bool tree : {false, true}) {
    for (const double softening : tree ? std::vector{0.0, 1e-3} : std::vector{1e-3}) {
      SolversInThreads<double> shared(4, tree, {.opening_angle = 0.4, .order = 6}, softening);
      bodies.clear();
      shared.add_field(bodies);
      const auto errors = test::errors_of(bodies, softening, true);  // most are next to nothing
      EXPECT_LE(errors.p99, 2e-4) << (tree ? "tree" : "fmm") << ", softening " << softening;
      EXPECT_LE(errors.potential, 1e-4) << (tree ? "tree" : "fmm") << ", softening " << softening;
    }
  }
}

TEST(SharedField, lengths_and_masses_of_any_unit_serve) {
  const Bodies given = test::far_data().front().make(2000, 3);
  for (const bool tree : {false, true}) {
    FarColumns<double> bodies(given, false);
    for (std::size_t i = 0; i < given.size(); ++i) {
      bodies.x[i] *= 1e17, bodies.y[i] *= 1e17, bodies.z[i] *= 1e17, bodies.strength[i] *= 1e34;
    }
    SolversInThreads<double> shared(3, tree, {.accuracy = 1e-3}, 1e15);
    shared.add_field(bodies);
    EXPECT_LE(test::errors_of(bodies, 1e15, false).p99, 1e-3);
  }
}

// --- bits ---

FarColumns<float> plummer(std::size_t n) { return {test::far_data().front().make(n, 21), false}; }

TEST(SharedField, has_the_same_bits_twice_and_however_often_it_is_asked_for) {
  const FarColumns<float> start = plummer(4000);
  std::vector<FarColumns<float>> ends;
  for (const bool asked_often : {false, true}) {
    SolversInThreads<float> shared(3, false, {.accuracy = 1e-3}, 0.01);
    FarColumns<float> bodies = start;
    for (int step = 0; step < 3; ++step) {
      bodies.clear();
      shared.add_field(bodies, {});
      FarColumns<float> again = bodies;
      for (int k = 0; asked_often && k < step + 1; ++k) {
        again.clear();
        shared.add_field(again, {.acceleration = true, .potential = k % 2 == 0});
        EXPECT_EQ(again.fx, bodies.fx);
      }
      for (std::size_t i = 0; i < bodies.x.size(); ++i) bodies.x[i] += 0.01F * bodies.fx[i];
    }
    ends.push_back(bodies);
  }
  EXPECT_EQ(ends[0].x, ends[1].x);
  EXPECT_EQ(ends[0].fy, ends[1].fy);
}

TEST(SharedField, work_evens_out_what_bodies_do_not) {
  // two thirds of the bodies in a tenth of the space
  FarColumns<float> bodies = plummer(20000);
  SolversInThreads<float> shared(4, false, {.opening_angle = 0.6}, 0.01);
  const auto uneven = [&] {
    double most = 0, all = 0;
    for (std::size_t p = 0; p < 4; ++p) {
      const double work = shared.counts(p).work;
      most = std::max(most, work), all += work;
    }
    return 4 * most / all;
  };
  shared.add_field(bodies);
  const double at_first = uneven();
  for (auto& history : shared.histories()) history.places.clear();
  shared.add_field(bodies);
  EXPECT_LT(uneven(), at_first);
  EXPECT_LT(uneven(), 1.05);
}

// --- the guarantee ---

far::EvaluationSettings settings_of(bool tree, double distances) {
  return {.choice = {4, 0.7, tree ? 0 : 1e-3, 16, 48},
          .bodies_only = tree,
          .distances_to_others = distances};
}

// Evaluations of partners, with what met whom.
struct SharedMeetings {
  std::vector<far::Evaluation> evaluations;
  std::vector<far::Meetings> meetings;
  std::vector<std::exception_ptr> thrown;

  SharedMeetings(const FarColumns<float>& bodies, std::size_t count, bool tree, double distances)
      : evaluations(count), meetings(count) {
    const std::size_t n = bodies.x.size();
    PartnersInThreads threads(count);
    thrown = threads.run([&](far::Partners& partners) {
      const std::size_t p = partners.own(), begin = p * n / count, end = (p + 1) * n / count;
      const auto block = part_of(bodies.view(), begin, end - begin);
      far::Pieces<float> pieces;
      auto settings = settings_of(tree, distances);
      settings.meetings = &meetings[p];
      partners.together([&] {
        const far::Shared shared = far::shared_by_all(block, partners, 1);
        const auto piece = pieces.collect(block, {}, shared.frame, partners, 1);
        std::vector<far::FieldResult<float>> results;
        evaluations[p].find_shared_field<float>(piece, false, shared, settings, partners, results);
      });
    });
  }
  // Bodies, own and others', that act on each own body.
  std::vector<std::size_t> met_by(std::size_t p) const {
    const far::Scene& scene = evaluations[p].scene();
    const auto& cells = scene.tree.cells();
    std::vector<std::size_t> met(scene.bodies.count, 0);
    const auto meet = [&](const std::vector<far::Meetings::Pair>& pairs, bool of_bodies) {
      for (const auto& pair : pairs) {
        const std::size_t begin = of_bodies ? pair.target : cells[pair.target].begin;
        const std::size_t count = of_bodies ? 1 : cells[pair.target].count;
        for (std::size_t i = begin; i < begin + count; ++i) met[i] += cells[pair.source].count;
      }
    };
    meet(meetings[p].cell_cell, false), meet(meetings[p].near, false);
    meet(meetings[p].body_cell, true), meet(meetings[p].body_near, true);
    return met;
  }
};

TEST(SharedField, every_body_is_met_by_all_exactly_once) {
  for (const FarData& data : test::far_data()) {
    if (data.name == "merger at 5") continue;  // takes an evolution
    const FarColumns<float> bodies(data.make(3000, 8), data.charged);
    for (const bool tree : {false, true}) {
      const SharedMeetings shared(bodies, 4, tree, 1);
      for (std::size_t p = 0; p < 4; ++p) {
        ASSERT_FALSE(shared.thrown[p]);
        const auto met = shared.met_by(p);
        EXPECT_EQ(met, std::vector<std::size_t>(met.size(), 3000)) << data.name;
      }
    }
  }
}

TEST(SharedField, a_cell_that_should_have_come_with_its_bodies_ends_the_evaluation) {
  for (const bool tree : {false, true}) {
    const SharedMeetings shared(plummer(5000), 3, tree, 3);
    std::size_t found = 0;
    for (const auto& thrown : shared.thrown) {
      ASSERT_TRUE(thrown);  // who found nothing leaves with the others
      try {
        std::rethrow_exception(thrown);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::internal_error);
        ++found;
      } catch (const far::PartnerFailed&) {
      }
    }
    EXPECT_GE(found, 1U);
  }
}

TEST(SharedField, partners_leave_together_when_one_fails) {
  for (int stage = 0; stage < 3; ++stage) {
    PartnersInThreads threads(3);
    const auto thrown = threads.run([&](far::Partners& partners) {
      partners.together([&] {
        const std::vector<Bytes> nothing(3);
        for (int k = 0; k < stage; ++k) partners.exchange(nothing);
        if (partners.own() == 1) throw Error(ExitCode::bad_data, "of one");
        for (int k = stage; k < 2; ++k) partners.exchange(nothing);
      });
    });
    for (std::size_t p = 0; p < 3; ++p) {
      ASSERT_TRUE(thrown[p]);
      if (p == 1) {
        EXPECT_THROW(std::rethrow_exception(thrown[p]), Error);
      } else {
        EXPECT_THROW(std::rethrow_exception(thrown[p]), far::PartnerFailed);
      }
    }
  }
}

}  // namespace
}  // namespace apsis
