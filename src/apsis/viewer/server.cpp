// SPDX-License-Identifier: MIT
// The only file that includes Boost (about 5 s and 0.5 GB to compile). Callbacks on one thread, so
// nothing in here needs a lock; what crosses threads goes through the Stage.
#include <utility>  // Asio 1.74 forgets it
// clang-format off
#include <boost/asio.hpp>
#include <boost/beast.hpp>
// clang-format on
#include <apsis/core/error.hpp>
#include <apsis/viewer/flow.hpp>
#include <apsis/viewer/frame_code.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/page.hpp>
#include <apsis/viewer/page_text.hpp>
#include <apsis/viewer/server.hpp>

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <atomic>
#include <optional>
#include <set>
#include <thread>

namespace apsis::viewer {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using HttpRequest = http::request<http::empty_body>;

constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

std::string_view view_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

Request request_of(const HttpRequest& message) {
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

double thread_seconds() {
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

}  // namespace

class Server::Hub {
 public:
  Hub(Stage& stage, const ServerSettings& settings);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  std::uint16_t port() const { return port_; }
  std::string link(std::string_view token) const;
  const Access& access() const { return settings_.access; }
  Load load() const { return {viewer_count_, bytes_sent_, frames_sent_, cpu_seconds_}; }

 private:
  class Visit;    // one connection while it asks for files
  class Refusal;  // one connection too many
  class Viewer;   // one open page

  void listen();
  void accept();
  void run();
  void tick();
  void adapt();
  void take_newest();
  void ask_for_frame();
  double interval() const { return rate_.interval(shared_points()); }
  std::size_t shared_points() const;
  void join(const std::shared_ptr<Viewer>& viewer);
  void leave(Viewer* viewer);

  Stage& stage_;
  ServerSettings settings_;
  std::uint16_t port_ = 0;
  std::size_t connections_ = 0, refusals_ = 0;
  std::set<Viewer*> viewers_;

  std::unique_ptr<EncodedFrame> frame_;
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

// --- one open page -------------------------------------------------------------------------------

class Server::Hub::Viewer : public std::enable_shared_from_this<Viewer> {
 public:
  Viewer(Hub& hub, std::shared_ptr<Counted> counted, beast::tcp_stream stream, Role role)
      : hub_(hub), counted_(std::move(counted)), socket_(std::move(stream)), role_(role) {}
  ~Viewer() { hub_.leave(this); }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  void start(const HttpRequest& request);
  void tell_scene() { scene_due_ = true, pump(); }
  void tell_figures() { figures_due_ = true, pump(); }
  void offer() { pump(); }
  bool stalled(Clock::time_point now) const { return flow_.stalled(now); }
  void cut() { beast::get_lowest_layer(socket_).close(); }
  const Flow& flow() const { return flow_; }

 private:
  void read();
  void handle(std::string_view text);
  void obey(const Message& message);
  void pump();
  bool send_part();
  void send_text(std::string text);
  template <class Buffers>
  void write(const Buffers& buffers, bool binary);

  Hub& hub_;
  std::shared_ptr<Counted> counted_;
  websocket::stream<beast::tcp_stream> socket_;
  Role role_;
  beast::flat_buffer incoming_;
  bool open_ = false, writing_ = false;
  bool scene_due_ = true, figures_due_ = true;
  std::string answer_, text_;  // an answer that waits, and what is being written
  Flow flow_;
  ColourBy colour_by_ = ColourBy::speed;
  std::uint64_t chart_next_ = 0;
  // what is being written must live until it is
  std::array<std::byte, frame_header_bytes> header_{};
  SharedBytes places_, colours_;
  Clock::time_point second_{};
  int messages_ = 0;
};

void Server::Hub::Viewer::start(const HttpRequest& request) {
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout timeout{request_time, stalled_time, true};
  socket_.set_option(timeout);
  socket_.read_message_max(most_message_bytes);
  socket_.auto_fragment(false);
  beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true));
  socket_.async_accept(request, [self = this->shared_from_this()](beast::error_code error) {
    if (error) return;
    self->open_ = true;
    self->hub_.join(self);
    self->pump();
    self->read();
  });
}

void Server::Hub::Viewer::read() {
  socket_.async_read(incoming_,
                     [self = this->shared_from_this()](beast::error_code error, std::size_t) {
                       if (error) {
                         self->open_ = false;
                         return;
                       }
                       const auto data = self->incoming_.cdata();
                       self->handle({static_cast<const char*>(data.data()), data.size()});
                       self->incoming_.consume(self->incoming_.size());
                       if (self->open_) self->read();
                     });
}

void Server::Hub::Viewer::handle(std::string_view text) {
  constexpr int most_in_a_second = 300;  // five times what a page says at 60 frames a second
  const auto now = Clock::now();
  if (now - second_ > std::chrono::seconds(1)) second_ = now, messages_ = 0;
  try {
    if (++messages_ > most_in_a_second) throw bad_data("too many messages");
    if (!socket_.got_text()) throw bad_data("messages are text");
    obey(parse_message(text));
  } catch (const std::exception& error) {
    open_ = false;
    const std::string reason = std::string(error.what()).substr(0, 120);
    // whoever breaks the rules gets a second to say goodbye
    socket_.set_option(
        websocket::stream_base::timeout{std::chrono::seconds(1), stalled_time, false});
    socket_.async_close({websocket::close_code::policy_error, reason},
                        [self = this->shared_from_this()](beast::error_code) {});
  }
}

void Server::Hub::Viewer::obey(const Message& message) {
  if (const auto* command = std::get_if<Command>(&message)) {
    if (role_ == Role::controller) {
      hub_.stage_.send(*command);
    } else {
      answer_ = refusal_text("this link may look and not control");
    }
  } else if (const auto* wish = std::get_if<Wish>(&message)) {
    colour_by_ = wish->colour_by;
    flow_.start_over();
  } else if (const auto* capacity = std::get_if<Capacity>(&message)) {
    flow_.set_capacity(capacity->points);
  } else if (std::holds_alternative<Shown>(message)) {
    flow_.shown(hub_.interval(), Clock::now());
  } else if (const auto* question = std::get_if<Question>(&message); hub_.frame_) {
    answer_ = body_text(hub_.frame_->points(), question->index);
  }
  pump();
}

// Texts first, they are short; then the next part of the newest frame. One write at a time.
void Server::Hub::Viewer::pump() {
  if (!open_ || writing_) return;
  Stage& stage = hub_.stage_;
  if (scene_due_) {
    scene_due_ = false, figures_due_ = true;
    flow_.start_over();
    const Stage::Chart chart = stage.chart_since(0);
    chart_next_ = chart.next;
    const bool shares = role_ == Role::controller;
    return send_text(scene_text(stage.scene(), role_, chart,
                                shares ? hub_.link(hub_.access().view_token) : std::string{}));
  }
  if (!answer_.empty()) return send_text(std::exchange(answer_, {}));
  if (figures_due_) {
    figures_due_ = false;
    const Stage::Chart chart = stage.chart_since(chart_next_);
    chart_next_ = chart.next;
    return send_text(figures_text(stage.figures(), hub_.viewer_count_, chart));
  }
  send_part();
}

bool Server::Hub::Viewer::send_part() {
  if (!hub_.frame_) return false;
  EncodedFrame& frame = *hub_.frame_;
  colours_ = frame.colours(colour_by_);  // settles the range that the header tells
  FrameHeader header = frame.header(colour_by_);
  const auto now = Clock::now();
  const Flow::Part part = flow_.next(header.frame, frame.points().size(), hub_.interval(), now);
  if (part.count == 0) return false;
  header.first = static_cast<std::uint32_t>(part.first);
  header.count = static_cast<std::uint32_t>(part.count);
  header_ = encode_header(header);
  places_ = frame.places();
  flow_.sent(header.frame, part, now);
  const std::array<asio::const_buffer, 3> buffers = {
      asio::buffer(header_), asio::buffer(places_->data() + 3 * part.first, 6 * part.count),
      asio::buffer(colours_->data() + part.first, 2 * part.count)};
  hub_.frames_sent_ += 1;
  write(buffers, true);
  return true;
}

void Server::Hub::Viewer::send_text(std::string text) {
  text_ = std::move(text);
  write(asio::buffer(text_), false);
}

template <class Buffers>
void Server::Hub::Viewer::write(const Buffers& buffers, bool binary) {
  writing_ = true;
  socket_.binary(binary);
  socket_.async_write(
      buffers, [self = this->shared_from_this()](beast::error_code error, std::size_t bytes) {
        self->writing_ = false;
        self->hub_.bytes_sent_ += bytes;
        if (error) {
          self->open_ = false;
          return;
        }
        self->pump();
      });
}

// --- one connection that asks for files ----------------------------------------------------------

class Server::Hub::Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(Hub& hub, tcp::socket socket)
      : hub_(hub),
        counted_(std::make_shared<Counted>(hub.connections_)),
        stream_(std::move(socket)) {}

