// SPDX-License-Identifier: MIT
// Checkpoints that ranks write: a file for each part of the bodies, and one that lists them.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/state_parts.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace apsis {
namespace {

EngineState state_of(std::size_t bodies) {
  EngineState state{"host f32", bodies, {}};
  const auto add = [&](const char* name, std::size_t bytes) {
    StateArray array{name, std::vector<std::byte>(bytes)};
    for (std::size_t i = 0; i < bytes; ++i) array.bytes[i] = static_cast<std::byte>(7 * i + bytes);
    state.arrays.push_back(array);
  };
  add("scale", 24), add("mass", 8 * bodies), add("charge", 0), add("x", 4 * bodies);
  return state;
}

std::vector<EngineState> cut(const EngineState& state, std::size_t parts) {
  std::vector<EngineState> out;
  std::size_t first = 0;
  for (const std::size_t count : even_parts(state.bodies, parts)) {
    out.push_back(part_of_state(state, first, count));
    first += count;
  }
  return out;
}

TEST(StateParts, are_even_and_consecutive) {
  EXPECT_EQ(even_parts(10, 4), (std::vector<std::size_t>{3, 3, 2, 2}));
  EXPECT_EQ(even_parts(2, 4), (std::vector<std::size_t>{1, 1, 0, 0}));
  EXPECT_EQ(even_parts(0, 3), (std::vector<std::size_t>{0, 0, 0}));
}

TEST(StateParts, join_to_what_was_cut) {
  for (const std::size_t bodies : {0, 1, 3, 10}) {
    for (const std::size_t parts : {1, 2, 3, 7}) {
      EXPECT_EQ(joined_state(cut(state_of(bodies), parts)), state_of(bodies))
          << bodies << " bodies in " << parts;
    }
  }
}

TEST(StateParts, of_different_states_are_refused) {
  auto parts = cut(state_of(10), 2);
  parts[1].layout = "host f64";
  expect_error(ExitCode::bad_data, "different kinds", [&] { joined_state(parts); });
  parts = cut(state_of(10), 2);
  parts[1].arrays[3].name = "y";
  expect_error(ExitCode::bad_data, "different arrays", [&] { joined_state(parts); });
  parts[1].arrays.pop_back();
  expect_error(ExitCode::bad_data, "different kinds", [&] { joined_state(parts); });
  EngineState torn = state_of(10);
  torn.arrays[1].bytes.resize(79);
  expect_error(ExitCode::bad_data, "array 'mass' of 79 bytes", [&] { cut(torn, 2); });
}

TEST(StateParts, without_bodies_need_none_of_the_arrays_of_others) {
  const EngineState whole = state_of(10);
  const EngineState none{whole.layout, 0, {}};
  for (const std::vector<EngineState>& parts :
       {std::vector{none, whole}, std::vector{whole, none}}) {
    EXPECT_EQ(joined_state(parts), whole);
  }
  EXPECT_EQ(joined_state({}), EngineState{});
}

class CheckpointParts : public testing::Test {
 protected:
  // As ranks do it: parts first.
  std::filesystem::path write(std::uint64_t step, std::size_t parts, std::size_t bodies = 11) {
    Checkpoint checkpoint = write_parts(step, parts, bodies);
    checkpoint.state.arrays.clear();
    return write_checkpoint(folder_.path(), checkpoint);
  }
  Checkpoint write_parts(std::uint64_t step, std::size_t parts, std::size_t bodies = 11) {
    Checkpoint checkpoint = sample_checkpoint();
    checkpoint.step = step;
    checkpoint.state = state_of(bodies);
    const auto states = cut(checkpoint.state, parts);
    for (std::size_t p = 0; p < parts; ++p) {
      checkpoint.parts.push_back(write_checkpoint_part(folder_.path(), step, p, parts, states[p]));
    }
    return checkpoint;
  }
  std::uint64_t newest() { return read_newest_checkpoint(folder_.path()).checkpoint.step; }

  ScratchFolder folder_;
};

TEST_F(CheckpointParts, are_read_as_one_state) {
  for (const std::size_t bodies : {0, 2, 11}) {
    const Checkpoint got = read_checkpoint(write(5, 4, bodies));
    EXPECT_EQ(got.state, state_of(bodies));
    EXPECT_TRUE(got.parts.empty());
    EXPECT_EQ(got.spec_toml, sample_checkpoint().spec_toml);
    EXPECT_EQ(got.notes, sample_checkpoint().notes);
  }
}

TEST_F(CheckpointParts, hold_all_bodies_together) {
  Checkpoint checkpoint = write_parts(5, 3);
  checkpoint.state.arrays.clear();
  checkpoint.state.bodies += 1;
  const auto file = write_checkpoint(folder_.path(), checkpoint);
  expect_error(ExitCode::bad_data, "its parts do not hold all bodies",
               [&] { read_checkpoint(file); });
}

TEST_F(CheckpointParts, without_the_list_of_them_count_for_nothing) {
  write(5, 4);
  write_parts(9, 4);
  EXPECT_EQ(newest(), 5U);
  EXPECT_EQ(checkpoint_files(folder_.path()).size(), 1U);
}

TEST_F(CheckpointParts, that_are_missing_or_damaged_or_of_another_state_are_not_chosen) {
  write(5, 3);
  write(9, 3);
  const auto part = checkpoint_part_file(folder_.path(), 9, 1, 3);
  const Bytes whole = read_file(part);
  remove_file(part);
  EXPECT_EQ(newest(), 5U);
  Bytes flipped = whole;
  flipped.back() ^= std::byte{1};
  write_atomically(part, flipped);
  EXPECT_EQ(newest(), 5U);
  write_checkpoint_part(folder_.path(), 9, 1, 3, part_of_state(state_of(50), 4, 4));
  const auto found = read_newest_checkpoint(folder_.path());
  EXPECT_EQ(found.checkpoint.step, 5U);
  ASSERT_EQ(found.messages.size(), 1U);
  EXPECT_NE(found.messages[0].find("checkpoint_00000009_2of3.apsis"), std::string::npos);
  write_atomically(part, whole);
  EXPECT_EQ(newest(), 9U);
}

TEST_F(CheckpointParts, two_generations_are_kept_and_no_parts_of_others) {
  write(1, 4);
  write(2, 2);
  write_parts(3, 4);  // the writer was killed, and the run resumed on three ranks
  write(3, 3);
  EXPECT_EQ(folder_.entries(), 2U + 2U + 3U);
  EXPECT_EQ(newest(), 3U);
  write(4, 1);
  EXPECT_EQ(folder_.entries(), 2U + 3U + 1U);
  // on one rank again, and without mpirun
  Checkpoint serial = sample_checkpoint();
  serial.step = 6;
  write_checkpoint(folder_.path(), serial);
  EXPECT_EQ(folder_.entries(), 2U + 1U);
  EXPECT_EQ(newest(), 6U);
}

}  // namespace
}  // namespace apsis
