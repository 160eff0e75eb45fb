// SPDX-License-Identifier: MIT
// Any text is a message or refused as bad data, with numbers in range; and no request, whatever its
// parts hold, gets a role without one of the tokens.
#include <apsis/core/error.hpp>
#include <apsis/viewer/access.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/messages.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace {

using namespace apsis;
using namespace apsis::viewer;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Command& command) {
  require(std::isfinite(command.number) && command.name.size() <= 64);
}
void check(const Closer& closer) {
  require(closer.region.radius >= 0 && std::isfinite(closer.region.radius));
}
void check(const Capacity& capacity) {
  require(capacity.points >= fewest_points && capacity.points <= most_points);
}
template <typename Other>
void check(const Other&) {}

void say(std::string_view text) {
  try {
    std::visit([](const auto& message) { check(message); }, parse_message(text));
  } catch (const Error& error) {
    require(error.code() == ExitCode::bad_data);
  }
}

void ask(std::string_view text) {
  static const Access access{.view_token = "a-token-for-those-who-look",
                             .control_token = "a-token-for-the-one-who-acts"};
  const bool knows = text.find(access.view_token) != std::string_view::npos ||
                     text.find(access.control_token) != std::string_view::npos;
  for (const bool upgrade : {false, true}) {
    for (const Request& request :
         {Request{.target = text, .host = "localhost:8017"},
          Request{.target = "/", .host = "localhost:8017", .cookie = text},
          Request{.target = "/", .host = text, .origin = text, .cookie = text}}) {
      Request asked = request;
      asked.upgrade = upgrade;
      require(knows || decide(asked, access).role == Role::none);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  say(text);
  ask(text);
  return 0;
}
