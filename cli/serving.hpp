// SPDX-License-Identifier: MIT
// The live view's server as `view` and `run --view` start it: options, link, browser.
#pragma once

#include <apsis/viewer/server.hpp>
#include <apsis/viewer/stage.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace apsis::cli {

struct ServingOptions {
  std::string address = "127.0.0.1";
  std::optional<std::uint16_t> port;
  bool read_only = false, no_open = false;
  std::string qr = "auto";
};

// `needs`: an option without which these make no sense; may be null.
void add_serving_options(CLI::App& command, ServingOptions& options, CLI::Option* needs = nullptr);

// A file that only this user can read and that sends a browser on to the link. As an argument of
// the program that opens it, the link with its token would be seen by everybody in the list of
// processes.
class Redirect {
 public:
  explicit Redirect(const std::string& link);
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;
  ~Redirect() { remove(); }

  const std::string& path() const { return path_; }  // empty where it could not be written

 private:
  void remove() noexcept;
  std::string path_;
};

class Serving {
 public:
  // Prints the links on stdout, one a line, the first one also as a QR code; opens the browser
  // where there is one, and warns where others could reach the page.
  Serving(viewer::Stage& stage, const ServingOptions& options);

  // Whether nobody has looked for some seconds, and nobody sits at a terminal to end it.
  bool deserted();

 private:
  std::unique_ptr<viewer::Server> server_;
  std::unique_ptr<Redirect> redirect_;
  std::chrono::steady_clock::time_point last_seen_ = std::chrono::steady_clock::now();
};

}  // namespace apsis::cli
