// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/spec_keys.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace apsis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// "what; remedy" of the error that parsing ends with.
std::string complaint(const std::string& text) {
  try {
    parse_run_spec(text, "spec.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return std::string(error.what()) + "; " + error.remedy();
  }
  return "no error";
}

TEST(RunSpec, empty_text_is_the_default_run) {
  const RunSpec spec = parse_run_spec("", "spec.toml");
  EXPECT_EQ(spec.initial.model, "galaxy-merger");
  EXPECT_EQ(spec.time.integrator, "leapfrog");
  EXPECT_FALSE(spec.time.step);
}

TEST(RunSpec, keys_are_read_into_their_members) {
  const RunSpec spec = parse_run_spec(R"(
title = "Two galaxies collide"
seed = 7
[initial]
model = "plummer"
bodies = 16384
[units]
system = "henon"
[force]
law = "gravity"
softening = 0.05
[time]
integrator = "hermite4"
step = 1e-3
until = 2
burst = 5
[device]
precision = "mixed"
threads = 3
[output]
directory = "out/x"
checkpoint_steps = 100
)",
                                      "spec.toml");
  EXPECT_EQ(spec.seed, 7U);
  EXPECT_EQ(spec.initial.bodies, 16384U);
  EXPECT_EQ(spec.force.softening, 0.05);
  EXPECT_EQ(spec.time.until, 2.0);  // a whole number is a number
  EXPECT_EQ(spec.device.precision, Precision::mixed);
  EXPECT_EQ(spec.output.checkpoint_steps, 100);
}

TEST(RunSpec, far_field_keys_are_read_and_written_back) {
  const RunSpec spec = parse_run_spec(R"([force]
solver = "bins"
accuracy = 1e-4
opening_angle = 0.6
order = 5
box = [0, 1000, 0, 1000, -1.5, 2]
bins = 10
)",
                                      "spec.toml");
  EXPECT_EQ(spec.force.solver, "bins");
  EXPECT_EQ(spec.force.far_field.accuracy, 1e-4);
  EXPECT_EQ(spec.force.far_field.opening_angle, 0.6);
  EXPECT_EQ(spec.force.far_field.order, 5);
  EXPECT_EQ(spec.force.bins.box, (Box{0, 1000, 0, 1000, -1.5, 2}));
  EXPECT_EQ(spec.force.bins.bins, 10);
  EXPECT_EQ(to_toml(parse_run_spec(to_toml(spec), "again")), to_toml(spec));
  EXPECT_EQ(parse_run_spec(to_toml(spec), "again").force.bins, spec.force.bins);
}

TEST(RunSpec, far_field_values_out_of_range_are_named_with_the_range) {
  EXPECT_EQ(complaint("[force]\nbins = 300"),
            "spec.toml:2:8: force.bins = 300 is out of range; give a number > 0 and <= 256");
  EXPECT_THAT(complaint("[force]\norder = 65"), HasSubstr("<= 64"));
  EXPECT_THAT(complaint("[force]\norder = 2.5"), HasSubstr("is not a whole number"));
  EXPECT_THAT(complaint("[force]\nopening_angle = 2.5"), HasSubstr("<= 2"));
  EXPECT_THAT(complaint("[force]\naccuracy = 0"), HasSubstr("give a number > 0"));
  EXPECT_THAT(complaint("[force]\nsolver = \"tre\""), HasSubstr("choose auto, direct"));
}

TEST(RunSpec, external_fields_are_sections_within_a_section) {
  const RunSpec spec = parse_run_spec(
      "[external.plummer]\nmass = 3\nradius = 0.5\n[external]\nuniform = {z = -9.81}\n",
      "spec.toml");
  EXPECT_EQ(std::get<external::Plummer>(spec.external.table),
            (external::Plummer{.mass = 3, .radius = 0.5}));
  EXPECT_EQ(std::get<external::Uniform>(spec.external.table).z, -9.81);
  const std::string text = to_toml(spec);
  EXPECT_THAT(text, HasSubstr("[external.plummer]\nmass = 3.0\nradius = 0.5\n"));
  EXPECT_THAT(text, Not(HasSubstr("harmonic")));
  EXPECT_EQ(parse_run_spec(text, "again").external, spec.external);

  RunSpec set;
  set_key(set, "external.logarithmic.speed=220");
  EXPECT_EQ(std::get<external::Logarithmic>(set.external.table).speed, 220);
}

