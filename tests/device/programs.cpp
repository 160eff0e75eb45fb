// SPDX-License-Identifier: MIT
// Building, and the cache of built programs.
#include "files/expect_error.hpp"
#include "open_device.hpp"
#include <apsis/device/program_cache.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/programs.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <future>
#include <vector>

namespace apsis {
namespace {

using device::Buffer;
using device::Context;
using ::testing::HasSubstr;

class Programs : public OpenDevice {
 protected:
  // The number that the kernel of number.cl writes.
  int number(const device::Defines& defines = {}) {
    Context context(info, {kernels.path(), always_keeps_});
    auto kernel = context.program("number.cl", defines).kernel<Buffer>("number");
    Buffer out = context.buffer(sizeof(int), "number");
    kernel({}, out);
    std::vector<int> value(1);
    out.read(std::span(value));
    return value[0];
  }
  void write_number_kernel(const std::string& expression) {
    write_text(kernels / "number.cl",
               "#ifndef N\n#define N 1\n#endif\n"
               "kernel void number(global int* out) { *out = " +
                   expression + "; }\n");
  }
  std::vector<std::filesystem::path> entries() const {
    return list_files(program_folder(), "", ".bin");
  }

  bool always_keeps_ = true;  // PoCL's too, which is the device of most tests
};

constexpr std::size_t entry_header = 16 + 16;  // a line and a hash, before the binary

// An entry is named by its key.
ProgramKey key_of(const std::filesystem::path& entry) {
  ProgramKey key({});
  const std::string hex = entry.stem().string();
  for (std::size_t i = 0; i < key.hash.bytes.size(); ++i) {
    key.hash.bytes[i] = static_cast<std::byte>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  }
  return key;
}

TEST_F(Programs, take_defines) {
  write_number_kernel("N * 10");
  EXPECT_EQ(number(), 10);
  EXPECT_EQ(number({{"N", "4"}}), 40);
}

TEST_F(Programs, that_do_not_compile_show_file_line_and_defines) {
  write_text(kernels / "helper.cl", "int fine;\nint broken(void) { return nonsense; }\n");
  Context context = context_with("main.cl", "\n#include \"helper.cl\"\nkernel void k(void) {}\n");
  const auto text = error_text(ExitCode::bad_data, [&] {
    context.program("main.cl", {{"PRECISION", "32"}, {"ROWS", "5"}});
  });
  EXPECT_THAT(text, HasSubstr("main.cl"));
  EXPECT_THAT(text, HasSubstr("helper.cl:2"));
  EXPECT_THAT(text, HasSubstr("nonsense"));
  EXPECT_THAT(text, HasSubstr("-DPRECISION=32 -DROWS=5"));
  EXPECT_THAT(text, HasSubstr(info.name));
  EXPECT_THAT(text, HasSubstr(kernels.path().string()));
}

TEST_F(Programs, that_fail_at_length_are_shown_in_part) {
  std::string text = "kernel void k(void) {\n";
  for (int i = 0; i < 15; ++i) text += "  nonsense" + std::to_string(i) + " = 1;\n";
  Context context = context_with("main.cl", text + "}\n");
  const auto message = error_text(ExitCode::bad_data, [&] { context.program("main.cl", {}); });
  EXPECT_THAT(message, HasSubstr("nonsense0"));
  EXPECT_LE(std::ranges::count(message, '\n'), 21);
}

TEST_F(Programs, are_kept_on_the_disk) {
  write_number_kernel("42");
  EXPECT_EQ(number(), 42);
  ASSERT_EQ(entries().size(), 1U);
  const auto written = std::filesystem::last_write_time(entries()[0]);
  EXPECT_EQ(number(), 42);
  ASSERT_EQ(entries().size(), 1U);
  EXPECT_EQ(std::filesystem::last_write_time(entries()[0]), written);

  write_number_kernel("43");
  EXPECT_EQ(number(), 43);
  EXPECT_EQ(entries().size(), 2U);
  EXPECT_EQ(number({{"N", "2"}}), 43);
  EXPECT_EQ(entries().size(), 3U);
}

TEST_F(Programs, of_pocl_are_left_to_its_own_cache) {
  if (!info.platform.starts_with("Portable Computing Language")) GTEST_SKIP() << "not PoCL";
  always_keeps_ = false;
  write_number_kernel("44");
  EXPECT_EQ(number(), 44);
  EXPECT_TRUE(entries().empty());
}

// Not even looked for on the disk: what PoCL kept there is gone.
TEST_F(Programs, of_pocl_are_built_once_a_process) {
  if (!info.platform.starts_with("Portable Computing Language")) GTEST_SKIP() << "not PoCL";
  always_keeps_ = false;
  const auto kept_by_pocl = [] {
    const std::filesystem::recursive_directory_iterator all(std::getenv("POCL_CACHE_DIR"));
    return std::count_if(begin(all), end(all),
                         [](const auto& entry) { return entry.path().filename() == "program.bc"; });
  };
  write_number_kernel("45");
  EXPECT_EQ(number(), 45);
  EXPECT_GT(kept_by_pocl(), 0);
  for (const auto& entry : std::filesystem::directory_iterator(std::getenv("POCL_CACHE_DIR"))) {
    std::filesystem::remove_all(entry);
  }
  EXPECT_EQ(number(), 45);
  EXPECT_EQ(kept_by_pocl(), 0);
  write_number_kernel("46");  // in the same file
  EXPECT_EQ(number(), 46);
}

// The first program's binary under the second one's key: a build from the text would give 2222.
TEST_F(Programs, come_from_the_disk_the_second_time) {
  write_number_kernel("1111");
  EXPECT_EQ(number(), 1111);
  const auto first = entries().at(0);
  write_number_kernel("2222");
  EXPECT_EQ(number(), 2222);
  const auto both = entries();
  ASSERT_EQ(both.size(), 2U);
  const auto second = both[0] == first ? both[1] : both[0];

  const Bytes entry = read_file(first);
  keep_program(key_of(second), std::span(entry).subspan(entry_header));
  EXPECT_EQ(number(), 1111);
}

TEST_F(Programs, are_rebuilt_where_their_entry_is_damaged) {
  write_number_kernel("7");
  EXPECT_EQ(number(), 7);
  const auto file = entries().at(0);
  const Bytes whole = read_file(file);

  Bytes flipped = whole;
  flipped[whole.size() / 2] ^= std::byte{1};
  const std::vector<Bytes> damaged{
      {}, {whole.begin(), whole.begin() + 20}, {whole.begin(), whole.end() - 1}, flipped};
  for (const Bytes& bytes : damaged) {
    write_atomically(file, bytes);
    EXPECT_EQ(number(), 7);
    EXPECT_GT(read_file(file).size(), entry_header);
  }
}

// Of another user, say, while the folder stood open: sealed with all that is known but our secret.
TEST_F(Programs, are_rebuilt_where_somebody_else_sealed_the_entry) {
  write_number_kernel("12");
  EXPECT_EQ(number(), 12);
  const auto file = entries().at(0);
  const auto secret = program_folder() / "secret";
  const Bytes ours = read_file(secret), whole = read_file(file);
  EXPECT_EQ(ours.size(), 32U);
  EXPECT_EQ(std::filesystem::status(secret).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);

  remove_file(secret);  // another one's
  keep_program(key_of(file), bytes_of("no program of any driver"));
  EXPECT_TRUE(cached_program(key_of(file)));
  write_atomically(secret, ours);
  std::filesystem::permissions(secret, std::filesystem::perms::owner_all);
  std::filesystem::permissions(secret, std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::remove);
  EXPECT_FALSE(cached_program(key_of(file)));
  EXPECT_EQ(number(), 12);
}

// Whoever could read it could seal entries with it.
TEST_F(Programs, are_rebuilt_where_the_secret_stood_open) {
  write_number_kernel("13");
  EXPECT_EQ(number(), 13);
  const auto file = entries().at(0);
  const auto secret = program_folder() / "secret";
  const Bytes before = read_file(secret);
  std::filesystem::permissions(secret, std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  EXPECT_FALSE(cached_program(key_of(file)));
  EXPECT_EQ(number(), 13);
  EXPECT_NE(read_file(secret), before);
}

TEST_F(Programs, are_rebuilt_where_the_driver_refuses_the_entry) {
  write_number_kernel("8");
  EXPECT_EQ(number(), 8);
  const auto file = entries().at(0);
  const std::string_view foreign = "no program of any driver";
  keep_program(key_of(file), bytes_of(foreign));
  EXPECT_EQ(number(), 8);
  EXPECT_GT(read_file(file).size(), entry_header + foreign.size());
}

TEST_F(Programs, are_built_where_nothing_can_be_kept) {
  write_number_kernel("9");
  make_folder(program_folder().parent_path());
  write_text(program_folder(), "a file where the folder should be");
  EXPECT_EQ(number(), 9);
}

TEST_F(Programs, of_our_own_are_replaced_file_by_file) {
  write_text(kernels / "numbers.cl", "#define FOUND 77\n");
  write_text(kernels / "number.cl",
             "#include \"numbers.cl\"\nkernel void number(global int* out) { *out = FOUND; }\n");
  EXPECT_EQ(number(), 77);
}

TEST_F(Programs, are_built_by_several_processes_at_once) {
  write_number_kernel("5");
  const std::vector<std::string> command{APSIS_BUILD_ONCE, kernels.path().string(), "number.cl"};
  std::array<std::future<ProgramResult>, 4> processes;
  for (auto& process : processes) {
    process = std::async(std::launch::async, [&] { return run_program(std::span(command)); });
  }
  for (auto& process : processes) {
    const ProgramResult result = process.get();
    EXPECT_EQ(result.exit_status, 0) << result.errors;
  }
  EXPECT_EQ(entries().size(), 1U);
  EXPECT_EQ(number(), 5);
}

}  // namespace
}  // namespace apsis