  void start() {
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    stream_.expires_after(request_time);  // for all of it: slow senders gain nothing by drops
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    const HttpRequest& request = parser_->get();
    const Decision decision = decide(request_of(request), hub_.access());
    if (decision.status == 101) {
      std::make_shared<Viewer>(hub_, counted_, std::move(stream_), decision.role)->start(request);
      return;
    }
    response_ = {};
    response_.version(request.version());
    response_.keep_alive(request.keep_alive() && decision.status == 200);
    fill(decision);
    response_.prepare_payload();
    if (request.method() == http::verb::head) response_.body().clear();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (error || !self->response_.keep_alive()) return self->close();
                        self->stream_.expires_after(idle_time);
                        self->start();
                      });
  }

  void fill(const Decision& decision) {
    int status = decision.status;
    std::string_view type = "text/plain; charset=utf-8";
    if (status == 200 && decision.route == Route::health) {
      response_.body() = "ok\n";
    } else if (status == 200 && decision.route == Route::licenses) {
      response_.body() = hub_.settings_.licenses;
    } else if (const auto asset = asset_of(decision.route); status == 200 && asset) {
      type = asset->type;
      response_.body() = asset->text;
    } else {
      if (status == 200) status = 404;
      response_.body() =
          fmt::format("{}\n", *decision.reason != 0 ? decision.reason : "nothing here");
    }
    response_.result(static_cast<unsigned>(status));
    const auto set = [&](http::field field, std::string_view value) {
      response_.set(field, boost::beast::string_view(value.data(), value.size()));
    };
    set(http::field::content_type, type);
    set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("X-Frame-Options", "DENY");
    response_.set("Content-Security-Policy", policy);
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("Cross-Origin-Opener-Policy", "same-origin");
    if (!decision.set_cookie.empty()) set(http::field::set_cookie, decision.set_cookie);
  }

  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  Hub& hub_;
  std::shared_ptr<Counted> counted_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{2 * most_header_bytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

// Told politely that there is no room, and given a moment to hear it.
class Server::Hub::Refusal : public std::enable_shared_from_this<Refusal> {
 public:
  Refusal(Hub& hub, tcp::socket socket) : counted_(hub.refusals_), stream_(std::move(socket)) {}

  void start() {
    static constexpr std::string_view text =
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 34\r\n"
        "Retry-After: 10\r\nConnection: close\r\n\r\ntoo many viewers; try again later\n";
    stream_.expires_after(std::chrono::seconds(1));
    asio::async_write(stream_, asio::buffer(text.data(), text.size()),
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (error) return;
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                        self->drain();
                      });
  }

 private:
  // what it has sent already must be read, or the answer is lost with a reset
  void drain() {
    stream_.async_read_some(asio::buffer(scrap_),
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->drain();
                            });
  }
  Counted counted_;
  beast::tcp_stream stream_;
  std::array<char, 1024> scrap_{};
};