TEST(RunSpec, wrong_words_about_external_fields_find_their_neighbours) {
  EXPECT_THAT(complaint("[external.plumer]\nmass = 3\n"),
              AllOf(HasSubstr("spec.toml:1:1: unknown key 'external.plumer'"),
                    HasSubstr("did you mean 'external.plummer'?")));
  EXPECT_THAT(complaint("[external.plummer]\nmas = 3\n"),
              AllOf(HasSubstr("unknown key 'external.plummer.mas'"),
                    HasSubstr("did you mean 'external.plummer.mass'?")));
  EXPECT_THAT(complaint("external = 3\n"), HasSubstr("unknown key 'external'"));
  EXPECT_THAT(complaint("[external.plummer]\nradius = -1\n"),
              AllOf(HasSubstr("external.plummer.radius = -1 is out of range"), HasSubstr(">= 0")));
  EXPECT_THAT(complaint("[time.step]\nx = 1\n"), HasSubstr("time.step = "));
}

TEST(RunSpec, a_box_has_six_sides_and_a_width_along_each) {
  for (const char* wrong : {"3", "[1, 2]", "[0, 1, 0, 1, 0, 1, 0]", "\"box\""}) {
    EXPECT_THAT(complaint(std::string("[force]\nbox = ") + wrong),
                AllOf(HasSubstr("spec.toml:2:7: force.box = "),
                      HasSubstr("is not a list of six numbers; give [x0, x1, y0, y1, z0, z1]")));
  }
  EXPECT_THAT(complaint("[force]\nbox = [0, 1, 2, 2, 0, 1]"), HasSubstr("has no width along y"));
  EXPECT_THAT(complaint("[force]\nbox = [0, 1, 0, 1, 1, 0]"), HasSubstr("has no width along z"));
  EXPECT_THAT(complaint("[force]\nbox = [0, 1, 0, 1, 0, inf]"), HasSubstr("is not a finite"));
}

TEST(RunSpec, analyses_are_a_list_or_words_with_commas) {
  const AnalysisNames both{AnalysisName::bound, AnalysisName::centre};
  const auto of = [](const std::string& value) {
    return parse_run_spec("[output]\nanalyse = " + value, "spec.toml").output.analyse;
  };
  EXPECT_EQ(of("[\"bound\", \"centre\"]"), both);
  EXPECT_EQ(of("\"bound, centre\""), both);
  EXPECT_TRUE(of("[]").empty());
  RunSpec spec;
  set_key(spec, "output.analyse=bound,centre");
  EXPECT_EQ(spec.output.analyse, both);
  EXPECT_THAT(to_toml(spec), HasSubstr("analyse = [\"bound\", \"centre\"]\n"));
  EXPECT_EQ(parse_run_spec(to_toml(spec), "again").output.analyse, both);
  set_key(spec, "output.analyse=");
  EXPECT_TRUE(spec.output.analyse.empty());
  EXPECT_THAT(to_toml(spec), Not(HasSubstr("analyse")));
}

TEST(RunSpec, words_that_are_no_analyses_are_named_with_those_that_are) {
  EXPECT_THAT(complaint("[output]\nanalyse = [\"bound\", \"center\"]"),
              AllOf(HasSubstr("spec.toml:2:11: output.analyse = "),
                    HasSubstr("names 'center', which is no analysis (did you mean 'centre'?)"),
                    HasSubstr("lagrangian, centre, bound, profile, groups or orbits")));
  EXPECT_THAT(complaint("[output]\nanalyse = \"bound,bound\""), HasSubstr("names bound twice"));
  EXPECT_THAT(complaint("[output]\nanalyse = \"bound,,centre\""), HasSubstr("names ''"));
  for (const char* wrong : {"3", "true", "[1]", "[[\"bound\"]]", "{bound = 1}"}) {
    EXPECT_THAT(complaint(std::string("[output]\nanalyse = ") + wrong),
                AllOf(HasSubstr("spec.toml:2:"), HasSubstr("output.analyse")))
        << wrong;
  }
}

TEST(RunSpec, analyses_come_with_the_energies_where_nothing_else_is_said) {
  RunSpec spec;
  fill_in(spec, {});
  EXPECT_FALSE(spec.output.analyse_every);  // specs without analyses stay as they were
  spec.output.analyse = {AnalysisName::bound};
  fill_in(spec, {});
  EXPECT_EQ(spec.output.analyse_every, spec.output.energy_every);
}

TEST(RunSpec, unknown_key_is_named_with_line_column_and_its_neighbour) {
  EXPECT_EQ(complaint("[time]\nstepp = 0.1\n"),
            "spec.toml:2:9: unknown key 'time.stepp'; did you mean 'time.step'?");
  EXPECT_THAT(complaint("[tme]\nstep = 0.1\n"),
              AllOf(HasSubstr("unknown key 'tme'"), HasSubstr("did you mean 'time'?")));
  EXPECT_THAT(complaint("sed = 1"), HasSubstr("did you mean 'seed'?"));
  EXPECT_THAT(complaint("[force]\nwheelbarrow = 1"), HasSubstr("apsis run --help"));
}

