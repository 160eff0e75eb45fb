// SPDX-License-Identifier: MIT
// The server as strangers meet it.
#include "viewer/raw_client.hpp"
#include <apsis/sim/simulation.hpp>
#include <apsis/viewer/frame_code.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/server.hpp>
#include <apsis/viewer/strangers.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/bodies.hpp>
#include <sys/resource.h>

#include <atomic>
#include <thread>
#include <vector>

namespace apsis::viewer {
namespace {

using namespace std::chrono_literals;
using test::RawClient;
using Clock = std::chrono::steady_clock;

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!server_built_in()) GTEST_SKIP() << "built without Boost";
    ServerSettings settings;
    settings.access.control_token = std::string(32, 'c');
    settings.access.view_token = std::string(32, 'v');
    settings.licenses = "notices\n";
    Scene scene;
    scene.title = "test", scene.kind = "run", scene.bodies = 500;
    stage_.begin(scene);
    server_ = std::make_unique<Server>(stage_, settings);
    // something that moves
    mover_ = std::thread([this] {
      const Bodies bodies = test::random_bodies(500);
      for (std::uint64_t step = 0; !done_; ++step) {
        Figures figures;
        figures.state = State::running, figures.step = step;
        stage_.report(figures);
        if (stage_.frame_wanted()) stage_.show(bodies, step, static_cast<double>(step));
        for (const Command& command : stage_.commands(5ms)) {
          if (command.kind == Command::Kind::pause) ++pauses_;
        }
      }
    });
  }
  void TearDown() override {
    done_ = true;
    if (mover_.joinable()) mover_.join();
  }

  RawClient client() const { return RawClient(server_->port()); }
  std::string cookie(char letter = 'c') const {
    return "apsis-" + std::to_string(server_->port()) + "=" + std::string(32, letter);
  }
  std::string with_cookie() const { return "Cookie: " + cookie() + "\r\n"; }
  void expect_alive() const { EXPECT_EQ(client().get("/healthz", ""), 200); }

  Stage stage_;
  std::unique_ptr<Server> server_;
  std::thread mover_;
  std::atomic<bool> done_{false};
  std::atomic<int> pauses_{0};
};

TEST_F(ServerTest, health_needs_no_token_and_everything_else_does) {
  EXPECT_EQ(client().get("/healthz", ""), 200);
  for (const char* target :
       {"/", "/page.js", "/page.css", "/licenses.txt", "/socket", "/x", "/?token=x"}) {
    EXPECT_EQ(client().get(target, ""), 403) << target;
  }
  EXPECT_EQ(client().open_socket("apsis=x"), 403);
}

