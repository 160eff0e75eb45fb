// SPDX-License-Identifier: MIT
#include "serving.hpp"

#include "about.hpp"
#include "terminal.hpp"
#include <apsis/core/choices.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/viewer/page.hpp>
#include <apsis/viewer/qr_code.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

namespace apsis::cli {
namespace {

constexpr std::uint16_t usual_port = 8017;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// A token of one's own lets open pages go on after a restart of the program.
std::string token_from_environment() {
  std::string token = environment("APSIS_VIEW_TOKEN");
  if (token.empty() || viewer::usable_token(token)) return token;
  throw Error(ExitCode::wrong_usage,
              "APSIS_VIEW_TOKEN is too short or has other characters than letters, "
              "digits, - and _",
              "give at least 32 characters that nobody can guess");
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

bool can_open_browser() {
  const bool desktop = !environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty();
  return desktop && is_terminal(stdout) && find_program("xdg-open");
}

void open_in_browser(const std::string& file) {
  std::thread([file] {
    try {
      const std::vector<std::string> arguments = {"xdg-open", file};
      run_program(arguments);
    } catch (const Error&) {  // the link is printed
    }
  }).detach();
}

// The user's own folder for such things, or the one for everybody's.
std::filesystem::path folder_for_redirect() {
  const std::filesystem::path own = environment("XDG_RUNTIME_DIR");
  return !own.empty() && folder_exists(own) ? own : std::filesystem::temp_directory_path();
}

enum class QrChoice { automatic, on, off };

}  // namespace
}  // namespace apsis::cli

template <>
struct apsis::Choice<apsis::cli::QrChoice> {
  using Qr = apsis::cli::QrChoice;
  static constexpr const char* what = "value of --qr";
  static constexpr std::pair<Qr, std::string_view> values[] = {
      {Qr::automatic, "auto"}, {Qr::on, "on"}, {Qr::off, "off"}};
};

namespace apsis::cli {
namespace {

QrChoice qr_choice(const std::string& word) {
  try {
    return choice_from<QrChoice>(word);
  } catch (const Error& error) {
    throw Error(ExitCode::wrong_usage, error.what(), error.remedy());
  }
}

// Whether this terminal can show what a camera then reads.
bool terminal_has_blocks() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

void print_qr(const std::string& link, const ServingOptions& options) {
  const QrChoice choice = qr_choice(options.qr);
  if (choice == QrChoice::off) return;
  const bool asked = choice == QrChoice::on;
  if (!asked && (is_loopback(options.address) || !is_terminal(stdout) || !terminal_has_blocks())) {
    return;
  }
  const auto code = viewer::qr_code(link);
  if (!code || (!asked && viewer::qr_columns(*code) > columns(stdout))) return;
  fmt::print("{}", viewer::in_half_blocks(*code, has_colour(stdout)));
}

void print_links(const std::vector<std::string>& links, const ServingOptions& options) {
  for (const std::string& link : links) fmt::print("{}\n", link);
  print_qr(links.front(), options);
  std::fflush(stdout);
}

}  // namespace

Redirect::Redirect(const std::string& link) {
  std::string name = (folder_for_redirect() / "apsis-view-XXXXXX.html").string();
  const int file = ::mkostemps(name.data(), 5, O_CLOEXEC);  // for this user only
  if (file < 0) return;
  path_ = name;
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><title>Apsis</title>"
      "<meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0; url={0}\"><a href=\"{0}\">the live view</a>\n",
      link);
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  if (!written) remove();
}

void Redirect::remove() noexcept {
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

void add_serving_options(CLI::App& command, ServingOptions& options, CLI::Option* needs) {
  std::vector<CLI::Option*> added = {
      command
          .add_option("--bind", options.address,
                      "Address to serve the page at; others than this "
                      "machine's own reach it where that is not 127.0.0.1")
          ->type_name("ADDRESS")
          ->capture_default_str(),
      command
          .add_option(
              "--port", options.port,
              fmt::format("Port; 0: any (default: {}, or any where that is taken)", usual_port))
          ->type_name("PORT"),
      command.add_flag("--read-only", options.read_only, "The page may look and not control"),
      command
          .add_option("--qr", options.qr,
                      "The link as a QR code too: auto (with --bind, on a terminal), on, off")
          ->type_name("WHEN"),
      command.add_flag("--no-open", options.no_open, "Do not open a browser")};
  if (needs == nullptr) return;
  for (CLI::Option* option : added) option->needs(needs);
}

Serving::Serving(viewer::Stage& stage, const ServingOptions& options) {
  if (viewer::server_built_in() && !viewer::page_built_in()) {
    throw Error(
        ExitCode::unavailable, "this build of Apsis has no page for the live view",
        fmt::format("build it where npm is installed (apt-get install npm); `{}` needs none",
                    typed_command("render")));
  }
  if (qr_choice(options.qr) == QrChoice::on && !viewer::qr_built_in()) {
    throw Error(ExitCode::unavailable, "this build of Apsis makes no QR codes",
                "build it with libqrencode-dev, or leave out --qr");
  }
  viewer::ServerSettings settings;
  settings.address = options.address;
  settings.port = options.port.value_or(usual_port);
  settings.another_port = !options.port;
  settings.access.read_only = options.read_only;
  settings.access.control_token = token_from_environment();
  settings.licenses = std::string(licenses_text);
  std::array<char, 256> host{};
  if (!is_loopback(options.address) && ::gethostname(host.data(), host.size() - 1) == 0) {
    settings.access.host_names.emplace_back(host.data());
  }
  server_ = std::make_unique<viewer::Server>(stage, settings);
  if (!is_loopback(options.address)) {
    warn(
        "apsis: warning: the page is served at {}, so others on the network can reach it; whoever "
        "has "
        "the link can {} the run, and what passes can be read on the way. An SSH tunnel is safer: "
        "see "
        "docs/view.md",
        options.address, options.read_only ? "watch" : "control");
  }
  print_links(server_->links(), options);
  if (options.no_open || !can_open_browser()) return;
  redirect_ = std::make_unique<Redirect>(server_->link());
  if (!redirect_->path().empty()) open_in_browser(redirect_->path());
}

bool Serving::deserted() {
  constexpr std::chrono::seconds patience{5};  // a page that is reloaded comes back
  const auto now = std::chrono::steady_clock::now();
  if (server_->load().viewers > 0 || is_terminal(stderr)) last_seen_ = now;
  return now - last_seen_ > patience;
}

}  // namespace apsis::cli