// --- the hub -------------------------------------------------------------------------------------

Server::Hub::Hub(Stage& stage, const ServerSettings& settings)
    : stage_(stage), settings_(settings) {
  Access& access = settings_.access;
  if (access.control_token.empty()) access.control_token = new_token();
  if (access.view_token.empty()) access.view_token = new_token();
  listen();
  access.cookie_name = fmt::format("apsis-{}", port_);  // cookies know no ports
  accept();
  tick();
  thread_ = std::thread([this] { run(); });
}

Server::Hub::~Hub() {
  io_.stop();
  thread_.join();
  stage_.want_frame(0);
}

void Server::Hub::listen() {
  beast::error_code error;
  const auto address = asio::ip::make_address(settings_.address, error);
  if (error) {
    throw Error(ExitCode::wrong_usage, fmt::format("'{}' is no address", settings_.address),
                "give one in numbers, such as 127.0.0.1 or 0.0.0.0");
  }
  const auto attempt = [&](std::uint16_t port) {
    const tcp::endpoint endpoint(address, port);
    acceptor_.close(error);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    return !error;
  };
  if (!attempt(settings_.port) && !(settings_.another_port && attempt(0))) {
    throw Error(ExitCode::unavailable,
                fmt::format("can't listen at {} port {}: {}", settings_.address, settings_.port,
                            error.message()),
                "choose another port with --port, or an address of this machine with --bind");
  }
  port_ = acceptor_.local_endpoint().port();
}

