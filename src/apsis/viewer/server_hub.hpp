// SPDX-License-Identifier: MIT
// Inside server.cpp, which alone includes this: Boost (about 5 s and 0.5 GB to compile), what
// connections share, and the hub that they belong to. Callbacks on one thread, so nothing in here
// needs a lock; what crosses threads goes through the Stage.
#pragma once

#include <utility>  // Asio 1.74 forgets it
// clang-format off
#include <boost/asio.hpp>
#include <boost/beast.hpp>
// clang-format on
#include <apsis/core/error.hpp>
#include <apsis/viewer/addresses.hpp>
#include <apsis/viewer/flow.hpp>
#include <apsis/viewer/frame_code.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/page.hpp>
#include <apsis/viewer/page_text.hpp>
#include <apsis/viewer/server.hpp>
#include <apsis/viewer/strangers.hpp>

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <atomic>
#include <list>
#include <optional>
#include <set>
#include <thread>

namespace apsis::viewer {
namespace serving {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using HttpRequest = http::request<http::empty_body>;

inline constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

inline std::string_view view_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

inline Request request_of(const HttpRequest& message) {
  Request request{.method = view_of(message.method_string()),
                  .target = view_of(message.target()),
                  .host = view_of(message[http::field::host]),
                  .origin = {},
                  .cookie = {},
                  .upgrade = websocket::is_upgrade(message)};
  const auto optional = [&](http::field field) -> std::optional<std::string_view> {
    const auto found = message.find(field);
    if (found == message.end()) return std::nullopt;
    return view_of(found->value());
  };
  request.origin = optional(http::field::origin);
  request.cookie = optional(http::field::cookie);
  return request;
}

inline double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A connection counts as long as its object lives.
class Counted {
 public:
  explicit Counted(std::size_t& count) : count_(&count) { ++count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*count_; }

 private:
  std::size_t* count_;
};

}  // namespace serving

using namespace serving;

class Server::Hub {
 public:
  Hub(Stage& stage, const ServerSettings& settings);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  std::uint16_t port() const { return port_; }
  std::vector<std::string> links(std::string_view token) const;
  const Access& access() const { return settings_.access; }
  Load load() const { return {viewer_count_, bytes_sent_, frames_sent_, cpu_seconds_}; }

 private:
  class Visit;    // one connection while it asks for files
  class Refusal;  // one connection too many
  class Viewer;   // one open page

  void listen();
  void accept();
  void accept_after(std::chrono::duration<double> pause);
  void take_in(tcp::socket socket);
  void run();
  void tick();
  void adapt();
  void take_newest();
  void describe_few();
  void describe_shape();
  void ask_for_frame();
  double interval() const { return rate_.interval(shared_points(), viewers_.size()); }
  std::size_t shared_points() const;
  void join(const std::shared_ptr<Viewer>& viewer);
  void leave(Viewer* viewer);

  Stage& stage_;
  ServerSettings settings_;
  std::uint16_t port_ = 0;
  std::size_t most_connections_ = most_connections;
  std::size_t connections_ = 0, refusals_ = 0;
  std::list<Visit*> strangers_;  // oldest first
  StrangerRate stranger_rate_;
  std::set<Viewer*> viewers_;

  std::unique_ptr<EncodedFrame> frame_;
  std::string few_text_;  // of that frame; empty where no body is drawn by itself
  std::vector<Orbit> orbits_;
  Clock::time_point orbits_found_{};
  std::uint64_t orbits_scene_ = 0;
  std::size_t few_count_ = 0;
  std::string shape_text_;  // of a frame not long ago, where a page shows charts of it
  std::uint64_t shape_number_ = 0, shape_scene_ = 0, shape_step_ = ~std::uint64_t{0};
  Clock::time_point shape_found_{};
  std::uint32_t next_frame_ = 1;
  FrameRate rate_;
  std::uint64_t scene_ = 0;
  Clock::time_point adapted_ = Clock::now(), told_{};
  double adapted_cpu_ = 0;

  std::atomic<std::size_t> viewer_count_{0};
  std::atomic<std::uint64_t> bytes_sent_{0}, frames_sent_{0};
  std::atomic<double> cpu_seconds_{0};

  // behind all that connections use: they die with it
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_};
  asio::steady_timer timer_{io_};
  std::thread thread_;
};

}  // namespace apsis::viewer
