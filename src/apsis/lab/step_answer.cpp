// SPDX-License-Identifier: MIT
// Trials in a process of their own: tasks and answers as JSON, and what it means when none comes.
#include <apsis/core/error.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/lab/recorder.hpp>
#include <apsis/lab/step_trial.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <string_view>

namespace apsis::lab {
namespace {

using Json = nlohmann::ordered_json;

// Before every line that is ours: a kernel may print, too.
constexpr std::string_view mark = "\n@apsis-step ";

Json json_of(const StepTask& task) {
  Json json{{"file", task.file},      {"kernel", task.kernel}, {"device", task.device},
            {"bodies", task.bodies},  {"group", task.group},   {"warmup", task.warmup},
            {"seconds", task.seconds}};
  if (task.steps) json["steps"] = *task.steps;
  return json;
}

StepTask task_of(const Json& json) {
  StepTask task{.file = json.at("file"),
                .kernel = json.at("kernel"),
                .device = json.at("device"),
                .bodies = json.at("bodies").get<std::vector<std::uint64_t>>(),
                .group = json.at("group")};
  task.warmup = json.at("warmup");
  task.seconds = json.at("seconds");
  if (json.contains("steps")) task.steps = json.at("steps").get<std::int64_t>();
  return task;
}

Json json_of(const StepVerdict& verdict) {
  const StepJudgement& j = verdict.judgement;
  Json json{
      {"bodies", verdict.bodies},   {"group", verdict.group},   {"right", j.right},
      {"scheme", j.scheme},         {"softening", j.softening}, {"squared", j.softening_is_squared},
      {"under_root", j.under_root}, {"cause", j.cause},         {"steps", verdict.steps}};
  if (std::isfinite(j.error)) json["error"] = j.error;  // JSON has no infinity
  if (j.first_wrong) json["first_wrong"] = *j.first_wrong;
  if (verdict.drift) json["drift"] = *verdict.drift;
  return json;
}

StepVerdict verdict_of(const Json& json) {
  StepVerdict verdict{.bodies = json.at("bodies"), .group = json.at("group")};
  StepJudgement& j = verdict.judgement;
  j.right = json.at("right"), j.scheme = json.at("scheme"), j.softening = json.at("softening");
  j.softening_is_squared = json.at("squared"), j.under_root = json.at("under_root");
  j.cause = json.at("cause"), verdict.steps = json.at("steps");
  j.error = json.value("error", double{INFINITY});
  if (json.contains("first_wrong")) j.first_wrong = json.at("first_wrong").get<std::size_t>();
  if (json.contains("drift")) verdict.drift = json.at("drift").get<double>();
  return verdict;
}

Json json_of(const StepTiming& timing) {
  return {{"bodies", timing.bodies},         {"group", timing.group},
          {"steps", timing.steps},           {"whole", timing.whole.seconds},
          {"kernel", timing.kernel.seconds}, {"waited", timing.waited}};
}

StepTiming timing_of(const Json& json) {
  StepTiming timing{.bodies = json.at("bodies"), .group = json.at("group")};
  timing.steps = json.at("steps"), timing.waited = json.at("waited");
  timing.whole.seconds = json.at("whole").get<std::vector<double>>();
  timing.kernel.seconds = json.at("kernel").get<std::vector<double>>();
  return timing;
}

Json json_of(const StepReport& report) {
  Json forms = Json::array(), verdicts = Json::array(), timings = Json::array();
  for (const auto& form : report.forms) {
    forms.push_back({{"kernel", form.kernel}, {"words", form.words}});
  }
  for (const auto& verdict : report.verdicts) verdicts.push_back(json_of(verdict));
  for (const auto& timing : report.timings) timings.push_back(json_of(timing));
  return {{"forms", forms},
          {"left_out", report.left_out},
          {"verdicts", verdicts},
          {"timings", timings}};
}

StepReport report_of(const Json& json) {
  StepReport report;
  for (const Json& form : json.at("forms")) {
    report.forms.push_back({form.at("kernel"), form.at("words")});
  }
  report.left_out = json.at("left_out").get<std::vector<std::string>>();
  for (const Json& verdict : json.at("verdicts")) report.verdicts.push_back(verdict_of(verdict));
  for (const Json& timing : json.at("timings")) report.timings.push_back(timing_of(timing));
  return report;
}

std::string line_of(const Json& json) {
  return std::string(mark) + json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What the process said, as far as it came.
struct Heard {
  std::optional<StepReport> report;
  std::optional<Error> error;
  std::string about_to, printed;
};

Heard heard_in(const std::string& output) {
  Heard heard;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t begin = std::min(output.find(mark, at), output.size());
    heard.printed += output.substr(at, begin - at);
    if (begin == output.size()) break;
    const std::size_t end = std::min(output.find('\n', begin + mark.size()), output.size());
    const Json json =
        Json::parse(output.substr(begin + mark.size(), end - begin - mark.size()), nullptr, false);
    at = end + 1;
    if (!json.is_object()) continue;
    if (json.contains("about_to")) heard.about_to = json.at("about_to");
    if (json.contains("report")) heard.report = report_of(json.at("report"));
    if (json.contains("error")) {
      const Json& error = json.at("error");
      heard.error = Error(static_cast<ExitCode>(error.at("code").get<int>()),
                          error.at("what").get<std::string>(), error.at("remedy"));
    }
  }
  return heard;
}

std::string name_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "a segmentation fault: it reads or writes where nothing is";
    case SIGFPE:
      return "a division of whole numbers by zero";
    case SIGABRT:
      return "an abort, of the driver or of memory that it wrote over";
    default:
      return fmt::format("signal {}", signal);
  }
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

StepVerdict without_end(const StepTask& task, const Heard& heard, const ProgramResult& result,
                        double limit) {
  StepVerdict verdict{.bodies = task.bodies.empty() ? 0 : task.bodies.back(), .group = task.group};
  verdict.judgement.error = INFINITY;
  // the row has the number of bodies; what else there is to say is that it was the compiler
  const std::string where = task.bodies.size() == 1 ? "" : " " + heard.about_to;
  if (result.out_of_time) {
    verdict.judgement.cause = fmt::format(
        "it did not come to its end within {:g} s{}: a loop without an end, a barrier "
        "that not all reach, or more work than --time-limit allows",
        limit, where);
  } else if (result.exit_status > 128) {
    verdict.judgement.cause = fmt::format("it ended its process{} with {}", where,
                                          name_of_signal(result.exit_status - 128));
  } else {
    verdict.judgement.cause = fmt::format("its process ended without an answer{} (status {}: {})",
                                          where, result.exit_status, last_line(result.errors));
  }
  return verdict;
}

}  // namespace

