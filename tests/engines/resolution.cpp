// SPDX-License-Identifier: MIT
// What was decided about an engine: as texts of a file and back, and when two decisions give the
// same bits.
#include <apsis/core/error.hpp>
#include <apsis/engines/resolution.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

Resolution on_cpu() {
  return {.solver = "fmm",
          .precision = Precision::mixed,
          .threads = 3,
          .bodies = 1000,
          .ranks = 1,
          .devices = {{.device = "cpu",
                       .driver = "native AVX2",
                       .variant = "cells",
                       .choice = FarFieldChoice{.order = 6, .tolerance = 1.0 / 3},
                       .bodies = 1000}}};
}

Resolution on_two_cards() {
  return {.solver = "direct",
          .precision = Precision::f32,
          .threads = 0,
          .bodies = 700,
          .ranks = 2,
          .devices = {{.device = "Card",
                       .driver = "1.0",
                       .variant = "rows",
                       .choice = DirectSizes{.group = 64, .rows = 4},
                       .bodies = 300},
                      {.device = "Other card",
                       .driver = "2.0",
                       .variant = "naive",
                       .choice = {},
                       .bodies = 400}}};
}

std::string complaint_about(ResolvedTexts texts, const char* key, const char* value) {
  texts[key] = value;
  try {
    resolution_in(texts);
    return "none";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return error.what();
  }
}

std::string field_between(const Resolution& then, const Resolution& now,
                          bool reproducible = false) {
  const auto difference = difference_in_bits(then, now, reproducible);
  EXPECT_EQ(same_bits(then, now, reproducible), !difference.has_value());
  return difference ? difference->field : "";
}

TEST(ResolutionTexts, give_back_the_same_value) {
  for (const Resolution& resolution : {on_cpu(), on_two_cards()}) {
    EXPECT_EQ(resolution_in(texts_of(resolution)), resolution);
  }
}

TEST(ResolutionTexts, are_those_of_0_1) {
  const ResolvedTexts expected{{"device", "Card + Other card"},
                               {"driver", "1.0 + 2.0"},
                               {"solver", "direct"},
                               {"variant", "rows + naive"},
                               {"precision", "f32"},
                               {"threads", "0"},
                               {"bodies", "700"},
                               {"sizes", "group=64 rows=4 + "},
                               {"split", "300 400"},
                               {"ranks", "2"}};
  EXPECT_EQ(texts_of(on_two_cards()), expected);
}

TEST(ResolutionTexts, say_nothing_of_sizes_where_there_are_none) {
  Resolution plain = on_two_cards();
  plain.devices.front().choice = {};
  EXPECT_FALSE(texts_of(plain).contains("sizes"));
  EXPECT_EQ(resolution_in(texts_of(plain)), plain);
}

TEST(ResolutionTexts, of_no_engine_are_no_resolution) {
  EXPECT_EQ(resolution_in({}), std::nullopt);
  ResolvedTexts texts = texts_of(on_cpu());
  texts.erase("variant");
  EXPECT_EQ(resolution_in(texts), std::nullopt);
}

TEST(ResolutionTexts, that_contradict_themselves_are_refused_by_name) {
  const ResolvedTexts two = texts_of(on_two_cards()), cpu = texts_of(on_cpu());
  EXPECT_EQ(complaint_about(two, "driver", "1.0"),
            "resolved.device names 2 devices, and resolved.driver has 1 parts");
  EXPECT_NE(complaint_about(two, "split", "300 401"), "none");
  EXPECT_NE(complaint_about(two, "sizes", "rows=4 + rows=-1"), "none");
  EXPECT_EQ(complaint_about(cpu, "bodies", "-3"), "resolved.bodies = '-3' is no whole number");
  EXPECT_EQ(complaint_about(cpu, "threads", "three"),
            "resolved.threads = 'three' is no whole number");
  EXPECT_NE(complaint_about(cpu, "precision", "f16"), "none");
  EXPECT_NE(complaint_about(cpu, "solver", "pm"), "none");
  EXPECT_NE(complaint_about(cpu, "sizes", "order=5"), "none");
}

TEST(SameBits, are_those_of_equal_decisions) {
  EXPECT_EQ(field_between(on_cpu(), on_cpu()), "");
  Resolution more_threads = on_cpu();
  more_threads.threads = 64;
  EXPECT_EQ(field_between(on_cpu(), more_threads), "");
}

TEST(SameBits, name_the_field_that_changes_them) {
  const Resolution then = on_two_cards();
  const auto changed = [&](const auto& change) {
    Resolution now = then;
    change(now);
    return field_between(then, now);
  };
  EXPECT_EQ(changed([](Resolution& r) { r.solver = "fmm"; }), "solver");
  EXPECT_EQ(changed([](Resolution& r) { r.precision = Precision::f64; }), "precision");
  EXPECT_EQ(changed([](Resolution& r) { r.devices[1].device = "cpu"; }), "device");
  EXPECT_EQ(changed([](Resolution& r) { r.devices[0].driver = "1.1"; }), "driver");
  EXPECT_EQ(changed([](Resolution& r) { r.devices[1].variant = "rows"; }), "variant");
  EXPECT_EQ(changed([](Resolution& r) { r.devices[0].choice = DirectSizes{.rows = 8}; }), "sizes");
  EXPECT_EQ(changed([](Resolution& r) { r.ranks = 1; }), "ranks");
  EXPECT_EQ(changed([](Resolution& r) { r.devices.pop_back(); }), "device");
}

TEST(SameBits, do_not_depend_on_how_many_share_where_sums_have_one_order) {
  Resolution two = on_two_cards();
  two.devices[1] = two.devices[0];
  Resolution one = two;
  one.devices.pop_back(), one.ranks = 1;
  EXPECT_EQ(field_between(two, one, true), "");
  EXPECT_EQ(field_between(two, one, false), "device");
  // a part of a card is of its kind
  one.devices[0].device = "Card part 1 of 2";
  EXPECT_EQ(field_between(two, one, true), "");
}

}  // namespace
}  // namespace apsis
