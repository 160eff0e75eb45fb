// SPDX-License-Identifier: MIT
#include <apsis/viewer/access.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

namespace apsis::viewer {
namespace {

const Access access{.view_token = "view-view-view-view-view-view-view",
                    .control_token = "control-control-control-control-x",
                    .cookie_name = "apsis-80",
                    .read_only = false,
                    .host_names = {"lab.example"}};

Request with_cookie(std::string_view target, std::string_view cookie) {
  return {.method = "GET",
          .target = target,
          .host = "127.0.0.1:80",
          .origin = {},
          .cookie = cookie,
          .upgrade = false};
}
constexpr std::string_view control_cookie = "apsis-80=control-control-control-control-x";
constexpr std::string_view view_cookie = "a=b; apsis-80=view-view-view-view-view-view-view";

TEST(Tokens, are_long_random_and_need_no_escape) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string token = new_token();
    EXPECT_EQ(token.size(), 32U);  // 24 bytes in base64
    EXPECT_TRUE(usable_token(token));
    EXPECT_TRUE(seen.insert(token).second);
  }
  EXPECT_FALSE(usable_token("short"));
  EXPECT_FALSE(usable_token(std::string(40, ' ')));
  EXPECT_FALSE(usable_token(std::string(200, 'a')));
  EXPECT_FALSE(usable_token(std::string(31, 'a')));
  EXPECT_TRUE(usable_token(std::string(32, 'a')));
  EXPECT_TRUE(usable_token(std::string(128, 'a')));
  EXPECT_FALSE(usable_token(std::string(129, 'a')));
}

// Base64: every one of the bytes has its place in the letters.
TEST(Tokens, have_24_bytes_none_of_which_repeats_another) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<std::array<bool, 24>, 24> differ{};
  for (int t = 0; t < 20; ++t) {
    const std::string token = new_token();
    std::vector<unsigned> bytes;
    for (std::size_t i = 0; i < token.size(); i += 4) {
      unsigned bits = 0;
      for (const char c : token.substr(i, 4)) bits = bits << 6 | unsigned(letters.find(c));
      for (const int shift : {16, 8, 0}) bytes.push_back(bits >> shift & 255);
    }
    ASSERT_EQ(bytes.size(), 24U);
    for (std::size_t a = 0; a < 24; ++a) {
      for (std::size_t b = 0; b < a; ++b) differ[a][b] = differ[a][b] || bytes[a] != bytes[b];
    }
  }
  for (std::size_t a = 0; a < 24; ++a) {
    for (std::size_t b = 0; b < a; ++b) EXPECT_TRUE(differ[a][b]) << a << " is always " << b;
  }
}

TEST(Tokens, compare_equal_only_as_a_whole) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  for (const char* other : {"", "a", "ab", "abd", "abcd", "abcabc", "Abc"}) {
    EXPECT_FALSE(same_secret(other, "abc")) << other;
  }
  EXPECT_FALSE(same_secret("", ""));  // a server without a token lets nobody in
  EXPECT_FALSE(same_secret("x", ""));
}

TEST(Tokens, give_their_role_and_no_more) {
  EXPECT_EQ(role_of(access, access.control_token), Role::controller);
  EXPECT_EQ(role_of(access, access.view_token), Role::viewer);
  EXPECT_EQ(role_of(access, "guess"), Role::none);
  Access read_only = access;
  read_only.read_only = true;
  EXPECT_EQ(role_of(read_only, access.control_token), Role::viewer);
}

TEST(Cookies, are_found_by_their_whole_name) {
  EXPECT_EQ(cookie_value("a=1; apsis=2;b=3", "apsis"), "2");
  EXPECT_EQ(cookie_value("xapsis=1", "apsis"), std::nullopt);
  EXPECT_EQ(cookie_value("apsis", "apsis"), std::nullopt);
  EXPECT_EQ(cookie_value("", "apsis"), std::nullopt);
  EXPECT_EQ(cookie_value(";;;=;", "apsis"), std::nullopt);
}

TEST(Decisions, a_cookie_ends_where_its_header_does) {
  const std::string_view whole = control_cookie;
  EXPECT_EQ(decide(with_cookie("/", whole), access).status, 200);
  EXPECT_EQ(decide(with_cookie("/", whole.substr(0, whole.size() - 1)), access).status, 403);
  // the name alone, whatever follows it in memory
  EXPECT_EQ(decide(with_cookie("/", whole.substr(0, access.cookie_name.size())), access).status,
            403);
}

