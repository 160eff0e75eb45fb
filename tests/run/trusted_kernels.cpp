// SPDX-License-Identifier: MIT
// Kernels are code: whose count, and by which words the others are refused. No device is needed to
// refuse them; trust.bats lets a device compile those that are trusted.
#include "run_test.hpp"
#include <apsis/io/checkpoint.hpp>
#include <apsis/run/trusted_kernels.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace apsis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TrustedKernels : public RunTest {
 protected:
  void SetUp() override {
    RunTest::SetUp();
    make_folder(top_ / "mine");
    write_text(top_ / "mine/pair.cl", "// of a law of my own\n");
  }
  std::string mine() const { return (top_ / "mine").string(); }

  static std::string refusal(const auto& action) {
    std::string text;
    EXPECT_EQ(code_of(action, &text), ExitCode::bad_data) << text;
    return text;
  }
  // Of a run with those kernels, as its folder has it.
  RunSpec with_kernels() const {
    RunSpec named;
    named.device.kernel_dir = mine();
    RunSpec run;
    record_kernels(named, run.resolved);
    return run;
  }
  // A run on the CPU that was stopped, and says that it had those kernels.
  void stopped_with_kernels(const std::string& folder) {
    std::uint64_t seen = 0;
    start_run(spec(folder, {"device.name=cpu", "time.burst=1"}), false, stopping_at(7, seen));
    const auto file = checkpoint_files(top_ / folder).front();
    Checkpoint crafted = read_checkpoint(file);
    std::string keys;
    for (const auto& [key, value] : with_kernels().resolved) {
      keys += fmt::format("{} = \"{}\"\n", key, value);
    }
    crafted.spec_toml += keys;  // [resolved] is the last section
    write_atomically(file, encode_checkpoint(crafted));
    fs::remove(top_ / folder / "spec.toml");
  }
};

TEST_F(TrustedKernels, of_a_file_are_refused_with_the_command_that_trusts_them) {
  const RunSpec of_file = parse_run_spec("[device]\nkernel_dir = \"my kernels\"\n", "it's.toml");
  EXPECT_EQ(of_file.device.kernel_dir, "");
  EXPECT_THAT(
      refusal([&] { require_kernels_from_caller(of_file, "apsis view"); }),
      AllOf(HasSubstr("it's.toml:2"), HasSubstr("device.kernel_dir = \"my kernels\" in a file"),
            HasSubstr("apsis view 'it'\\''s.toml' --kernel-dir 'my kernels'")));
  RunSpec named = of_file;
  named.device.kernel_dir = mine();
  EXPECT_NO_THROW(require_kernels_from_caller(named));
  EXPECT_NO_THROW(require_kernels_from_caller(RunSpec{}));
}

TEST_F(TrustedKernels, of_a_file_neither_start_nor_continue_a_run) {
  RunSpec given = spec("a", {"device.name=cpu"});
  given.kernels_of_file = RunSpec::KernelsOfFile{"mine", "spec.toml", "spec.toml:3:1"};
  EXPECT_THAT(refusal([&] { start_run(given, false, {}); }), HasSubstr("--kernel-dir mine"));
  EXPECT_THAT(refusal([&] { continue_run(given, {}); }), HasSubstr("--kernel-dir mine"));
  EXPECT_FALSE(folder_exists(top_ / "a"));
  start_run(spec("a", {"device.name=cpu"}), false, {});
  EXPECT_THAT(refusal([&] { continue_run(given, {}); }), HasSubstr("--kernel-dir mine"));
}

TEST_F(TrustedKernels, are_recorded_with_their_hash) {
  const auto recorded = with_kernels().resolved;
  EXPECT_EQ(recorded.at("kernel_dir"), mine());
  EXPECT_EQ(recorded.at("kernel_hash").size(), 32U);
  std::map<std::string, std::string> none;
  record_kernels(RunSpec{}, none);
  EXPECT_TRUE(none.empty());
}

TEST_F(TrustedKernels, of_a_run_are_taken_again_where_the_caller_names_the_same) {
  RunSpec run = with_kernels();
  take_kernels_again(run, mine(), "here");
  EXPECT_EQ(run.device.kernel_dir, mine());
  fs::copy(top_ / "mine", top_ / "moved");
  run = with_kernels();
  take_kernels_again(run, (top_ / "moved").string(), "here");
  EXPECT_EQ(run.device.kernel_dir, (top_ / "moved").string());
}

