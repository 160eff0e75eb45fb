// SPDX-License-Identifier: MIT
// What holds for every model, and the answers to wrong requests.
#include "initial/sample.hpp"
#include <apsis/core/thread_team.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace apsis::test {
namespace {

using ::testing::HasSubstr;

class EveryModel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryModel, makes_its_default_state) {
  const ModelInfo& model = model_info(GetParam());
  const auto state = make(model.name, model.default_bodies);
  EXPECT_EQ(state.bodies.size(), model.default_bodies);
  require_valid(state.bodies, model.name);
  EXPECT_EQ(coincident_bodies(state.bodies), 0U);
  EXPECT_GT(state.defaults.step, 0);
  EXPECT_GT(state.defaults.until, state.defaults.step);
  EXPECT_EQ(state.time, 0);
}

TEST_P(EveryModel, lists_the_defaults_that_it_gives) {
  const ModelInfo& model = model_info(GetParam());
  const auto state = make(model.name, model.default_bodies);
  EXPECT_EQ(state.defaults.units, model.defaults.units);
  EXPECT_EQ(state.defaults.law, model.defaults.law);
  EXPECT_DOUBLE_EQ(state.defaults.softening, model.defaults.softening);
  EXPECT_DOUBLE_EQ(state.defaults.step, model.defaults.step);
  EXPECT_DOUBLE_EQ(state.defaults.until, model.defaults.until);
  EXPECT_EQ(state.defaults.precision, model.defaults.precision);
}

// As docs/models.md says: at rest at the origin, but for cubes and boxes that are filled exactly.
TEST_P(EveryModel, has_its_centre_of_mass_at_rest_at_the_origin) {
  const ModelInfo& model = model_info(GetParam());
  const std::set<std::string> filled{"uniform", "lab",      "tutorial",
                                     "lattice", "billiard", "bins-box"};
  if (filled.contains(model.name)) return;
  const Bodies bodies = make(model.name, model.default_bodies).bodies;
  Vec3 place, velocity;
  double size = 0, speed = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    place += bodies.mass[i] * bodies.position(i), velocity += bodies.mass[i] * bodies.velocity(i);
    size += bodies.mass[i] * norm(bodies.position(i));
    speed += bodies.mass[i] * norm(bodies.velocity(i));
  }
  EXPECT_LE(norm(place), 1e-9 * size);
  EXPECT_LE(norm(velocity), 1e-9 * speed);
}

TEST_P(EveryModel, gives_the_same_bits_for_any_number_of_threads) {
  const ModelInfo& model = model_info(GetParam());
  // above the size where loops go parallel
  const std::uint64_t n = model.fixed_count ? model.default_bodies : 40000;
  set_default_threads(1);
  const auto one = make(model.name, n);
  set_default_threads(5);
  const auto five = make(model.name, n);
  set_default_threads(0);
  EXPECT_EQ(one.bodies, five.bodies);
}

TEST_P(EveryModel, works_with_hardly_any_bodies) {
  const ModelInfo& model = model_info(GetParam());
  if (model.fixed_count) {
    EXPECT_THROW(make(model.name, model.default_bodies + 1), Error);
    return;
  }
  for (const std::uint64_t n : {0U, 1U, 2U, 3U, 7U}) {
    const auto state = make(model.name, n);
    EXPECT_EQ(state.bodies.size(), n);
    require_valid(state.bodies, model.name);
  }
}

TEST_P(EveryModel, numbers_its_bodies_from_zero) {
  const ModelInfo& model = model_info(GetParam());
  const auto state = make(model.name, model.fixed_count ? model.default_bodies : 50);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) EXPECT_EQ(state.bodies.id[i], i);
}

