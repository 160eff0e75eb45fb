// SPDX-License-Identifier: MIT
#include <apsis/viewer/server_connections.hpp>

#include <sys/resource.h>

#include <filesystem>

namespace apsis::viewer {
namespace {

// What this process may open beyond what it has open and what its run may need.
std::size_t connections_that_fit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return most_connections;
  }
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error), end;
  const auto taken = error ? 0 : static_cast<std::size_t>(std::distance(open, end));
  const std::size_t kept = taken + descriptors_for_the_run;
  const std::size_t free = limit.rlim_cur > kept ? limit.rlim_cur - kept : 0;
  return std::clamp(free, fewest_connections, most_connections);
}

}  // namespace

// --- the hub -------------------------------------------------------------------------------------

Server::Hub::Hub(Stage& stage, const ServerSettings& settings)
    : stage_(stage), settings_(settings) {
  Access& access = settings_.access;
  if (access.control_token.empty()) access.control_token = new_token();
  if (access.view_token.empty()) access.view_token = new_token();
  listen();
  most_connections_ = connections_that_fit();
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
    // "::" stands for all addresses, those of IPv4 among them
    if (!error && address.is_v6() && address.is_unspecified()) {
      acceptor_.set_option(asio::ip::v6_only(false), error);
    }
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

std::vector<std::string> Server::Hub::links(std::string_view token) const {
  std::vector<std::string> links = hosts_of(acceptor_.local_endpoint().address().to_string());
  for (std::string& link : links) link = fmt::format("http://{}:{}/?token={}", link, port_, token);
  return links;
}

void Server::Hub::accept() {
  acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {  // out of descriptors: wait for some to come back instead of spinning
      accept_after(std::chrono::milliseconds(100));
      return;
    }
    stranger_rate_.came(Clock::now());
    take_in(std::move(socket));
    accept_after(stranger_rate_.wait());
  });
}

void Server::Hub::accept_after(std::chrono::duration<double> pause) {
  if (pause.count() <= 0) return accept();
  auto timer =
      std::make_shared<asio::steady_timer>(io_, std::chrono::duration_cast<Clock::duration>(pause));
  timer->async_wait([this, timer](beast::error_code) { accept(); });
}

// Those without a token never keep one with a token out for longer than a moment.
void Server::Hub::take_in(tcp::socket socket) {
  if (connections_ >= most_connections_ && !strangers_.empty() &&
      strangers_.front()->here_for(Clock::now()) > stranger_stays) {
    strangers_.front()->cut();
    std::make_shared<Visit>(*this, std::move(socket))->start();
  } else if (connections_ < most_connections_) {
    std::make_shared<Visit>(*this, std::move(socket))->start();
  } else if (refusals_ < most_connections_ / 4) {
    std::make_shared<Refusal>(*this, std::move(socket))->start();
  }
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
  return frame_ ? std::min<std::size_t>(most, std::max<std::size_t>(1, frame_->points().listed))
                : most;
}

void Server::Hub::adapt() {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - adapted_).count();
  if (seconds < 1) return;
  const double cpu = cpu_seconds_;
  rate_.adapt((cpu - adapted_cpu_) / seconds);
  adapted_ = now, adapted_cpu_ = cpu;
}

void Server::Hub::take_newest() {
  auto points = stage_.newest();
  if (!points) return;
  auto next = std::make_unique<EncodedFrame>(next_frame_++, std::move(*points), frame_.get());
  if (frame_) stage_.recycle(frame_->release());
  frame_ = std::move(next);
  describe_few();
}

// Orbits change slowly, and are the larger part of the work.
void Server::Hub::describe_few() {
  few_text_.clear();
  const Points& points = frame_->points();
  if (points.few.empty()) return;
  const auto now = Clock::now();
  const bool stale = now - orbits_found_ > std::chrono::milliseconds(200);
  if (stale || orbits_scene_ != points.scene || few_count_ != points.few.size()) {
    const Scene scene = stage_.scene();
    orbits_ = nested_orbits(points.few, scene.number == points.scene ? scene.gravity : 0,
                            scene.softening);
    orbits_found_ = now, orbits_scene_ = points.scene, few_count_ = points.few.size();
  }
  few_text_ = few_text(frame_->header({}).frame, points, orbits_);
}

// For those alone who show it, and so seldom that it is a small part of the server's share.
void Server::Hub::describe_shape() {
  if (!frame_) return;
  const Points& points = frame_->points();
  const auto now = Clock::now();
  const bool wanted =
      std::ranges::any_of(viewers_, [](const Viewer* viewer) { return viewer->charts_shape(); });
  const bool known = shape_scene_ == points.scene && shape_step_ == points.step;
  if (!wanted || known || now - shape_found_ < shape_pause) return;
  shape_text_ = shape_text(shape_of(points));
  shape_scene_ = points.scene, shape_step_ = points.step, shape_found_ = now;
  ++shape_number_;
}

// While things move as many points as the pages can use at once; at rest all that they can draw.
void Server::Hub::ask_for_frame() {
  const Figures figures = stage_.figures();
  const bool moving = figures.state == State::running;
  std::size_t wanted = shared_points();
  if (!moving) {
    for (const Viewer* viewer : viewers_) wanted = std::max(wanted, viewer->flow().capacity());
  }
  // one frame is made for all pages, so only a page that is alone gets more of what it looks at
  const Region region = viewers_.size() == 1 ? (*viewers_.begin())->region() : Region{};
  const bool current =
      frame_ && frame_->points().step == figures.step && frame_->points().scene == scene_;
  const bool complete = current && frame_->points().region == region &&
                        frame_->points().asked >= std::min(wanted, frame_->points().listed);
  stage_.want_frame(moving || !complete ? wanted : 0, region);
}

void Server::Hub::tick() {
  cpu_seconds_ = thread_seconds();
  adapt();
  double seconds = 0.1;
  if (viewers_.empty()) {
    stage_.want_frame(0);
  } else {
    take_newest();
    describe_shape();
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

std::vector<std::string> Server::links() const {
  const Access& access = hub_->access();
  return hub_->links(access.read_only ? access.view_token : access.control_token);
}

Server::Load Server::load() const { return hub_->load(); }

bool server_built_in() { return true; }

}  // namespace apsis::viewer