TEST(RunSpec, values_of_the_wrong_type_are_named) {
  EXPECT_THAT(complaint("[time]\nstep = \"fast\"\n"),
              AllOf(HasSubstr("spec.toml:2:8: time.step = "), HasSubstr("is not a number")));
  EXPECT_THAT(complaint("[initial]\nbodies = 3.5"), HasSubstr("is not a whole number"));
  EXPECT_THAT(complaint("[device]\nreproducible = 1"), HasSubstr("is not true or false"));
  EXPECT_THAT(complaint("title = 3"), HasSubstr("is not a string"));
  EXPECT_THAT(complaint("[initial]\nw0 = [1, 2]"), HasSubstr("is neither a number"));
}

TEST(RunSpec, values_out_of_range_are_named_with_the_range) {
  EXPECT_THAT(complaint("[time]\nstep = -0.01"),
              AllOf(HasSubstr("time.step = -0.01 is out of range"), HasSubstr("number > 0")));
  EXPECT_THAT(complaint("[time]\nstep = 0"), HasSubstr("out of range"));
  EXPECT_THAT(complaint("[force]\nsoftening = nan"), HasSubstr("is not a finite number"));
  EXPECT_THAT(complaint("[force]\nsoftening = -1"), HasSubstr("number >= 0"));
  EXPECT_THAT(complaint("[initial]\nbodies = -5"), HasSubstr("out of range"));
  EXPECT_THAT(complaint("[time]\nuntil = inf"), HasSubstr("is not a finite number"));
}

TEST(RunSpec, unknown_words_find_their_neighbours) {
  EXPECT_THAT(complaint("[time]\nintegrator = \"leapfog\""), HasSubstr("did you mean 'leapfrog'?"));
  EXPECT_THAT(complaint("[force]\nlaw = \"gravty\""), HasSubstr("did you mean 'gravity'?"));
  EXPECT_THAT(complaint("[units]\nsystem = \"SI\""), HasSubstr("did you mean 'si'?"));
  EXPECT_THAT(complaint("[device]\nprecision = \"f16\""), HasSubstr("choose f32, mixed or f64"));
}

TEST(RunSpec, broken_toml_is_reported_where_it_breaks) {
  EXPECT_THAT(complaint("[time\nstep = 1"), HasSubstr("spec.toml:1:"));
  EXPECT_THAT(complaint("seed = 1\nseed = 2"), HasSubstr("spec.toml:2:"));
}

TEST(RunSpec, model_options_keep_their_place_for_later_messages) {
  const RunSpec spec = parse_run_spec("[initial]\nmodel = \"king\"\nw0 = 7\n", "k.toml");
  ASSERT_EQ(spec.initial.options.count("w0"), 1U);
  EXPECT_EQ(std::get<double>(spec.initial.options.at("w0").value), 7.0);
  EXPECT_EQ(spec.initial.options.at("w0").origin, "k.toml:3:6");
}

TEST(RunSpec, set_takes_toml_values_and_bare_words) {
  RunSpec spec;
  set_key(spec, "time.step=0.25");
  set_key(spec, "time.integrator=rk4");
  set_key(spec, "title=\"with = sign\"");
  set_key(spec, "initial.eccentricity=0.9");
  EXPECT_EQ(spec.time.step, 0.25);
  EXPECT_EQ(spec.time.integrator, "rk4");
  EXPECT_EQ(spec.title, "with = sign");
  EXPECT_EQ(std::get<double>(spec.initial.options.at("eccentricity").value), 0.9);
}