TEST(Hosts, are_names_that_nobody_else_can_give_us) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8017", "localhost:1", "LOCALHOST", "[::1]:8017",
                           "10.0.0.7:80", "lab.example:8017"}) {
    EXPECT_TRUE(host_allowed(host, access)) << host;
  }
  for (const char* host : {"", "evil.example", "127.0.0.1.evil.example",
                           "localhost.evil.example:80", "localhost:", "localhost:80x", "[::1",
                           "[evil]:80", ":80", "127.0.0.1 evil", "1.2.3.4@evil", "1.2.3"}) {
    EXPECT_FALSE(host_allowed(host, access)) << host;
  }
}

TEST(Origins, must_be_the_host_that_was_asked) {
  EXPECT_TRUE(origin_allowed("http://127.0.0.1:80", "127.0.0.1:80"));
  for (const char* origin : {"http://127.0.0.1:81", "https://127.0.0.1:80", "null", "",
                             "http://evil", "http://127.0.0.1:80.evil", "http://127.0.0.1:80/"}) {
    EXPECT_FALSE(origin_allowed(origin, "127.0.0.1:80")) << origin;
  }
  EXPECT_FALSE(origin_allowed("http://", ""));
}

TEST(Decisions, without_a_token_everything_but_health_is_403) {
  for (const char* target : {"/", "/page.js", "/page.css", "/icon.svg", "/licenses.txt", "/socket",
                             "/nothing", "/../etc/passwd", "/?token=", "/?token=wrong", "/?x=1"}) {
    for (const bool upgrade : {false, true}) {
      const Request request{.method = "GET",
                            .target = target,
                            .host = "127.0.0.1:80",
                            .origin = "http://127.0.0.1:80",
                            .cookie = {},
                            .upgrade = upgrade};
      EXPECT_EQ(decide(request, access).status, 403) << target;
    }
  }
  EXPECT_EQ(decide({.method = "GET",
                    .target = "/healthz",
                    .host = "127.0.0.1:80",
                    .origin = {},
                    .cookie = {},
                    .upgrade = false},
                   access)
                .status,
            200);
}

TEST(Decisions, the_token_of_the_link_becomes_a_strict_cookie) {
  const std::string target = "/?token=" + access.control_token;
  const Decision decision = decide(with_cookie(target, ""), access);
  EXPECT_EQ(decision.status, 200);
  EXPECT_EQ(decision.role, Role::controller);
  EXPECT_EQ(decision.set_cookie,
            "apsis-80=" + access.control_token + "; Path=/; HttpOnly; SameSite=Strict");
  // wherever it stands in the link
  EXPECT_EQ(decide(with_cookie("/?x=1&token=" + access.control_token + "&y", ""), access).role,
            Role::controller);
  // no other place takes a token from the link
  EXPECT_EQ(decide(with_cookie("/page.js?token=" + access.control_token, ""), access).status, 403);
}

TEST(Decisions, a_cookie_opens_what_there_is_and_nothing_else) {
  for (const char* target : {"/", "/page.js", "/page.css", "/icon.svg", "/licenses.txt"}) {
    EXPECT_EQ(decide(with_cookie(target, control_cookie), access).status, 200) << target;
    EXPECT_EQ(decide(with_cookie(target, view_cookie), access).role, Role::viewer) << target;
  }
  for (const char* target :
       {"/index.html", "/../page.js", "//", "/page.js/", "/%2e%2e/etc/passwd", "/./", "page.js",
        "*", "/..%2f..%2fetc%2fpasswd", "/page.js%00", "/snapshot_0000.hdf5", "\\..\\..", ""}) {
    EXPECT_EQ(decide(with_cookie(target, control_cookie), access).status, 404) << target;
  }
}

TEST(Decisions, wrong_hosts_and_origins_are_403_whatever_the_token) {
  Request request = with_cookie("/", control_cookie);
  request.host = "evil.example";
  EXPECT_EQ(decide(request, access).status, 403);
  request = with_cookie("/", control_cookie);
  request.origin = "http://evil.example";
  EXPECT_EQ(decide(request, access).status, 403);
  request.target = "/healthz";
  EXPECT_EQ(decide(request, access).status, 403);
}

TEST(Decisions, sockets_need_token_origin_and_upgrade) {
  Request request = with_cookie("/socket", view_cookie);
  request.upgrade = true;
  EXPECT_EQ(decide(request, access).status, 403);  // no origin
  request.origin = "http://127.0.0.1:80";
  EXPECT_EQ(decide(request, access).status, 101);
  EXPECT_EQ(decide(request, access).role, Role::viewer);
  request.upgrade = false;
  EXPECT_EQ(decide(request, access).status, 426);
  request.upgrade = true, request.target = "/";
  EXPECT_EQ(decide(request, access).status, 404);
}

TEST(Decisions, only_reading_methods_work) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get", ""}) {
    Request request = with_cookie("/", control_cookie);
    request.method = method;
    EXPECT_EQ(decide(request, access).status, 405) << method;
  }
}

}  // namespace
}  // namespace apsis::viewer
