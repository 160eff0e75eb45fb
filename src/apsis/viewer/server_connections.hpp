// SPDX-License-Identifier: MIT
// Inside server.cpp, which alone includes this: connections that ask for files, that show a page,
// and one too many.
#pragma once

#include <apsis/viewer/server_hub.hpp>

namespace apsis::viewer {

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
  const Region& region() const { return region_; }
  bool charts_shape() const { return charts_shape_; }

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
  Region region_;
  bool charts_shape_ = false;
  std::uint64_t shape_told_ = 0;
  std::uint64_t chart_next_ = 0, flash_next_ = 0;
  std::uint32_t few_frame_ = 0;  // whose few bodies were told last
  // what is being written must live until it is
  std::array<std::byte, frame_header_bytes> header_{};
  SharedBytes places_, colours_;
  Clock::time_point second_{};
  int messages_ = 0;
};

inline void Server::Hub::Viewer::start(const HttpRequest& request) {
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

inline void Server::Hub::Viewer::read() {
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

inline void Server::Hub::Viewer::handle(std::string_view text) {
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

inline void Server::Hub::Viewer::obey(const Message& message) {
  if (const auto* command = std::get_if<Command>(&message)) {
    if (role_ == Role::controller) {
      hub_.stage_.send(*command);
    } else {
      answer_ = refusal_text("this link may look and not control");
    }
  } else if (const auto* wish = std::get_if<Wish>(&message)) {
    colour_by_ = wish->colour_by;
    flow_.start_over();
  } else if (const auto* closer = std::get_if<Closer>(&message)) {
    region_ = closer->region;
  } else if (const auto* charting = std::get_if<Charting>(&message)) {
    charts_shape_ = charting->shape, shape_told_ = 0;
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
inline void Server::Hub::Viewer::pump() {
  if (!open_ || writing_) return;
  Stage& stage = hub_.stage_;
  if (scene_due_) {
    scene_due_ = false, figures_due_ = true;
    flow_.start_over();
    const Stage::Chart chart = stage.chart_since(0);
    chart_next_ = chart.next;
    flash_next_ = stage.flashes_since(~std::uint64_t{0}).next;  // what was before is over
    const bool shares = role_ == Role::controller;
    return send_text(
        scene_text(stage.scene(), role_, chart,
                   shares ? hub_.links(hub_.access().view_token).front() : std::string{}));
  }
  if (!answer_.empty()) return send_text(std::exchange(answer_, {}));
  if (figures_due_) {
    figures_due_ = false;
    const Stage::Chart chart = stage.chart_since(chart_next_);
    chart_next_ = chart.next;
    const Stage::Flashes flashes = stage.flashes_since(flash_next_);
    flash_next_ = flashes.next;
    std::vector<std::string_view> colours;
    if (hub_.frame_ && hub_.frame_->points().scene == hub_.scene_) {
      colours = colours_for(hub_.frame_->points());
    }
    return send_text(
        figures_text(stage.figures(), hub_.viewer_count_, chart, flashes.places, colours));
  }
  if (charts_shape_ && shape_told_ != hub_.shape_number_ && hub_.shape_scene_ == hub_.scene_) {
    shape_told_ = hub_.shape_number_;
    return send_text(hub_.shape_text_);
  }
  send_part();
}

inline bool Server::Hub::Viewer::send_part() {
  if (!hub_.frame_) return false;
  EncodedFrame& frame = *hub_.frame_;
  colours_ = frame.colours(colour_by_);  // settles the range that the header tells
  FrameHeader header = frame.header(colour_by_);
  const auto now = Clock::now();
  const Flow::Part part = flow_.next(header.frame, frame.points().size(), hub_.interval(), now);
  if (part.count == 0) return false;
  if (!hub_.few_text_.empty() && few_frame_ != header.frame) {  // goes ahead of its frame
    few_frame_ = header.frame;
    send_text(hub_.few_text_);
    return true;
  }
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

inline void Server::Hub::Viewer::send_text(std::string text) {
  text_ = std::move(text);
  write(asio::buffer(text_), false);
}

template <class Buffers>
inline void Server::Hub::Viewer::write(const Buffers& buffers, bool binary) {
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
        stream_(std::move(socket)),
        among_strangers_(hub.strangers_.insert(hub.strangers_.end(), this)) {}
  ~Visit() { be_no_stranger(); }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  void start() { read(first_request_time); }
  Clock::duration here_for(Clock::time_point now) const { return now - since_; }
  void cut() {
    be_no_stranger();
    stream_.close();
  }

 private:
  void be_no_stranger() {
    if (among_strangers_) hub_.strangers_.erase(*among_strangers_);
    among_strangers_.reset();
  }

  // `time` for all of it: slow senders gain nothing by drops.
  void read(std::chrono::seconds time) {
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    stream_.expires_after(time);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

  void answer() {
    const HttpRequest& request = parser_->get();
    const Decision decision = decide(request_of(request), hub_.access());
    const bool known = decision.role != Role::none;
    if (known && among_strangers_) {
      be_no_stranger();
      hub_.stranger_rate_.showed_token();
    }
    if (decision.status == 101) {
      std::make_shared<Viewer>(hub_, counted_, std::move(stream_), decision.role)->start(request);
      return;
    }
    response_ = {};
    response_.version(request.version());
    response_.keep_alive(request.keep_alive() && decision.status == 200 && known);
    fill(decision);
    response_.prepare_payload();
    if (request.method() == http::verb::head) response_.body().clear();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (error || !self->response_.keep_alive()) return self->close();
                        self->read(idle_time);
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
  beast::flat_buffer buffer_{std::size_t{2} * most_header_bytes};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
  Clock::time_point since_ = Clock::now();
  std::optional<std::list<Visit*>::iterator> among_strangers_;
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

}  // namespace apsis::viewer