void answer_task(const std::string& task, const std::function<void(const std::string&)>& say) {
  try {
    const StepTask read = task_of(Json::parse(task));
    const StepReport report = perform(read, [&](const std::string& what) {
      say(line_of({{"about_to", what}}));
    });
    say(line_of({{"report", json_of(report)}}));
  } catch (const Error& error) {
    say(line_of({{"error",
                  {{"code", static_cast<int>(error.code())},
                   {"what", error.what()},
                   {"remedy", error.remedy()}}}}));
  } catch (const nlohmann::json::exception& error) {
    throw bad_data(fmt::format("this is no task of a trial: {}", error.what()),
                   "this command is for 'apsis lab your-own' alone");
  }
}

StepReport perform_apart(const StepTask& task, const Apart& apart) {
  const ProgramResult result = run_program(apart.program, json_of(task).dump(),
                                           {.seconds = apart.time_limit, .stopped = apart.stopped});
  if (!result.out_of_time && apart.stopped && apart.stopped()) throw StopRequested{};
  Heard heard = heard_in(result.output);
  if (heard.error) throw Error(*heard.error);
  StepReport report;
  if (heard.report) {
    report = *heard.report;
  } else {
    report.verdicts.push_back(without_end(task, heard, result, apart.time_limit));
  }
  report.printed = heard.printed;
  return report;
}

}  // namespace apsis::lab
