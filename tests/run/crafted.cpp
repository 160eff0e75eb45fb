// SPDX-License-Identifier: MIT
// Checkpoints that somebody made: their hashes are right and what they say is not.
#include "run_test.hpp"
#include "strange_checkpoint.hpp"
#include <apsis/io/checkpoint.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <regex>
#include <utility>
#include <vector>

namespace apsis {
namespace {

using ::testing::HasSubstr;

class CraftedCheckpoint : public RunTest {
 protected:
  void SetUp() override {
    RunTest::SetUp();
    std::uint64_t seen = 0;
    start_run(spec("run", {"time.burst=1", "device.name=cpu"}), false, stopping_at(17, seen));
    file_ = checkpoint_files(top_ / "run").front();
    good_ = read_checkpoint(file_);
  }

  // What going on from it says, with the folder as the good run left it but for its checkpoints.
  ExitCode resumed(const Checkpoint& crafted, std::string* text = nullptr) {
    const fs::path folder = top_ / "crafted";
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const LogOffset& log : good_.logs) {
      write_atomically(folder / log.file, read_file(top_ / "run" / log.file));
    }
    write_atomically(folder / file_.filename(), encode_checkpoint(crafted));
    return code_of([&] { resume_run(folder, {}, {}); }, text);
  }

  void expect_refused(const Checkpoint& crafted, const std::string& why) {
    std::string text;
    EXPECT_EQ(resumed(crafted, &text), ExitCode::bad_data) << why << ": " << text;
    EXPECT_THAT(text, HasSubstr(why));
  }