TEST_P(EveryModel, describes_itself_and_its_options) {
  const ModelInfo& model = model_info(GetParam());
  EXPECT_FALSE(model.summary.empty());
  std::set<std::string> names;
  for (const auto& option : model.options) {
    EXPECT_FALSE(option.description.empty()) << option.name;
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    if (option.choices.empty()) {
      EXPECT_LE(option.minimum, option.default_value) << option.name;
      EXPECT_GE(option.maximum, option.default_value) << option.name;
    }
  }
}

TEST_P(EveryModel, accepts_both_ends_of_every_option) {
  const ModelInfo& model = model_info(GetParam());
  const std::uint64_t n = model.fixed_count ? model.default_bodies : 20;
  for (const auto& option : model.options) {
    // pairs that only make sense together have tests of their own
    static const std::set<std::string> coupled{"disk_share", "bulge_share", "inner",
                                               "outer",      "separation",  "pericentre"};
    if (coupled.count(option.name) > 0) continue;
    if (option.choices.empty()) {
      for (const double value : {option.minimum, option.maximum}) {
        const auto state = make(model.name, n, {{option.name, value}});
        require_valid(state.bodies, model.name + " " + option.name);
      }
    }
    for (const auto& word : option.choices) make(model.name, n, {{option.name, word}});
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& model : models()) names.push_back(model.name);
  return names;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& model) {
  std::string name = model.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(model_names()), test_name);

TEST(Models, another_seed_gives_other_bodies) {
  auto wanted = request("plummer", 100);
  const auto first = make_model(wanted);
  wanted.seed = 43;
  EXPECT_NE(make_model(wanted).bodies, first.bodies);
}

std::string message_of(const ModelRequest& wanted) {
  try {
    make_model(wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return std::string(error.what()) + "; " + error.remedy();
  }
  return "no error";
}

TEST(WrongRequest, unknown_model_names_the_nearest) {
  EXPECT_THAT(message_of(request("plumer", 10)), HasSubstr("did you mean 'plummer'?"));
}

TEST(WrongRequest, unknown_option_names_the_nearest_and_the_place) {
  auto wanted = request("king", 10);
  wanted.options["wO"] = {5.0, "king.toml:3:1"};
  const auto text = message_of(wanted);
  EXPECT_THAT(text, HasSubstr("king.toml:3:1: model king has no option 'wO'"));
  EXPECT_THAT(text, HasSubstr("did you mean 'w0'?"));
}

TEST(WrongRequest, an_option_of_a_model_without_any_is_refused) {
  EXPECT_THAT(message_of(request("tutorial", 10, {{"speed", 1.0}})), HasSubstr("has no options"));
}

TEST(WrongRequest, a_value_out_of_range_names_value_place_and_range) {
  const auto text = message_of(request("king", 10, {{"w0", 99.0}}));
  EXPECT_THAT(text, HasSubstr("test: option w0 of model king is 99"));
  EXPECT_THAT(text, HasSubstr("0.1 to 14"));
}

TEST(WrongRequest, not_a_number_is_out_of_range) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of(request("king", 10, {{"w0", nan}})), HasSubstr("is nan"));
}

TEST(WrongRequest, a_word_for_a_number_is_refused) {
  EXPECT_THAT(message_of(request("king", 10, {{"w0", "six"}})), HasSubstr("a number, not 'six'"));
}

TEST(WrongRequest, an_unknown_word_names_the_nearest) {
  const auto text = message_of(request("uniform", 10, {{"masses", "equla"}}));
  EXPECT_THAT(text, HasSubstr("did you mean 'equal'?"));
  EXPECT_THAT(message_of(request("uniform", 10, {{"masses", 3.0}})), HasSubstr("spread or equal"));
}

TEST(WrongRequest, a_number_of_bodies_that_the_model_cannot_have) {
  EXPECT_THAT(message_of(request("kepler", 3)), HasSubstr("has 2 bodies, not 3"));
  EXPECT_THAT(message_of(request("uniform", std::uint64_t{1} << 60U)), HasSubstr("memory"));
}

}  // namespace
}  // namespace apsis::test
