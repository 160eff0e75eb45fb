// SPDX-License-Identifier: MIT
// Who may do what: pure functions of a request, so that every rule is tested without a socket.
// A token in the link is taken once and becomes a strict cookie; hosts must be this machine's own
// names (else another site could rebind its name to us), and origins must be ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsis::viewer {

enum class Role { none, viewer, controller };

struct Access {
  std::string view_token, control_token;
  std::string cookie_name = "apsis";
  bool read_only = false;               // nobody controls, whatever the token
  std::vector<std::string> host_names;  // besides localhost and addresses in numbers
};

// Random, from the kernel, in characters that need no escape in a link.
std::string new_token();
// Long enough to be a secret, of the characters that new_token uses.
bool usable_token(std::string_view token);

// Takes the same time wherever the two differ.
bool same_secret(std::string_view a, std::string_view b);
Role role_of(const Access& access, std::string_view token);

std::optional<std::string_view> cookie_value(std::string_view header, std::string_view name);
std::optional<std::string_view> query_value(std::string_view target, std::string_view name);
std::string_view path_of(std::string_view target);

// "127.0.0.1:8017", "localhost", "[::1]:8017": this machine by a name that nobody else can give.
bool host_allowed(std::string_view host, const Access& access);
// An Origin header must name the very host that was asked.
bool origin_allowed(std::string_view origin, std::string_view host);

enum class Route { page, script, style, icon, licenses, socket, health, none };
Route route_of(std::string_view path);

struct Request {
  std::string_view method = "GET", target = "/", host;
  std::optional<std::string_view> origin, cookie;
  bool upgrade = false;  // asks for a WebSocket
};

struct Decision {
  int status = 403;  // 200: serve `route`; 101: open the socket
  Route route = Route::none;
  Role role = Role::none;
  std::string set_cookie;  // header value where the token came with the link; else empty
  const char* reason = "";
};

Decision decide(const Request& request, const Access& access);

}  // namespace apsis::viewer
