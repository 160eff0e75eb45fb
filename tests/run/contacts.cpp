// SPDX-License-Identifier: MIT
// Runs whose bodies touch: the same bits wherever they are computed and however often they are
// broken off, a ledger that adds up, and what is refused.
#include "run_test.hpp"
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/event_log.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/devices.hpp>

#include <cmath>
#include <map>

namespace apsis {
namespace {

using testing::HasSubstr;

using Keys = std::vector<std::string>;

Keys operator+(Keys a, const Keys& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Keys reproducible{"device.precision=f64", "device.reproducible=true", "force.solver=direct"};

// What a run can do about contacts, each with a case that has dozens of them.
const std::map<std::string, Keys> answers{
    {"merge", reproducible + Keys{"initial.model=planetesimals", "initial.bodies=200",
                                  "initial.filling=0.05", "time.until=0.6"}},
    {"bounce", reproducible + Keys{"initial.model=sphere", "initial.bodies=150", "time.until=0.8",
                                   "force.softening=0.05", "contacts.on=bounce",
                                   "contacts.radius=0.08", "contacts.restitution=0.7"}},
    {"soft", reproducible + Keys{"initial.model=sphere", "initial.bodies=150", "time.until=0.8",
                                 "force.softening=0.05", "contacts.on=soft", "contacts.radius=0.08",
                                 "contacts.restitution=0.5", "contacts.duration=0.1"}},
    {"gas", {"initial.model=billiard", "initial.bodies=200", "initial.filling=0.2"}},
    {"leave", reproducible + Keys{"initial.model=plummer", "initial.bodies=200", "time.until=0.8",
                                  "space.remove_beyond=1.5"}}};

class ContactRunTest : public RunTest, public testing::WithParamInterface<std::string> {
 protected:
  RunSpec case_of(const std::string& name, const std::string& folder, const Keys& more = {}) const {
    return spec(folder, Keys{"time.burst=1"} + answers.at(name) + more);
  }

  struct Outcome {
    Bytes state;
    std::string energies, events;
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  Outcome outcome(const std::string& folder) const {
    return {final_state(top_ / folder), read_text(top_ / folder / "energy.csv"),
            read_text(top_ / folder / "events.csv")};
  }
  Summary run(const std::string& name, const std::string& folder, const Keys& more = {}) const {
    return start_run(case_of(name, folder, more), false, {}).summary;
  }
};

TEST_P(ContactRunTest, has_the_same_bits_on_any_number_of_threads) {
  const Summary one = run(GetParam(), "1", {"device.threads=1"});
  ASSERT_TRUE(one.events);
  EXPECT_GT(one.events->merged + one.events->bounced + one.events->left, 8U);
  for (const char* threads : {"2", "3", "8"}) {
    run(GetParam(), threads, {std::string("device.threads=") + threads});
    EXPECT_EQ(outcome(threads), outcome("1")) << threads << " threads";
  }
}

TEST_P(ContactRunTest, has_the_same_bits_with_every_search) {
  run(GetParam(), "auto");
  for (const char* search : {"direct", "grid", "tree"}) {
    run(GetParam(), search, {std::string("contacts.search=") + search});
    EXPECT_EQ(outcome(search).events, outcome("auto").events) << search;
    EXPECT_EQ(outcome(search).state, outcome("auto").state) << search;
  }
}

TEST_P(ContactRunTest, on_a_device_and_on_halves_of_it_is_that_of_the_host) {
  APSIS_NEED_DEVICE();
  run(GetParam(), "host");
  for (const char* device : {"opencl:0", "opencl:0/2"}) {
    const std::string folder = device == std::string("opencl:0") ? "one" : "halves";
    run(GetParam(), folder, {std::string("device.name=") + device});
    EXPECT_EQ(outcome(folder).events, outcome("host").events) << device;
    EXPECT_EQ(outcome(folder).state, outcome("host").state) << device;
  }
}

TEST_P(ContactRunTest, that_is_broken_off_goes_on_with_the_same_bits) {
  run(GetParam(), "whole");
  for (const std::uint64_t at : {3U, 22U, 31U}) {
    const std::string folder = "parts" + std::to_string(at);
    std::uint64_t seen = 0;
    start_run(case_of(GetParam(), folder), false, stopping_at(at, seen));
    resume_run(top_ / folder, {}, {});
    EXPECT_EQ(outcome(folder), outcome("whole")) << at;
  }
}

// Rows of contacts, the columns of lost energy and the summary say the same.
TEST_P(ContactRunTest, has_a_ledger_that_adds_up) {
  const Summary summary = run(GetParam(), "run");
  ASSERT_TRUE(summary.events);
  EventTotals of_rows;
  double lost = 0;
  const auto rows = read_event_log(top_ / "run/events.csv");
  for (const EventRow& row : rows) {
    lost += row.event.energy_lost;
    if (row.event.kind == "merge") ++of_rows.merged;
    if (row.event.kind == "bounce" || row.event.kind == "soft") ++of_rows.bounced;
    if (row.event.kind == "left") ++of_rows.left;
  }
  EXPECT_EQ(of_rows.merged, summary.events->merged);
  EXPECT_EQ(of_rows.bounced, summary.events->bounced);
  EXPECT_EQ(of_rows.left, summary.events->left);
  const auto energies = read_energy_log(top_ / "run/energy.csv");
  const Energies start = energies.front().energies, end = energies.back().energies;
  const double scale = start.kinetic + std::abs(start.potential);
  if (GetParam() != "soft") {  // whose springs have no rows
    EXPECT_NEAR(lost, summary.events->energy_lost, 1e-13 * scale);
  }
  EXPECT_EQ(energies.back().lost, summary.events->energy_lost);
  const double change = end.total() - start.total() + summary.events->energy_lost;
  EXPECT_NEAR(*summary.energy_error_end, std::abs(change) / scale, 1e-12);
  EXPECT_LT(*summary.energy_error_end, 0.02)
      << "while the bodies lost " << summary.events->energy_lost / scale;
  RecordProperty("energy_error", std::to_string(*summary.energy_error_end));
}

INSTANTIATE_TEST_SUITE_P(Answers, ContactRunTest,
                         testing::Values("merge", "bounce", "soft", "gas", "leave"),
                         [](const auto& test) { return test.param; });

class ContactEndTest : public ContactRunTest {};

TEST_F(ContactEndTest, a_run_that_stops_at_a_contact_keeps_the_state_before_it_and_goes_on) {
  const Keys stop{"contacts.on=stop"};
  Keys keys = answers.at("bounce");
  std::erase(keys, "contacts.restitution=0.7");
  const RunResult first = start_run(spec("run", Keys{"time.burst=1"} + keys + stop), false, {});
  EXPECT_EQ(first.summary.ended_by, EndedBy::contact);
  EXPECT_EQ(first.summary.exit_code, ExitCode::done);
  EXPECT_EQ(first.summary.status, "stopped");
  EXPECT_THAT(first.message, HasSubstr("touch at t = "));
  const auto rows = read_event_log(top_ / "run/events.csv");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].event.kind, "stop");
  // --continue says so and computes nothing
  RunSpec again = spec("run", Keys{"time.burst=1"} + keys + stop);
  const RunResult said = continue_run(again, {});
  EXPECT_TRUE(said.was_finished);
  EXPECT_THAT(said.message, HasSubstr("has ended: bodies"));
  // with an answer it is the run that had it from the start
  start_run(spec("bounce", Keys{"time.burst=1"} + keys +
                               Keys{"contacts.on=bounce", "contacts.restitution=0.7"}),
            false, {});
  const RunResult on =
      resume_run(top_ / "run", {"contacts.on=bounce", "contacts.restitution=0.7"}, {});
  EXPECT_EQ(on.summary.ended_by, EndedBy::until);
  EXPECT_EQ(final_state(top_ / "run"), final_state(top_ / "bounce"));
  EXPECT_EQ(read_text(top_ / "run/events.csv"), read_text(top_ / "bounce/events.csv"));
  EXPECT_EQ(read_text(top_ / "run/energy.csv"), read_text(top_ / "bounce/energy.csv"));
}

TEST_F(ContactEndTest, an_answer_that_is_none_lets_the_bodies_pass) {
  Keys keys = answers.at("bounce");
  std::erase(keys, "contacts.restitution=0.7");
  start_run(spec("run", keys + Keys{"contacts.on=stop"}), false, {});
  const RunResult on = resume_run(top_ / "run", {"contacts.on=none"}, {});
  EXPECT_EQ(on.summary.ended_by, EndedBy::until);
  // the logs go on as they began, and the contact that did not happen is not in them
  EXPECT_TRUE(read_event_log(top_ / "run/events.csv").empty());
  EXPECT_EQ(read_energy_log(top_ / "run/energy.csv").back().step, on.summary.steps);
  EXPECT_TRUE(on.summary.events);
}

TEST_F(ContactEndTest, a_run_that_has_not_stopped_keeps_its_answer) {
  std::uint64_t seen = 0;
  start_run(case_of("bounce", "run"), false, stopping_at(3, seen));
  std::string text;
  EXPECT_EQ(code_of([&] { resume_run(top_ / "run", {"contacts.on=merge"}, {}); }, &text),
            ExitCode::wrong_usage);
  EXPECT_THAT(text, HasSubstr("would change a run that has begun"));
}

TEST_F(ContactEndTest, bodies_that_vanish_leave_the_ids_of_the_others) {
  start_run(case_of("merge", "run"), false, {});
  const auto files = list_files(top_ / "run", "snapshot_");
  const Bodies first = read_snapshot(files.front()).bodies,
               last = read_snapshot(files.back()).bodies;
  EXPECT_LT(last.size(), first.size());
  double mass = 0, volume_before = 0, volume = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    EXPECT_EQ(std::count(first.id.begin(), first.id.end(), last.id[i]), 1);
    mass += last.mass[i], volume += std::pow(last.radius[i], 3);
  }
  for (const double r : first.radius) volume_before += std::pow(r, 3);
  EXPECT_NEAR(mass, 1, 1e-13);
  EXPECT_NEAR(volume, volume_before, 1e-13 * volume_before);
}

// What is done at the end of a run must not depend on where it ends.
TEST_F(ContactEndTest, a_run_that_is_prolonged_loses_the_bodies_that_the_longer_one_does) {
  start_run(case_of("leave", "whole"), false, {});
  start_run(case_of("leave", "parts", {"time.until=0.35"}), false, {});
  resume_run(top_ / "parts", {"time.until=0.8"}, {});
  EXPECT_EQ(final_state(top_ / "parts"), final_state(top_ / "whole"));
  EXPECT_EQ(read_text(top_ / "parts/events.csv"), read_text(top_ / "whole/events.csv"));
}

// Forces that go by the time: at the end of a step and at the beginning of the next it is the same.
TEST_F(ContactEndTest, a_run_in_a_field_that_swings_goes_on_with_the_same_bits) {
  const Keys keys{"external.uniform.x=1", "external.uniform.period=0.7", "device.precision=f64",
                  "time.burst=1"};
  for (const char* integrator : {"leapfrog", "yoshida6", "rk4", "hermite4"}) {
    const Keys with = keys + Keys{std::string("time.integrator=") + integrator};
    const std::string whole = std::string("whole_") + integrator;
    start_run(spec(whole, with), false, {});
    for (const std::uint64_t at : {3U, 5U, 7U, 11U, 17U, 29U}) {
      const std::string folder = std::string(integrator) + std::to_string(at);
      std::uint64_t seen = 0;
      start_run(spec(folder, with), false, stopping_at(at, seen));
      resume_run(top_ / folder, {}, {});
      EXPECT_EQ(final_state(top_ / folder), final_state(top_ / whole)) << integrator << " " << at;
    }
  }
}

struct Refused {
  Keys keys;
  std::string words;
};

TEST_F(ContactEndTest, what_makes_no_sense_is_refused_by_key) {
  const std::vector<Refused> cases{
      {{"contacts.on=bounce"}, "the bodies have no radius"},
      {{"contacts.radius=0.1"}, "contacts.radius = 0.1 means nothing with contacts.on = \"none\""},
      {{"contacts.on=bounce", "contacts.radius=-1"}, "contacts.radius"},
      {{"contacts.on=bounce", "contacts.radius=nan"}, "contacts.radius"},
      {{"contacts.on=bounce", "contacts.radius=0.1", "contacts.density=3"}, "both say how large"},
      {{"contacts.on=bounce", "contacts.radius=0.1", "contacts.restitution=1.5"},
       "contacts.restitution"},
      {{"contacts.on=merge", "contacts.radius=0.1", "contacts.restitution=0.5"},
       "contacts.restitution = 0.5 means nothing"},
      {{"contacts.on=soft", "contacts.radius=0.1"}, "without contacts.duration"},
      {{"contacts.on=soft", "contacts.radius=0.1", "contacts.duration=0.05"},
       "contacts.duration = 0.05 is 5 steps"},
      {{"contacts.on=soft", "contacts.radius=0.1", "contacts.duration=1", "contacts.restitution=0"},
       "no damper stops bodies"},
      {{"contacts.on=bump", "contacts.radius=0.1"}, "contacts.on"},
      {{"space.walls=[0,1,0,1,0,1]"}, "is not within space.walls"},
      {{"space.walls=[-9,9,-9,9,-0.1,0.1]", "contacts.on=bounce", "contacts.radius=0.1"},
       "has no room between space.walls"},
      {{"space.remove_beyond=0"}, "space.remove_beyond"}};
  for (const Refused& one : cases) {
    std::string text;
    const ExitCode code = code_of([&] { start_run(spec("run", one.keys), false, {}); }, &text);
    EXPECT_TRUE(code == ExitCode::bad_data || code == ExitCode::wrong_usage) << one.words;
    EXPECT_THAT(text, HasSubstr(one.words));
    EXPECT_FALSE(fs::exists(top_ / "run/energy.csv"));
  }
}

// Everybody inside everybody: 2016 pairs, which is said.
TEST_F(ContactEndTest, bodies_that_overlap_at_the_start_are_said) {
  std::vector<Warning> warnings;
  RunListener listener;
  listener.warning = [&](const Warning& warning) { warnings.push_back(warning); };
  start_run(spec("run", {"contacts.on=bounce", "contacts.radius=20", "time.until=0.02"}), false,
            listener);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(warnings[0].code, WarningCode::overlapping_bodies);
  EXPECT_THAT(warnings[0].text, HasSubstr("2016 pairs of bodies overlap at the start"));
  listener.strict = true;
  EXPECT_EQ(
      code_of([&] {
        start_run(spec("strict", {"contacts.on=bounce", "contacts.radius=20"}), false, listener);
      }),
      ExitCode::bad_data);
}

// Walls throw bodies all over the box in such a step: each is looked for beside all others.
TEST_F(ContactEndTest, steps_that_cross_the_box_are_the_same_on_a_device) {
  APSIS_NEED_DEVICE();
  const Keys keys{"initial.model=billiard", "initial.bodies=600",      "initial.filling=0.02",
                  "time.step=0.3",          "time.until=0.6",          "device.precision=f64",
                  "contacts.search=tree",   "device.reproducible=true"};
  std::string events[2];
  for (const bool there : {false, true}) {
    const std::string folder = there ? "device" : "host";
    start_run(spec(folder, keys + Keys{there ? "device.name=opencl:0" : "device.name=cpu"}), false,
              {});
    events[there ? 1 : 0] = read_text(top_ / folder / "events.csv");
  }
  EXPECT_GT(std::ranges::count(events[0], '\n'), 500);
  EXPECT_EQ(events[0], events[1]);
}

TEST_F(ContactEndTest, of_no_body_and_of_one_there_is_nothing_to_say) {
  for (const char* bodies : {"initial.bodies=0", "initial.bodies=1"}) {
    for (const char* on : {"contacts.on=merge", "contacts.on=bounce"}) {
      start_run(spec("run", {"initial.model=sphere", bodies, on, "contacts.radius=0.1",
                             "space.remove_beyond=9"}),
                true, {});
      EXPECT_TRUE(read_event_log(top_ / "run/events.csv").empty()) << bodies << on;
    }
  }
}

}  // namespace
}  // namespace apsis