TEST_F(TrustedKernels, of_a_run_are_named_again_and_are_the_same) {
  RunSpec run = with_kernels();
  EXPECT_THAT(refusal([&] { take_kernels_again(run, "", "here"); }),
              AllOf(HasSubstr("the run in here has kernels from " + mine()),
                    HasSubstr("apsis run --resume here --kernel-dir " + mine())));
  EXPECT_THAT(refusal([&] { take_kernels_again(run, "/nowhere", "here"); }),
              HasSubstr("there is no folder of kernels /nowhere"));
  write_text(top_ / "mine/pair.cl", "// of another law\n");
  EXPECT_THAT(refusal([&] { take_kernels_again(run, mine(), "here"); }),
              HasSubstr("not those that the run in here began with"));
  EXPECT_EQ(run.device.kernel_dir, "");
}

TEST_F(TrustedKernels, of_a_run_of_0_1_are_those_of_its_key_and_have_no_hash) {
  RunSpec run = parse_run_spec("[device]\nkernel_dir = \"/old/kernels\"\n", "checkpoint");
  EXPECT_THAT(refusal([&] { take_kernels_again(run, "", "here"); }), HasSubstr("/old/kernels"));
  take_kernels_again(run, mine(), "here");
  EXPECT_EQ(run.device.kernel_dir, mine());
}

TEST_F(TrustedKernels, are_not_asked_for_where_a_run_has_none) {
  RunSpec run;
  take_kernels_again(run, mine(), "here");
  EXPECT_EQ(run.device.kernel_dir, "");
}

TEST_F(TrustedKernels, that_a_repeated_spec_leaves_out_are_told_of) {
  RunSpec again = with_kernels();
  EXPECT_THAT(notice_of_kernels_left_out(again), HasSubstr("--kernel-dir " + mine()));
  again.device.kernel_dir = mine();
  EXPECT_EQ(notice_of_kernels_left_out(again), "");
  EXPECT_EQ(notice_of_kernels_left_out(RunSpec{}), "");
  std::string said;
  RunListener listener;
  listener.notice = [&](const std::string& text) { said += text + "\n"; };
  RunSpec run = spec("a", {"device.name=cpu"});
  run.resolved = with_kernels().resolved;
  start_run(run, false, listener);
  EXPECT_THAT(said, HasSubstr("--kernel-dir " + mine()));
}

TEST_F(TrustedKernels, are_taken_from_what_is_set_when_a_run_is_resumed) {
  stopped_with_kernels("a");
  EXPECT_THAT(refusal([&] { resume_run(top_ / "a", {}, {}); }), HasSubstr("has kernels from"));
  EXPECT_THAT(refusal([&] { resume_run(top_ / "a", {"time.until=1"}, {}); }),
              HasSubstr("has kernels from"));
  EXPECT_THAT(refusal([&] {
                continue_run(spec("a", {"device.name=cpu", "time.burst=1"}), {});
              }),
              HasSubstr("has kernels from"));
  // named, they get as far as the CPU, which takes none
  EXPECT_THAT(refusal([&] {
                resume_run(top_ / "a", {"time.until=1", "device.kernel_dir=" + mine()}, {});
              }),
              HasSubstr("the native cpu has no use for kernels"));
}

TEST_F(TrustedKernels, are_given_to_no_run_that_began_without) {
  std::uint64_t seen = 0;
  start_run(spec("a", {"device.name=cpu", "time.burst=1"}), false, stopping_at(7, seen));
  std::string text;
  EXPECT_EQ(code_of([&] { resume_run(top_ / "a", {"device.kernel_dir=" + mine()}, {}); }, &text),
            ExitCode::wrong_usage);
  EXPECT_THAT(text, HasSubstr("would change a run that has begun"));
  const auto file = top_ / "a/spec.toml";
  write_text(file, std::regex_replace(read_text(file), std::regex("\\[device\\]\n"),
                                      "[device]\nkernel_dir = \"mine\"\n"));
  EXPECT_THAT(refusal([&] { resume_run(top_ / "a", {}, {}); }),
              AllOf(HasSubstr("device.kernel_dir = \"mine\" would change a run that has begun"),
                    HasSubstr("take the line out")));
}

}  // namespace
}  // namespace apsis