TEST(RunSpec, set_without_equals_sign_is_wrong_usage_and_unknown_keys_are_bad_data) {
  RunSpec spec;
  const auto code = [&](const char* assignment) {
    try {
      set_key(spec, assignment);
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::done;
  };
  EXPECT_EQ(code("time.step"), ExitCode::wrong_usage);
  EXPECT_EQ(code("time.stp=1"), ExitCode::bad_data);
  EXPECT_EQ(code("tim.step=1"), ExitCode::bad_data);
  EXPECT_EQ(code("time.step=-1"), ExitCode::bad_data);
}

TEST(RunSpec, written_text_reads_back_to_the_same_text) {
  RunSpec spec;
  spec.title = "quotes \" and \\ and\nlines";
  spec.initial.model = "king";
  spec.initial.options["w0"] = {6.5, ""};
  spec.initial.options["kind"] = {std::string("round"), ""};
  fill_in(spec, {.units = "henon", .softening = 0.1, .step = 1.0 / 3, .until = 1e-7});
  spec.resolved = {{"device", "cpu"}, {"threads", "2"}};
  const std::string text = to_toml(spec);
  const RunSpec again = parse_run_spec(text, "again.toml");
  EXPECT_EQ(to_toml(again), text);
  EXPECT_EQ(again.time.step, 1.0 / 3);
  EXPECT_EQ(again.title, spec.title);
  EXPECT_EQ(again.resolved, spec.resolved);
}

TEST(RunSpec, given_values_are_kept_and_missing_ones_come_from_the_model) {
  RunSpec spec;
  spec.time.step = 0.5;
  fill_in(spec, {.units = "si", .law = Law::coulomb, .softening = 3, .step = 1, .until = 10});
  EXPECT_EQ(spec.time.step, 0.5);
  EXPECT_EQ(spec.time.until, 10.0);
  EXPECT_EQ(spec.force.constant, 8.9875517923e9);
  EXPECT_EQ(spec.output.energy_every, 0.1);
  EXPECT_EQ(spec.output.directory, "out/galaxy-merger");
}

TEST(RunSpec, the_square_of_the_softening_is_another_way_to_write_it) {
  const RunSpec squared = parse_run_spec("[force]\nsoftening_squared = 1e-4", "spec.toml");
  const RunSpec plain = parse_run_spec("[force]\nsoftening = 0.01", "spec.toml");
  EXPECT_EQ(to_toml(squared), to_toml(plain));
  EXPECT_THAT(complaint("[force]\nsoftening = 0.01\nsoftening_squared = 1e-4"),
              AllOf(HasSubstr("spec.toml:3:21: force.softening_squared = "),
                    HasSubstr("stands beside force.softening"), HasSubstr("one of them")));
  EXPECT_THAT(complaint("[force]\nsoftening_squared = -1"),
              AllOf(HasSubstr("force.softening_squared = -1"), HasSubstr("give a number >= 0")));
}

TEST(RunSpec, either_form_of_the_softening_can_be_set_over_the_other) {
  RunSpec spec = parse_run_spec("[force]\nsoftening = 5", "spec.toml");
  set_key(spec, "force.softening_squared=4");
  EXPECT_EQ(spec.force.softening, 2);
  set_key(spec, "force.softening=3");
  EXPECT_EQ(spec.force.softening, 3);
  EXPECT_FALSE(spec.softening_squared);
}

TEST(RunSpec, rows_that_nobody_asked_for_do_not_cut_bursts_that_somebody_did) {
  const auto filled = [](const std::string& keys) {
    RunSpec spec = parse_run_spec(keys, "spec.toml");
    fill_in(spec, {.step = 0.01, .until = 1});
    return spec;
  };
  const RunSpec usual = filled("");
  EXPECT_EQ(usual.time.burst, 20);
  EXPECT_EQ(usual.output.energy_every, 0.01);
  EXPECT_EQ(usual.output.snapshot_every, 0.05);
  const RunSpec asked = filled("[time]\nburst = 20");
  EXPECT_EQ(asked.output.energy_every, 0.2);
  EXPECT_EQ(asked.output.snapshot_every, 0.2);
  EXPECT_EQ(filled("[time]\nburst = 1").output.energy_every, 0.01);
  const RunSpec both = filled("[time]\nburst = 20\n[output]\nenergy_every = 0.03");
  EXPECT_EQ(both.output.energy_every, 0.03);
}

TEST(RunSpec, custom_units_need_all_three_sizes_and_give_their_own_constant) {
  RunSpec spec;
  set_key(spec, "units.system=custom");
  set_key(spec, "units.length_in_cm=3.085678e21");
  EXPECT_THROW(fill_in(spec, {}), Error);
  set_key(spec, "units.mass_in_g=1.989e43");
  set_key(spec, "units.velocity_in_cm_per_s=1e5");
  fill_in(spec, {});
  // G in GADGET's kpc, 1e10 Msun and km/s: 43007.1 with CODATA's and IAU's values, 43022 with
  // those of the file above
  EXPECT_NEAR(*spec.force.constant, 43022, 1);
  set_key(spec, "units.system=henon");
  EXPECT_THROW(units_of(spec), Error);
}

TEST(SpecKeys, every_key_is_described_and_belongs_to_a_known_section) {
  const auto sections = spec_sections();
  EXPECT_THAT(sections,
              testing::IsSupersetOf({"initial", "units", "force", "time", "device", "output"}));
  const RunSpec any;
  std::size_t keys = 0;
  for_each_key(any, [&](const SpecKey& key, const auto&) {
    ++keys;
    EXPECT_FALSE(key.field.meaning.empty()) << key.path;
    const std::string section = section_of(key.path);
    if (section.empty()) return;
    EXPECT_EQ(std::count(sections.begin(), sections.end(), section), 1) << key.path;
  });
  EXPECT_EQ(spec_key_table().size(), keys);
}

}  // namespace
}  // namespace apsis
