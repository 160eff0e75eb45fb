// SPDX-License-Identifier: MIT
// GADGET's binary files: made here number by number, as its manual lays them out.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What a file may be like.
struct Form {
  bool swap = false, named = false, wide = false, long_ids = false;
};

class File {
 public:
  explicit File(Form form) : form_(form) {}

  template <class Value>
  static void put(Bytes& bytes, Value value, bool swap) {
    auto raw = std::bit_cast<std::array<std::byte, sizeof value>>(value);
    if (swap) std::reverse(raw.begin(), raw.end());
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  void record(const std::string& name, const Bytes& data) {
    const auto length = static_cast<std::uint32_t>(data.size());
    if (form_.named) {
      put(bytes_, 8U, form_.swap);
      for (std::size_t k = 0; k < 4; ++k) {
        bytes_.push_back(static_cast<std::byte>(k < name.size() ? name[k] : ' '));
      }
      put(bytes_, length + 8, form_.swap);
      put(bytes_, 8U, form_.swap);
    }
    put(bytes_, length, form_.swap);
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    put(bytes_, length, form_.swap);
  }
  struct Head {
    std::array<std::uint32_t, 6> counts{};
    std::array<double, 6> masses{};
    double time = 0, redshift = 0, omega = 0;
    std::int32_t files = 1;
    std::array<std::uint64_t, 6> totals{};  // 0: as many as there are here
  };
  void header(const Head& head) {
    Bytes data;
    const auto add = [&](auto value) { put(data, value, form_.swap); };
    for (const std::uint32_t count : head.counts) add(count);
    for (const double mass : head.masses) add(mass);
    add(head.time), add(head.redshift);
    add(std::int32_t{0}), add(std::int32_t{0});
    const bool alone = head.files == 1;
    for (std::size_t k = 0; k < 6; ++k) {
      add(alone ? head.counts[k] : static_cast<std::uint32_t>(head.totals[k]));
    }
    add(std::int32_t{0}), add(head.files);
    add(0.0), add(head.omega), add(0.0), add(0.7);
    add(std::int32_t{0}), add(std::int32_t{0});
    for (const std::uint64_t total : head.totals) add(static_cast<std::uint32_t>(total >> 32));
    data.resize(256);
    record("HEAD", data);
  }
  void reals(const std::string& name, const std::vector<double>& values) {
    Bytes data;
    for (const double value : values) {
      form_.wide ? put(data, value, form_.swap) : put(data, static_cast<float>(value), form_.swap);
    }
    record(name, data);
  }
  void ids(const std::vector<std::uint64_t>& values) {
    Bytes data;
    for (const std::uint64_t value : values) {
      form_.long_ids ? put(data, value, form_.swap)
                     : put(data, static_cast<std::uint32_t>(value), form_.swap);
    }
    record("ID", data);
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Form form_;
  Bytes bytes_;
};

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  for (unsigned k = 0; k < 16; ++k) {
    forms.push_back({(k & 1) != 0, (k & 2) != 0, (k & 4) != 0, (k & 8) != 0});
  }
  return forms;
}

// Gas, two of dark matter with one mass for both, a star.
File four_bodies(Form form) {
  File file(form);
  file.header({.counts = {1, 2, 0, 0, 1, 0}, .masses = {0, 0.5, 0, 0, 0, 0}, .time = 2.5});
  file.reals("POS", {11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43});
  file.reals("VEL", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  file.ids({7, 3, 9, 1});
  file.reals("MASS", {0.25, 0.125});
  file.reals("U", {1000});
  return file;
}

TEST(Gadget, files_of_either_format_byte_order_and_width_are_read) {
  for (const Form& form : all_forms()) {
    const File file = four_bodies(form);
    const Snapshot s = parse_gadget(file.bytes(), "g");
    EXPECT_EQ(s.time, 2.5);
    EXPECT_EQ(s.bodies.mass, (std::vector<double>{0.25, 0.5, 0.5, 0.125}));
    EXPECT_EQ(s.bodies.position(0), (Vec3{11, 12, 13}));
    EXPECT_EQ(s.bodies.position(3), (Vec3{41, 42, 43}));
    EXPECT_EQ(s.bodies.velocity(1), (Vec3{4, 5, 6}));
    EXPECT_EQ(s.bodies.id, (std::vector<std::uint64_t>{7, 3, 9, 1}));
    EXPECT_EQ(s.bodies.type, (std::vector<std::uint8_t>{0, 1, 1, 4}));
    EXPECT_TRUE(s.not_given.empty());
    const auto start = std::span(file.bytes()).first(32);
    EXPECT_TRUE(gadget_format().looks_like(start, file.bytes().size()));
    EXPECT_FALSE(tipsy_format().looks_like(start, file.bytes().size()));
    EXPECT_EQ(gadget_format().flavour(file.bytes()),
              std::string("GADGET binary, format ") + (form.named ? "2" : "1") +
                  (form.swap ? ", big-endian" : ", little-endian"));
  }
}

TEST(Gadget, units_are_assumed_with_a_warning_and_comoving_coordinates_named) {
  const Snapshot s = parse_gadget(four_bodies({}).bytes(), "g");
  ASSERT_EQ(s.warnings.size(), 1U);
  EXPECT_EQ(s.warnings[0].code, WarningCode::units_assumed);
  EXPECT_NEAR(s.law.constant, 43018, 10);  // G in kpc, 1e10 Msun and km/s
  EXPECT_EQ(s.units.length_name, "kpc");
  File cosmic({});
  cosmic.header({.counts = {}, .time = 0.25, .redshift = 3, .omega = 0.3});
  const Snapshot c = parse_gadget(cosmic.bytes(), "g");
  ASSERT_EQ(c.warnings.size(), 2U);
  EXPECT_EQ(c.warnings[1].code, WarningCode::comoving);
  EXPECT_THAT(c.warnings[1].text, HasSubstr("scale factor 0.25 (h = 0.7)"));
}

TEST(Gadget, what_is_written_is_read_back_with_the_digits_of_floats) {
  Snapshot s = sample_snapshot(100);
  add_fields(s);
  s.bodies.type.assign(100, 1);
  s.bodies.type[0] = 4, s.bodies.type[1] = 0, s.bodies.type[2] = 9;
  const Snapshot back = parse_gadget(format_gadget(s, "g"), "g");
  ASSERT_EQ(back.bodies.size(), 100U);
  EXPECT_EQ(back.time, s.time);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto found = std::ranges::find(s.bodies.id, back.bodies.id[i]);
    ASSERT_NE(found, s.bodies.id.end());
    const auto k = static_cast<std::size_t>(found - s.bodies.id.begin());
    EXPECT_EQ(back.bodies.x()[i], static_cast<float>(s.bodies.x()[k]));
    EXPECT_EQ(back.bodies.vz()[i], static_cast<float>(s.bodies.vz()[k]));
    EXPECT_EQ(back.bodies.mass[i], static_cast<float>(s.bodies.mass[k]));
    EXPECT_EQ(back.potential[i], static_cast<float>(s.potential[k]));
    EXPECT_EQ(back.accelerations.at(i).y, static_cast<float>(s.accelerations.at(k).y));
    EXPECT_EQ(back.bodies.type[i], s.bodies.type[k] < 6 ? s.bodies.type[k] : 1);
  }
  for (const std::size_t n : {0, 1}) {
    EXPECT_EQ(parse_gadget(format_gadget(sample_snapshot(n), "g"), "g").bodies.size(), n);
  }
}

TEST(Gadget, short_ids_are_written_short) {
  Snapshot s = sample_snapshot(3);
  const std::size_t with_long = format_gadget(s, "g").size();
  s.bodies.id = {1, 2, std::numeric_limits<std::uint32_t>::max()};
  EXPECT_EQ(format_gadget(s, "g").size(), with_long - 3 * sizeof(float));
  EXPECT_EQ(parse_gadget(format_gadget(s, "g"), "g").bodies.id, s.bodies.id);
}

TEST(Gadget, cut_files_are_refused_at_every_length) {
  for (const bool named : {false, true}) {
    const Bytes whole = four_bodies({.named = named}).bytes();
    const std::size_t without_gas = whole.size() - (named ? 16 + 12 : 12);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      if (length == without_gas) continue;  // a block that nobody needs is missing
      EXPECT_THROW(parse_gadget(std::span(whole).first(length), "g"), Error) << length;
    }
  }
}

