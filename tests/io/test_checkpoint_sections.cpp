// SPDX-License-Identifier: MIT
// Checkpoints whose hashes are right and whose sections are not: what is asked of each of them.
#include "files/expect_error.hpp"
#include "io/samples.hpp"
#include <apsis/files/hash.hpp>
#include <apsis/io/checkpoint_sections.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace apsis {
namespace {

using testing::HasSubstr;

Bytes file_of(std::span<const Section> sections) {
  Bytes bytes = section_table(sections);
  for (const auto& section : sections) {
    bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
  }
  return bytes;
}

// What is wrong; empty where nothing is.
template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return error.what();
  }
  return {};
}

std::vector<Section> empty_sections(std::size_t count) {
  std::vector<Section> sections;
  for (std::size_t i = 0; i < count; ++i) sections.push_back({std::to_string(i), {}});
  return sections;
}

TEST(SectionFile, has_4096_sections_at_most) {
  EXPECT_EQ(read_section_table(section_table(empty_sections(4096))).size(), 4096U);
  EXPECT_THAT(refusal([] { read_section_table(section_table(empty_sections(4097))); }),
              HasSubstr("claims 4097 sections"));
}

TEST(SectionFile, the_hash_of_its_table_is_over_all_of_header_and_table_but_itself) {
  constexpr std::size_t place = 32, length = sizeof(Hash128);
  const std::vector<Section> sections = empty_sections(3);
  const Bytes bytes = section_table(sections);
  Hasher hasher;
  hasher.add(std::span(bytes).first(place));
  hasher.add(std::span(bytes).subspan(place + length));
  const Hash128 expected = hasher.hash();
  EXPECT_TRUE(std::ranges::equal(std::span(bytes).subspan(place, length), expected.bytes));
}

TEST(SectionFile, is_known_by_its_first_eight_bytes) {
  EXPECT_TRUE(looks_like_checkpoint(bytes_of("APSISCKP")));
  EXPECT_TRUE(looks_like_checkpoint(bytes_of("APSISCKP and more")));
  EXPECT_FALSE(looks_like_checkpoint(bytes_of("APSISCK")));
  EXPECT_FALSE(looks_like_checkpoint(bytes_of("APSISCKq")));
}

TEST(SectionFile, refuses_two_sections_of_one_name) {
  const std::vector<Section> twins{{"a", {}}, {"a", {}}};
  EXPECT_THAT(refusal([&] { read_section_table(section_table(twins)); }),
              HasSubstr("section 'a' is not where it belongs"));
}

TEST(CheckpointSections, that_are_missing_are_named_in_their_order) {
  const Bytes bytes = encode_checkpoint(sample_checkpoint());
  const std::vector<Section> all = read_sections(bytes);
  const std::vector<std::string> names{"progress", "spec", "logs", "notes", "state"};
  for (std::size_t there = 0; there < names.size(); ++there) {
    EXPECT_EQ(refusal([&] { decode_sections(std::span(all).first(there)); }),
              "section '" + names[there] + "' is missing");
  }
}

TEST(CheckpointSections, of_others_are_not_taken_for_ones_own) {
  Checkpoint checkpoint = sample_checkpoint();
  checkpoint.state.arrays.clear();
  checkpoint.parts = {{11, {}}};
  const Bytes bytes = encode_checkpoint(checkpoint);
  const std::vector<Section> all = read_sections(bytes);
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(decode_sections(all).parts, checkpoint.parts);
  EXPECT_TRUE(decode_sections(std::span(all).first(5)).parts.empty());
}

TEST(CheckpointSections, end_where_their_contents_do) {
  const Bytes bytes = encode_checkpoint(sample_checkpoint());
  for (const char* name : {"progress", "logs", "notes", "state"}) {
    std::vector<Section> sections = read_sections(bytes);
    const auto found = std::ranges::find(sections, name, &Section::name);
    ASSERT_NE(found, sections.end());
    Bytes longer(found->bytes.begin(), found->bytes.end());
    longer.push_back(std::byte{0});
    found->bytes = longer;
    EXPECT_EQ(refusal([&] { parse_checkpoint(file_of(sections)); }),
              std::string("section '") + name + "' has 1 bytes too many");
  }
}

TEST(CheckpointSections, of_arrays_are_as_many_as_the_state_says_and_called_so) {
  const Bytes bytes = encode_checkpoint(sample_checkpoint());
  std::vector<Section> sections = read_sections(bytes);
  std::vector<Section> fewer = sections;
  fewer.pop_back();
  EXPECT_EQ(refusal([&] { parse_checkpoint(file_of(fewer)); }),
            "3 state arrays where there should be 4");
  sections.back().name = "stale/id";
  EXPECT_EQ(refusal([&] { parse_checkpoint(file_of(sections)); }), "unknown section 'stale/id'");
}

TEST(CheckpointSections, of_a_part_begin_with_its_state) {
  EngineState state = sample_checkpoint().state;
  const PartSections part(state);
  EXPECT_EQ(parse_checkpoint_part(file_of(part.all())), state);
  EXPECT_EQ(refusal([&] { parse_checkpoint_part(file_of(part.all().subspan(1))); }),
            "section 'state' is missing");
  EXPECT_EQ(refusal([] { parse_checkpoint_part(section_table({})); }),
            "section 'state' is missing");
}

TEST(CheckpointSections, take_names_of_arrays_of_34_letters_and_no_more) {
  Checkpoint checkpoint = sample_checkpoint();
  checkpoint.state.arrays[0].name = std::string(34, 'x');
  EXPECT_EQ(parse_checkpoint(encode_checkpoint(checkpoint)).state, checkpoint.state);
  checkpoint.state.arrays[0].name += 'x';
  try {
    encode_checkpoint(checkpoint);
    ADD_FAILURE() << "a name that does not fit was written";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal_error);
    EXPECT_THAT(error.what(), HasSubstr("has too long a name for a checkpoint"));
  }
}

}  // namespace
}  // namespace apsis
