// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/secret.hpp>
#include <apsis/viewer/access.hpp>
#include <apsis/viewer/limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace apsis::viewer {
namespace {

constexpr std::string_view token_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The value of name=value among pieces; the first one counts.
std::optional<std::string_view> named_value(std::string_view pieces, char separator,
                                            std::string_view name) {
  while (!pieces.empty()) {
    const auto end = std::min(pieces.find(separator), pieces.size());
    const std::string_view piece = trimmed(pieces.substr(0, end));
    if (piece.size() > name.size() && piece.starts_with(name) && piece[name.size()] == '=') {
      return piece.substr(name.size() + 1);
    }
    pieces.remove_prefix(std::min(end + 1, pieces.size()));
  }
  return std::nullopt;
}

bool all_of(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

struct HostAndPort {
  std::string_view name;
  bool valid = false;
};

HostAndPort split_host(std::string_view host) {
  std::size_t name_end = 0;
  if (host.starts_with('[')) {
    const auto close = host.find(']');
    if (close == std::string_view::npos) return {};
    name_end = close + 1;
  } else {
    name_end = std::min(host.find(':'), host.size());
  }
  const std::string_view rest = host.substr(name_end);
  if (!rest.empty() && (rest[0] != ':' || !all_of(rest.substr(1), "0123456789"))) return {};
  return {host.substr(0, name_end), name_end > 0};
}

// Four numbers, or an IPv6 address in brackets: no name server has a say in them.
bool is_address(std::string_view name) {
  if (name.starts_with('['))
    return all_of(name.substr(1, name.size() - 2), "0123456789abcdefABCDEF:.");
  return all_of(name, "0123456789.") && std::count(name.begin(), name.end(), '.') == 3;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(x) == lower(y);
  });
}

Decision refused(int status, const char* reason) {
  return {.status = status, .route = {}, .role = {}, .set_cookie = {}, .reason = reason};
}

}  // namespace

std::string new_token() {
  std::array<unsigned char, token_bytes> bytes{};
  fill_with_random(std::as_writable_bytes(std::span(bytes)));
  std::string token;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {  // base64url: three bytes are four letters
    const unsigned bits = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
    for (const int shift : {18, 12, 6, 0}) token += token_letters[bits >> shift & 63];
  }
  return token;
}

bool usable_token(std::string_view token) {
  return token.size() >= 32 && token.size() <= 128 && all_of(token, token_letters);
}

bool same_secret(std::string_view a, std::string_view b) {
  // over the length of what was sent, which is no secret
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned char>(a[i] ^ other);
  }
  return difference == 0 && !b.empty();
}

Role role_of(const Access& access, std::string_view token) {
  const bool controls = same_secret(token, access.control_token);
  const bool views = same_secret(token, access.view_token);
  if (controls && !access.read_only) return Role::controller;
  return controls || views ? Role::viewer : Role::none;
}

std::optional<std::string_view> cookie_value(std::string_view header, std::string_view name) {
  return named_value(header, ';', name);
}

std::optional<std::string_view> query_value(std::string_view target, std::string_view name) {
  const auto mark = target.find('?');
  if (mark == std::string_view::npos) return std::nullopt;
  return named_value(target.substr(mark + 1), '&', name);
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

bool host_allowed(std::string_view host, const Access& access) {
  const HostAndPort parts = split_host(host);
  if (!parts.valid) return false;
  if (same_name(parts.name, "localhost") || is_address(parts.name)) return true;
  return std::any_of(access.host_names.begin(), access.host_names.end(),
                     [&](const std::string& name) { return same_name(parts.name, name); });
}

bool origin_allowed(std::string_view origin, std::string_view host) {
  constexpr std::string_view scheme = "http://";
  return origin.starts_with(scheme) && !host.empty() &&
         same_name(origin.substr(scheme.size()), host);
}

Route route_of(std::string_view path) {
  if (path == "/") return Route::page;
  if (path == "/page.js") return Route::script;
  if (path == "/page.css") return Route::style;
  if (path == "/icon.svg") return Route::icon;
  if (path == "/licenses.txt") return Route::licenses;
  if (path == "/socket") return Route::socket;
  if (path == "/healthz") return Route::health;
  return Route::none;
}

Decision decide(const Request& request, const Access& access) {
  if (!host_allowed(request.host, access)) return refused(403, "this is not a name of this server");
  if (request.origin && !origin_allowed(*request.origin, request.host)) {
    return refused(403, "another site's page has no access");
  }
  const Route route = route_of(path_of(request.target));
  if (route == Route::health && !request.upgrade) {
    return {.status = 200, .route = route, .role = {}, .set_cookie = {}, .reason = ""};
  }
  Decision decision{.status = 200, .route = route, .role = {}, .set_cookie = {}, .reason = ""};
  if (const auto token = query_value(request.target, "token"); token && route == Route::page) {
    decision.role = role_of(access, *token);
    if (decision.role != Role::none) {
      decision.set_cookie =
          fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", access.cookie_name, *token);
    }
  } else if (request.cookie) {
    if (const auto value = cookie_value(*request.cookie, access.cookie_name)) {
      decision.role = role_of(access, *value);
    }
  }
  if (decision.role == Role::none) {
    return refused(403, "open the link that apsis printed: it carries the token");
  }
  if (route == Route::none) return refused(404, "there is nothing here");
  if (request.method != "GET" && request.method != "HEAD")
    return refused(405, "only GET works here");
  if (route == Route::socket) {
    if (!request.upgrade) return refused(426, "this is a WebSocket");
    // browsers always name the origin; what does not is no page of ours
    if (!request.origin) return refused(403, "a WebSocket must name its origin");
    decision.status = 101;
  } else if (request.upgrade) {
    return refused(404, "there is no WebSocket here");
  }
  return decision;
}

}  // namespace apsis::viewer