std::string Server::Hub::link(std::string_view token) const {
  const auto address = acceptor_.local_endpoint().address();
  std::string host = address.to_string();
  if (address.is_unspecified()) {
    host = settings_.access.host_names.empty() ? "127.0.0.1" : settings_.access.host_names.front();
  } else if (address.is_v6()) {
    host = "[" + host + "]";
  }
  return fmt::format("http://{}:{}/?token={}", host, port_, token);
}

void Server::Hub::accept() {
  acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
    constexpr std::size_t most_refusals = 64;
    if (!error && connections_ < most_connections) {
      std::make_shared<Visit>(*this, std::move(socket))->start();
    } else if (!error && refusals_ < most_refusals) {
      std::make_shared<Refusal>(*this, std::move(socket))->start();
    }
    if (error && error != asio::error::operation_aborted) {
      // out of descriptors: wait for some to come back instead of spinning
      auto pause = std::make_shared<asio::steady_timer>(io_, std::chrono::milliseconds(100));
      pause->async_wait([this, pause](beast::error_code) { accept(); });
      return;
    }
    if (!error) accept();
  });
}

void Server::Hub::run() {
  for (;;) {
    try {
      io_.run();
      return;
    } catch (const std::exception&) {  // no memory for one viewer: the others go on
    }
  }
}

void Server::Hub::join(const std::shared_ptr<Viewer>& viewer) {
  viewers_.insert(viewer.get());
  viewer_count_ = viewers_.size();
}

void Server::Hub::leave(Viewer* viewer) {
  viewers_.erase(viewer);
  viewer_count_ = viewers_.size();
}

std::size_t Server::Hub::shared_points() const {
  std::size_t most = fewest_points;
  for (const Viewer* viewer : viewers_) most = std::max(most, viewer->flow().points());
  return frame_ ? std::min<std::size_t>(most, std::max<std::size_t>(1, frame_->points().bodies))
                : most;
}

void Server::Hub::adapt() {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - adapted_).count();
  if (seconds < 1) return;
  const double cpu = thread_seconds();
  cpu_seconds_ = cpu;
  rate_.adapt((cpu - adapted_cpu_) / seconds);
  adapted_ = now, adapted_cpu_ = cpu;
}

void Server::Hub::take_newest() {
  auto points = stage_.newest();
  if (!points) return;
  auto next = std::make_unique<EncodedFrame>(next_frame_++, std::move(*points), frame_.get());
  if (frame_) stage_.recycle(frame_->release());
  frame_ = std::move(next);
}

// While things move as many points as the pages can use at once; at rest all that they can draw.
void Server::Hub::ask_for_frame() {
  const Figures figures = stage_.figures();
  const bool moving = figures.state == State::running;
  std::size_t wanted = shared_points();
  if (!moving) {
    for (const Viewer* viewer : viewers_) wanted = std::max(wanted, viewer->flow().capacity());
  }
  const bool current =
      frame_ && frame_->points().step == figures.step && frame_->points().scene == scene_;
  const bool complete =
      current && frame_->points().size() >= std::min<std::size_t>(wanted, frame_->points().bodies);
  stage_.want_frame(moving || !complete ? wanted : 0);
}

void Server::Hub::tick() {
  adapt();
  double seconds = 0.1;
  if (viewers_.empty()) {
    stage_.want_frame(0);
  } else {
    take_newest();
    const auto now = Clock::now();
    const std::uint64_t scene = stage_.scene().number;
    const bool new_scene = std::exchange(scene_, scene) != scene;
    const bool tell = now - told_ > std::chrono::milliseconds(200);
    if (tell) told_ = now;
    const std::set<Viewer*> present = viewers_;  // a viewer may leave while it is offered something
    for (Viewer* viewer : present) {
      if (viewers_.count(viewer) == 0) continue;
      if (viewer->stalled(now)) {
        viewer->cut();
      } else if (new_scene) {
        viewer->tell_scene();
      } else if (tell) {
        viewer->tell_figures();
      } else {
        viewer->offer();
      }
    }
    ask_for_frame();
    seconds = interval();
  }
  timer_.expires_after(
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  timer_.async_wait([this](beast::error_code error) {
    if (!error) tick();
  });
}

// --- what others see -----------------------------------------------------------------------------

Server::Server(Stage& stage, const ServerSettings& settings)
    : hub_(std::make_unique<Hub>(stage, settings)) {}
Server::~Server() = default;

std::uint16_t Server::port() const { return hub_->port(); }

std::string Server::link() const {
  const Access& access = hub_->access();
  return hub_->link(access.read_only ? access.view_token : access.control_token);
}

Server::Load Server::load() const { return hub_->load(); }

bool server_built_in() { return true; }

}  // namespace apsis::viewer
