// SPDX-License-Identifier: MIT
// In place of server.cpp where Boost was not found.
#include <apsis/core/error.hpp>
#include <apsis/viewer/server.hpp>

namespace apsis::viewer {

class Server::Hub {};

Server::Server(Stage& /*stage*/, const ServerSettings& /*settings*/) {
  throw Error(ExitCode::unavailable, "this build has no live view",
              "build it with Boost (libboost-dev)");
}
Server::~Server() = default;
std::uint16_t Server::port() const { return 0; }
std::vector<std::string> Server::links() const { return {}; }
Server::Load Server::load() const { return {}; }
bool server_built_in() { return false; }

}  // namespace apsis::viewer