TEST(Gadget, records_that_contradict_themselves_or_the_header_are_refused_by_name) {
  const auto said = [](const Bytes& bytes) -> std::string {
    try {
      parse_gadget(bytes, "g");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_data);
      return error.what();
    }
    return "nothing";
  };
  Bytes lengths = four_bodies({}).bytes();
  lengths[264 + 4 + 48] = std::byte{47};
  EXPECT_THAT(said(lengths), HasSubstr("POS begins with a length of 48 and ends with 47"));
  File few({.named = true});
  few.header({.counts = {0, 2, 0, 0, 0, 0}});
  few.reals("POS", {1, 2, 3});
  few.reals("VEL", std::vector<double>(60));
  EXPECT_THAT(said(few.bytes()), HasSubstr("block POS has 12 bytes, and 6 values take 24 or 48"));
  File twice = four_bodies({.named = true});
  twice.reals("POS", std::vector<double>(12));
  EXPECT_THAT(said(twice.bytes()), HasSubstr("block POS twice"));
  File no_places({.named = true});
  no_places.header({.counts = {0, 1, 0, 0, 0, 0}});
  no_places.reals("VEL", {1, 2, 3});
  EXPECT_THAT(said(no_places.bytes()), HasSubstr("no block POS"));
  File parts({});
  parts.header({.counts = {0, 1, 0, 0, 0, 0}, .files = 8});
  EXPECT_THAT(said(parts.bytes()), HasSubstr("one of 8 files"));
  File timeless({});
  timeless.header({.time = std::numeric_limits<double>::infinity()});
  EXPECT_THAT(said(timeless.bytes()), HasSubstr("time inf is not a number"));
  File huge({});
  huge.header({.counts = {0, 0xffffffff, 0xffffffff, 0, 0, 0}});
  EXPECT_THAT(said(huge.bytes()), HasSubstr("8589934590 bodies"));
  EXPECT_THAT(said(Bytes(300)), HasSubstr("is no GADGET snapshot"));
}