  Checkpoint good_;
  fs::path file_;
};

TEST_F(CraftedCheckpoint, that_is_as_it_was_goes_on) { EXPECT_EQ(resumed(good_), ExitCode::done); }

TEST_F(CraftedCheckpoint, without_a_key_that_a_run_needs_is_refused_by_key) {
  for (const auto& [line, key] : std::vector<std::pair<std::string, std::string>>{
           {"law = ", "force.law"},
           {"constant = ", "force.constant"},
           {"softening = ", "force.softening"},
           {"step = ", "time.step"},
           {"until = ", "time.until"},
           {"precision = ", "device.precision"},
           {"snapshot_every = ", "output.snapshot_every"},
           {"energy_every = ", "output.energy_every"},
           {"system = ", "units.system"},
           {"device = ", "resolved.device"},
           {"driver = ", "resolved.driver"},
           {"threads = \"", "resolved.threads"},
           {"bodies = \"", "resolved.bodies"},
           {"solver = \"direct\"", "resolved.solver"},
           {"variant = \"simd", "resolved.variant"}}) {
    Checkpoint crafted = good_;
    crafted.spec_toml = std::regex_replace(good_.spec_toml, std::regex("\n" + line + "[^\n]*"), "");
    if (crafted.spec_toml == good_.spec_toml && line.starts_with("variant"))
      continue;  // no vectors
    ASSERT_NE(crafted.spec_toml, good_.spec_toml) << line;
    expect_refused(crafted, "its spec has no " + key);
  }
}

TEST_F(CraftedCheckpoint, with_a_note_that_is_missing_or_odd_is_refused_by_note) {
  for (const char* key : {"start_time", "energy_error", "bit_identical", "version"}) {
    Checkpoint crafted = good_;
    crafted.notes.erase(key);
    expect_refused(crafted, std::string("its note '") + key + "' is missing");
  }
  for (const char* key :
       {"start_time", "energy_error", "bit_identical", "force_error", "warnings"}) {
    Checkpoint crafted = good_;
    crafted.notes[key] = "twelve";
    expect_refused(crafted, std::string("its note '") + key + "'");
  }
}

TEST_F(CraftedCheckpoint,
       that_claims_more_bodies_than_its_file_holds_is_refused_before_they_get_room) {
  for (const std::uint64_t claim :
       {std::uint64_t{1} << 28, std::uint64_t{1} << 61, std::uint64_t{65}}) {
    Checkpoint crafted = good_;
    crafted.state.bodies = claim;
    expect_refused(crafted, "its spec is of 64 bodies and its state of " + std::to_string(claim));
    crafted.spec_toml = std::regex_replace(good_.spec_toml, std::regex("bodies = \"64\""),
                                           "bodies = \"" + std::to_string(claim) + "\"");
    expect_refused(crafted, "array 'mass' is not that of " + std::to_string(claim) + " bodies");
  }
}

TEST_F(CraftedCheckpoint, whose_decisions_contradict_themselves_is_refused_by_key) {
  const auto with = [&](const std::string& pattern, const std::string& text) {
    Checkpoint crafted = good_;
    crafted.spec_toml = std::regex_replace(good_.spec_toml, std::regex(pattern), text);
    EXPECT_NE(crafted.spec_toml, good_.spec_toml) << pattern;
    return crafted;
  };
  expect_refused(with("\nthreads = \"[0-9]+\"", "\nthreads = \"many\""),
                 "resolved.threads = 'many' is no whole number");
  expect_refused(with("\nsolver = \"direct\"\nthreads", "\nsolver = \"pm\"\nthreads"),
                 "unknown solver 'pm'");
  expect_refused(with("\ndriver = ", "\nsplit = \"32 31\"\ndriver = "), "split '32 31'");
}

TEST_F(CraftedCheckpoint, of_numbers_that_no_run_gets_to_is_refused) {
  const auto with = [&](const std::function<void(Checkpoint&)>& change) {
    Checkpoint crafted = good_;
    change(crafted);
    return crafted;
  };
  expect_refused(with([](Checkpoint& c) { c.step = ~std::uint64_t{0}; }), "no run gets to step");
  expect_refused(with([](Checkpoint& c) { c.next_snapshot = 1 << 20; }), "snapshots in 17 steps");
  // one at each step, and one at the start
  expect_refused(with([](Checkpoint& c) { c.next_snapshot = 19; }), "19 snapshots in 17 steps");
  EXPECT_EQ(resumed(with([](Checkpoint& c) { c.next_snapshot = 18; })), ExitCode::done);
  expect_refused(with([](Checkpoint& c) { c.step = (std::uint64_t{1} << 53) + 1; }),
                 "no run gets to step");
  expect_refused(with([](Checkpoint& c) { c.seconds_so_far = -1; }), "-1 seconds so far");
  expect_refused(with([](Checkpoint& c) { c.seconds_so_far = HUGE_VAL; }), "inf seconds so far");
  expect_refused(with([](Checkpoint& c) { c.energy_error_max = std::nan(""); }),
                 "an energy error of nan");
  expect_refused(with([](Checkpoint& c) { c.notes["start_time"] = "inf"; }),
                 "started at no finite time");
  expect_refused(with([](Checkpoint& c) { c.notes["start_time"] = "nan"; }), "which is no number");
  expect_refused(with([](Checkpoint& c) { c.logs.clear(); }), "how far energy.csv was");
  expect_refused(with([](Checkpoint& c) { c.logs.push_back(c.logs.front()); }),
                 "how far energy.csv was");
  expect_refused(with([](Checkpoint& c) { c.logs.front().file = "other.csv"; }),
                 "how far energy.csv was");
  expect_refused(with([](Checkpoint& c) { c.logs.front().offset = 0; }), "not even its first line");
  expect_refused(with([](Checkpoint& c) { --c.logs.front().offset; }), "no line of");
  expect_refused(with([](Checkpoint& c) {
                   auto& x = c.state.arrays.at(4);
                   std::fill(x.bytes.begin(), x.bytes.end(), std::byte{0xff});
                 }),
                 "a number that is not finite");
}

// Refused or resumed to the end, never anything else; a part of what sweeps try.
TEST_F(CraftedCheckpoint, by_chance_is_refused_or_goes_on) {
  int refused = 0, gone_on = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto bytes = testing::bytes_from(seed);
    testing::Choices choices(bytes);
    Checkpoint crafted = testing::strange_checkpoint(good_, choices);
    std::string text;
    const ExitCode code = resumed(crafted, &text);
    const bool fine = code == ExitCode::done || code == ExitCode::bad_data ||
                      code == ExitCode::unavailable || code == ExitCode::numbers_went_bad ||
                      code == ExitCode::file_error;
    EXPECT_TRUE(fine) << "seed " << seed << ": " << text;
    (code == ExitCode::done ? gone_on : refused)++;
  }
  EXPECT_GT(refused, 75);
  EXPECT_GT(gone_on, 5);
}

}  // namespace
}  // namespace apsis
