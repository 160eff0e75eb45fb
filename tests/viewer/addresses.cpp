// SPDX-License-Identifier: MIT
// Which addresses a link may have, and its QR code.
#include <apsis/viewer/access.hpp>
#include <apsis/viewer/addresses.hpp>
#include <apsis/viewer/qr_code.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace apsis::viewer {
namespace {

using Hosts = std::vector<std::string>;

TEST(Addresses, for_others_are_those_that_they_can_reach_the_outward_one_first) {
  const std::vector<InterfaceAddress> all = {
      {"127.0.0.1", false, true, true},    {"172.17.0.1", false, true, false},
      {"172.18.0.1", false, false, false}, {"192.168.1.20", false, true, false},
      {"::1", true, true, true},           {"fe80::1", true, true, false},
      {"febf::1", true, true, false},      {"2001:db8::5", true, true, false},
      {"fd00::2", true, true, false},      {"", false, true, false}};
  EXPECT_EQ(hosts_for_others(all, false, {"192.168.1.20", ""}),
            (Hosts{"192.168.1.20", "172.17.0.1"}));
  EXPECT_EQ(hosts_for_others(all, true, {"192.168.1.20", "fd00::2"}),
            (Hosts{"192.168.1.20", "[fd00::2]", "172.17.0.1", "[2001:db8::5]"}));
  EXPECT_TRUE(hosts_for_others({}, true, {}).empty());
}

TEST(Addresses, of_one_that_is_bound_are_itself) {
  EXPECT_EQ(hosts_of("127.0.0.1"), Hosts{"127.0.0.1"});
  EXPECT_EQ(hosts_of("::1"), Hosts{"[::1]"});
  EXPECT_EQ(hosts_of("10.1.2.3"), Hosts{"10.1.2.3"});
}

TEST(Addresses, of_all_interfaces_are_ones_that_the_server_answers_to) {
  for (const char* everywhere : {"0.0.0.0", "::"}) {
    const Hosts hosts = hosts_of(everywhere);
    ASSERT_FALSE(hosts.empty());
    for (const std::string& host : hosts) {
      EXPECT_TRUE(host_allowed(host + ":8017", {})) << host;
      EXPECT_NE(host, "0.0.0.0");
      EXPECT_NE(host, "[::]");
    }
  }
}

TEST(QrCode, has_three_finders_and_a_margin) {
  const auto code = qr_code("http://192.168.1.20:8017/?token=" + std::string(32, 'x'));
  EXPECT_EQ(code.has_value(), qr_built_in());
  if (!code) GTEST_SKIP() << "built without libqrencode";
  // 64 bytes take version 4 at the lowest level of correction
  EXPECT_EQ(code->side, 33);
  const int last = code->side - 7;
  const int corners[][2] = {{0, 0}, {0, last}, {last, 0}};
  for (const auto& corner : corners) {
    EXPECT_TRUE(code->is_dark(corner[0], corner[1]));
    EXPECT_FALSE(code->is_dark(corner[0] + 1, corner[1] + 1));
    EXPECT_TRUE(code->is_dark(corner[0] + 3, corner[1] + 3));
  }
  EXPECT_FALSE(code->is_dark(-1, 0));
  EXPECT_FALSE(code->is_dark(0, code->side));
  const std::string text = in_half_blocks(*code, false);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), (qr_columns(*code) + 1) / 2);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(in_half_blocks(*code, true).find('\033'), std::string::npos);
}

TEST(QrCode, is_none_for_what_does_not_fit) {
  EXPECT_FALSE(qr_code(std::string(5000, 'x')).has_value());
}

}  // namespace
}  // namespace apsis::viewer