// Gas in the first, dark matter in all, a star in the last; ids say where each body came from.
std::vector<Bytes> three_files(Form form,
                               std::array<std::uint64_t, 6> totals = {1, 5, 0, 0, 1, 0}) {
  const std::array<std::array<std::uint32_t, 6>, 3> counts{
      {{1, 1, 0, 0, 0, 0}, {0, 3, 0, 0, 0, 0}, {0, 1, 0, 0, 1, 0}}};
  std::vector<Bytes> files;
  std::uint64_t id = 10;
  for (const auto& here : counts) {
    File file(form);
    file.header(
        {.counts = here, .masses = {0, 0.5, 0, 0, 0, 0}, .time = 3, .files = 3, .totals = totals});
    std::vector<double> places, own;
    std::vector<std::uint64_t> ids;
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::uint32_t i = 0; i < here[k]; ++i) {
        const auto x = static_cast<double>(id);
        places.insert(places.end(), {x, -x, 2 * x});
        if (k != 1) own.push_back(x / 16);
        ids.push_back(id++);
      }
    }
    file.reals("POS", places);
    file.reals("VEL", places);
    file.ids(ids);
    if (!own.empty()) file.reals("MASS", own);
    files.push_back(file.bytes());
  }
  return files;
}

void write_all(const ScratchFolder& folder, const std::vector<Bytes>& files) {
  for (std::size_t k = 0; k < files.size(); ++k) {
    write_atomically(folder / ("snap_001." + std::to_string(k)), files[k]);
  }
}

