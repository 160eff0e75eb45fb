// SPDX-License-Identifier: MIT
// The live view's server: one thread, HTTP for the page and WebSockets for what it shows.
#pragma once

#include <apsis/viewer/access.hpp>
#include <apsis/viewer/stage.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apsis::viewer {

struct ServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;     // 0: any that is free
  bool another_port = false;  // where that one is taken
  Access access;              // tokens are made where they are empty
  std::string licenses;       // for the page's About
};

class Server {
 public:
  // Listens and serves from now on. unavailable where the address or port can't be had.
  Server(Stage& stage, const ServerSettings& settings);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  std::uint16_t port() const;
  // With the token that controls, or that of viewers where read-only. Where it listens at every
  // address one for each that other machines can use, the likeliest first.
  std::vector<std::string> links() const;
  std::string link() const { return links().front(); }
  struct Load {
    std::size_t viewers = 0;
    std::uint64_t bytes_sent = 0, frames_sent = 0;
    double cpu_seconds = 0;  // of the server's thread
  };
  Load load() const;

 private:
  class Hub;
  std::unique_ptr<Hub> hub_;
};

// Whether this build has the server; it needs Boost.
bool server_built_in();

}  // namespace apsis::viewer