TEST_F(ServerTest, a_wrong_host_or_origin_is_403_with_the_right_token) {
  EXPECT_EQ(client().get("/licenses.txt", with_cookie()), 200);
  EXPECT_EQ(client().get("/licenses.txt", with_cookie(), "evil.example"), 403);
  EXPECT_EQ(client().get("/licenses.txt", with_cookie() + "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(client().open_socket(cookie(), "http://evil.example"), 403);
  EXPECT_EQ(client().open_socket(cookie(), "http://evil.example", "evil.example"), 403);
  EXPECT_EQ(client().open_socket(cookie()), 101);
}

TEST_F(ServerTest, traversal_is_404) {
  for (const char* target :
       {"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2fpage.js", "//etc/passwd",
        "/page.js/../../x", "/....//", "/%00", "/page.css%00.js", "/~", "/.git/config"}) {
    EXPECT_EQ(client().get(target, with_cookie()), 404) << target;
  }
}

TEST_F(ServerTest, answers_carry_the_policies) {
  RawClient visitor = client();
  ASSERT_EQ(visitor.get("/licenses.txt", with_cookie()), 200);
  for (const char* header : {"Content-Security-Policy: default-src 'none'; script-src 'self'",
                             "frame-ancestors 'none'", "X-Content-Type-Options: nosniff",
                             "Referrer-Policy: no-referrer", "Cache-Control: no-store"}) {
    EXPECT_NE(visitor.headers().find(header), std::string::npos) << header;
  }
  EXPECT_EQ(visitor.headers().find("unsafe"), std::string::npos);
  EXPECT_EQ(visitor.headers().find("Access-Control"), std::string::npos);
}

TEST_F(ServerTest, a_page_gets_scene_figures_and_frames) {
  RawClient page = client();
  ASSERT_EQ(page.open_socket(cookie('v')), 101);
  bool scene = false, figures = false;
  int frames = 0;
  for (int i = 0; i < 40 && frames < 3; ++i) {
    const auto message = page.message();
    ASSERT_TRUE(message);
    if (message->opcode == 1) {
      const auto json = nlohmann::json::parse(message->payload);
      scene |= json["type"] == "scene" && json["controls"] == false && json["share"] == "";
      figures |= json["type"] == "figures" && json["state"] == "running";
    } else if (message->opcode == 2) {
      ASSERT_EQ(message->payload.size(), frame_header_bytes + 8 * 500);
      std::array<std::byte, frame_header_bytes> bytes{};
      std::memcpy(bytes.data(), message->payload.data(), bytes.size());
      const FrameHeader header = decode_header(bytes);
      EXPECT_EQ(header.count, 500U);
      ++frames;
      page.send(RawClient::frame(R"({"do":"shown","frame":)" + std::to_string(header.frame) + "}"));
    }
  }
  EXPECT_TRUE(scene && figures);
  EXPECT_EQ(frames, 3);
}

TEST_F(ServerTest, radii_and_densities_are_told_to_those_who_chart_them) {
  RawClient page = client(), other = client();
  ASSERT_EQ(page.open_socket(cookie('v')), 101);
  ASSERT_EQ(other.open_socket(cookie('v')), 101);
  // how many in the next seconds: a page takes its frames meanwhile
  const auto told = [](RawClient& who, std::chrono::milliseconds time) {
    int shapes = 0;
    for (const auto end = Clock::now() + time; Clock::now() < end;) {
      const auto message = who.message();
      if (!message) break;
      if (message->opcode == 2) {
        std::array<std::byte, frame_header_bytes> bytes{};
        std::memcpy(bytes.data(), message->payload.data(), bytes.size());
        who.send(RawClient::frame(R"({"do":"shown","frame":)" +
                                  std::to_string(decode_header(bytes).frame) + "}"));
        continue;
      }
      const auto json = nlohmann::json::parse(message->payload);
      if (json["type"] != "shape") continue;
      ++shapes;
      EXPECT_EQ(json["bodies"], 500);
      EXPECT_EQ(json["radii"].size(), 3U);
    }
    return shapes;
  };
  EXPECT_EQ(told(page, 1500ms), 0);
  page.send(RawClient::frame(R"({"do":"shape","on":1})"));
  const int shapes = told(page, 3000ms);
  EXPECT_GE(shapes, 2);
  EXPECT_LE(shapes, 8);  // twice a second
  EXPECT_EQ(told(other, 500ms), 0);
  page.send(RawClient::frame(R"({"do":"shape","on":0})"));
  told(page, 500ms);  // what was on its way
  EXPECT_EQ(told(page, 1500ms), 0);
}

TEST_F(ServerTest, only_the_controlling_token_controls) {
  RawClient viewer = client(), controller = client();
  ASSERT_EQ(viewer.open_socket(cookie('v')), 101);
  viewer.send(RawClient::frame(R"({"do":"pause"})"));
  bool refused = false;
  for (int i = 0; i < 20 && !refused; ++i) {
    const auto message = viewer.message();
    ASSERT_TRUE(message);
    refused = message->payload.find("refused") != std::string::npos;
  }
  EXPECT_TRUE(refused);
  EXPECT_EQ(pauses_, 0);
  ASSERT_EQ(controller.open_socket(cookie()), 101);
  controller.send(RawClient::frame(R"({"do":"pause"})"));
  for (int i = 0; i < 100 && pauses_ == 0; ++i) std::this_thread::sleep_for(20ms);
  EXPECT_EQ(pauses_, 1);
}

TEST_F(ServerTest, bad_frames_close_the_connection_and_nothing_else) {
  const std::string large(most_message_bytes + 1, ' ');
  const std::vector<std::string> bad = {
      RawClient::frame(R"({"do":"pause"})", 0x81, false),                           // unmasked
      RawClient::frame(large),                                                      // oversized
      std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04", 14),  // claims 2^63
      RawClient::frame("\xc3\x28"),                                                 // no UTF-8
      RawClient::frame("x", 0xf1),                                                  // reserved bits
      RawClient::frame("x", 0x83),                                                  // unknown kind
      RawClient::frame("x", 0x09),  // a control frame in pieces
      RawClient::frame("x", 0x80),  // goes on with nothing
      RawClient::frame("not json"),
      RawClient::frame(R"({"do":"format","disk":"c"})"),
      RawClient::frame(R"({"do":"pause"})", 0x82),  // binary
  };
  for (std::size_t i = 0; i < bad.size(); ++i) {
    RawClient page = client();
    ASSERT_EQ(page.open_socket(cookie()), 101);
    page.send(bad[i]);
    EXPECT_TRUE(page.closes_within(5s)) << i;
  }
  EXPECT_EQ(pauses_, 0);
  expect_alive();
}

TEST_F(ServerTest, bad_requests_close_the_connection_and_nothing_else) {
  for (const std::string& text :
       {std::string("\x16\x03\x01\x02", 4) + std::string(200, 'x') + "\r\n\r\n",
        std::string("GET\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'y') + "\r\n\r\n",
        std::string("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"),
        std::string(100'000, 'A')}) {
    RawClient visitor = client();
    visitor.send(text);
    EXPECT_TRUE(visitor.closes_within(12s)) << text.substr(0, 20);
  }
  expect_alive();
}

TEST_F(ServerTest, slow_headers_are_cut) {
  RawClient slow = client();
  slow.send("GET / HTTP/1.1\r\n");
  const auto begun = std::chrono::steady_clock::now();
  bool closed = false;
  while (!closed && std::chrono::steady_clock::now() - begun < 2 * request_time) {
    slow.send("a");  // a byte every half second is not enough
    closed = slow.closes_within(500ms);
  }
  EXPECT_TRUE(closed);
  expect_alive();
}

TEST_F(ServerTest, one_connection_too_many_is_told_so) {
  std::vector<RawClient> many;
  for (std::size_t i = 0; i < most_connections; ++i) {
    many.push_back(client());
    ASSERT_TRUE(many.back().connected());
    ASSERT_EQ(many.back().get("/licenses.txt", with_cookie()), 200) << i;  // and stays
  }
  RawClient next = client();
  EXPECT_EQ(next.get("/healthz", ""), 503);
  EXPECT_NE(next.headers().find("Retry-After"), std::string::npos);
  many.pop_back();
  int status = 503;
  for (int i = 0; i < 50 && status != 200; ++i) {
    std::this_thread::sleep_for(20ms);
    status = client().get("/healthz", "");
  }
  EXPECT_EQ(status, 200);
}

TEST_F(ServerTest, idle_strangers_keep_nobody_with_a_token_out_and_end_in_seconds) {
  std::vector<RawClient> idle;
  for (std::size_t i = 0; i < most_connections; ++i) idle.push_back(client());
  std::this_thread::sleep_for(stranger_stays + 1s);
  RawClient page = client();
  EXPECT_EQ(page.open_socket(cookie()), 101);
  EXPECT_EQ(client().get("/licenses.txt", with_cookie()), 200);
  std::this_thread::sleep_for(first_request_time);
  for (RawClient& one : idle) EXPECT_TRUE(one.closes_within(1s));
  EXPECT_TRUE(page.message(1s));  // those with a token stay
}

TEST_F(ServerTest, few_descriptors_are_left_to_the_run) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  server_.reset();
  rlimit few = before;
  few.rlim_cur = 120;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  server_ = std::make_unique<Server>(stage_, ServerSettings{});
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);  // this process is client, too
  std::vector<RawClient> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(client());
  std::this_thread::sleep_for(500ms);
  EXPECT_NE(client().get("/healthz", ""), 200);  // told to come back, or cut
  int open = 0;
  for (RawClient& one : idle) open += one.closes_within(1ms) ? 0 : 1;
  EXPECT_LT(open, 120 - static_cast<int>(descriptors_for_the_run));
  EXPECT_GT(open, 0);
}

TEST_F(ServerTest, strangers_get_no_second_answer_over_one_connection) {
  RawClient stranger = client();
  EXPECT_EQ(stranger.get("/healthz", "Connection: keep-alive\r\n"), 200);
  EXPECT_TRUE(stranger.closes_within(2s));
}

TEST(StrangerRate, is_spent_by_strangers_and_not_by_those_with_a_token) {
  StrangerRate rate;
  const StrangerRate::Time now = std::chrono::steady_clock::now();
  for (int i = 0; i < 10'000; ++i) rate.came(now), rate.showed_token();
  EXPECT_EQ(rate.wait().count(), 0);
  for (int i = 0; i < strangers_at_once; ++i) rate.came(now);
  EXPECT_EQ(rate.wait().count(), 0);
  rate.came(now), rate.came(now);
  EXPECT_DOUBLE_EQ(rate.wait().count(), 2 / strangers_per_second);
  rate.came(now + 1s);
  EXPECT_EQ(rate.wait().count(), 0);
}

TEST_F(ServerTest, a_page_that_shows_nothing_gets_two_frames) {
  RawClient page = client();
  ASSERT_EQ(page.open_socket(cookie()), 101);
  int frames = 0;
  const auto end = std::chrono::steady_clock::now() + 1500ms;
  while (std::chrono::steady_clock::now() < end) {
    if (const auto message = page.message(100ms)) frames += message->opcode == 2 ? 1 : 0;
  }
  EXPECT_EQ(frames, frames_in_flight);
}

TEST_F(ServerTest, a_port_that_is_taken_is_named) {
  ServerSettings settings;
  settings.port = server_->port();
  EXPECT_THROW(Server(stage_, settings), Error);
  settings.another_port = true;
  EXPECT_NE(Server(stage_, settings).port(), server_->port());
  settings.address = "not an address";
  EXPECT_THROW(Server(stage_, settings), Error);
}

TEST_F(ServerTest, read_only_makes_the_link_that_of_viewers) {
  Access access;
  access.read_only = true;
  ServerSettings settings;
  settings.access = access;
  const Server server(stage_, settings);
  EXPECT_NE(server.link().find("http://127.0.0.1:" + std::to_string(server.port()) + "/?token="),
            std::string::npos);
}

}  // namespace
}  // namespace apsis::viewer