TEST(Gadget, snapshots_in_several_files_are_read_from_any_of_them) {
  for (const Form& form : all_forms()) {
    const ScratchFolder folder;
    write_all(folder, three_files(form));
    for (const char* name : {"snap_001.0", "snap_001.1", "snap_001.2", "snap_001"}) {
      const Snapshot s = read_snapshot(folder / name);
      EXPECT_EQ(s.time, 3);
      EXPECT_THAT(s.bodies.type, ElementsAre(0, 1, 1, 1, 1, 1, 4));
      EXPECT_THAT(s.bodies.id, ElementsAre(10, 11, 12, 13, 14, 15, 16));
      EXPECT_THAT(s.bodies.mass, ElementsAre(0.625, 0.5, 0.5, 0.5, 0.5, 0.5, 1));
      EXPECT_EQ(s.bodies.position(4), (Vec3{14, -14, 28}));
      EXPECT_EQ(s.bodies.velocity(6), (Vec3{16, -16, 32}));
      EXPECT_EQ(s.warnings.size(), 1U) << "units, once";
    }
  }
}

TEST(Gadget, files_of_a_snapshot_that_are_missing_or_contradict_each_other_are_refused) {
  const auto refused = [](const std::vector<Bytes>& files, const std::string& reason) {
    const ScratchFolder folder;
    write_all(folder, files);
    expect_error(ExitCode::bad_data, reason, [&] { read_snapshot(folder / "snap_001.0"); });
  };
  std::vector<Bytes> files = three_files({});
  refused({files[0], files[1]}, "snap_001.2 is missing");
  refused(three_files({}, {1, 6, 0, 0, 1, 0}),
          "hold 5 bodies of type 1, and their headers speak of 6");
  refused(three_files({}, {1, 5 + (std::uint64_t{1} << 32), 0, 0, 1, 0}), "4294967303");
  const ScratchFolder unsaid;
  write_all(unsaid, three_files({}, {}));
  EXPECT_EQ(read_snapshot(unsaid / "snap_001").bodies.size(), 7U);
  files[2] = three_files({}, {1, 5, 0, 0, 2, 0})[2];
  refused(files, "they are not of one snapshot");
  files = three_files({});
  files[1].resize(files[1].size() - 5);
  refused(files, "snap_001.1");
}

TEST(Gadget, bodies_without_ids_are_numbered) {
  File file({.named = true});
  file.header({.counts = {0, 2, 0, 0, 0, 0}, .masses = {0, 1, 0, 0, 0, 0}});
  file.reals("POS", {1, 2, 3, 4, 5, 6});
  file.reals("VEL", {0, 0, 0, 0, 0, 0});
  const Snapshot s = parse_gadget(file.bytes(), "g");
  EXPECT_EQ(s.bodies.id, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(s.not_given, (std::vector<std::string>{"id"}));
}

TEST(Gadget, values_beyond_floats_and_what_is_lost_are_said) {
  Snapshot s = sample_snapshot(2);
  EXPECT_EQ(gadget_format().losses(s).size(), 4U);  // digits, units, softening, provenance
  s.bodies.radius = {1, 2};
  s.bodies.type = {1, 8};
  EXPECT_EQ(gadget_format().losses(s).size(), 6U);
  s.bodies.set_position(1, {0, 1e300, 0});
  expect_error(ExitCode::bad_data, "beyond the range of GADGET's floats",
               [&] { format_gadget(s, "g"); });
}

}  // namespace
}  // namespace apsis
