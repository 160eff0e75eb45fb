// SPDX-License-Identifier: MIT
#include <apsis/lab/class_ranking.hpp>
#include <apsis/lab/html.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>

namespace apsis::lab {
namespace {

// Light and dark as the reader's system says; on a phone each row is a card.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ink: #14181d; --paper: #fff; --soft: #55606b; --line: #d5dbe1;
  --band: #f4f7fa; --head: #10263d; --bar: #bcd7f0; --first: #0a6b3d; --wrong: #a03000; --wash: #fdf3ec; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --paper: #11161c; --soft: #9aa7b4;
  --line: #2e3844; --band: #1a212a; --head: #0c1a2a; --bar: #27496b; --first: #5fd39a; --wrong: #ff9c6b;
  --wash: #2a1c14; } }
* { box-sizing: border-box; }
body { margin: 0; font: 17px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink); background: var(--paper); }
header { background: var(--head); color: #fff; padding: 1.6rem max(4vw, 1rem); }
header p { margin: .3rem 0 0; color: #c9d8e8; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { font-size: 1.5rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1.1rem; margin: 1.4rem 0 .4rem; overflow-wrap: anywhere; }
main { padding: 0 max(4vw, 1rem) 3rem; max-width: 90rem; }
nav { margin: 1rem 0; display: flex; flex-wrap: wrap; gap: .4rem 1rem; }
a { color: inherit; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th { background: var(--band); font-weight: 600; }
th.word, td.word { text-align: left; overflow-wrap: anywhere; }
td.number { white-space: nowrap; }
td.word { min-width: 6rem; }
td small { display: block; color: var(--soft); font-weight: 400; }
tr.first td.who, tr.first td.place { color: var(--first); font-weight: 700; }
td.value { background: linear-gradient(var(--bar), var(--bar)) no-repeat left / var(--share, 0) 100%; }
.wrong { border-left: .4rem solid var(--wrong); background: var(--wash); padding: .5rem 1rem; margin: .6rem 0; }
.wrong h4 { margin: 0; color: var(--wrong); }
.wrong ul { margin: .3rem 0 0; padding-left: 1.2rem; }
.wrong li { overflow-wrap: anywhere; }
.wrong s { color: var(--soft); }
footer { color: var(--soft); font-size: .9rem; padding: 1.5rem 0; max-width: 75ch; }
@media (max-width: 720px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; padding: .3rem 0; }
  td, td.word, td.number { border: 0; display: flex; white-space: normal; overflow-wrap: anywhere; justify-content: space-between; gap: 1rem; text-align: right; padding: .15rem .7rem; }
  td::before { content: attr(data-label); color: var(--soft); text-align: left; flex: none; }
  td.empty { display: none; }
}
@media print { header { background: #fff; color: #000; } header p { color: #333; } }
)";

struct Head {
  std::string label;
  bool word = false;
};

std::string cell(const Head& head, const std::string& html, const std::string& more = {}) {
  return fmt::format("<td class=\"{}{}{}\" data-label=\"{}\"{}><span>{}</span></td>",
                     head.word ? "word" : "number", html.empty() ? " empty" : "",
                     head.label == "who"     ? " who"
                     : head.label == "place" ? " place"
                     : more.empty()          ? ""
                                             : " value",
                     escaped(head.label), more, html);
}

std::string table_of(const std::vector<Head>& heads, const std::string& body) {
  std::string head;
  for (const Head& one : heads) {
    head += fmt::format("<th{}>{}</th>", one.word ? " class=\"word\"" : "", escaped(one.label));
  }
  return fmt::format("<table><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table>\n", head,
                     body);
}

std::string with_note(const std::string& text, const std::string& note) {
  return escaped(text) +
         (note.empty() || note == text ? "" : fmt::format("<small>{}</small>", escaped(note)));
}

std::string value_of(const ClassGroup& group, const ClassRow& row) {
  const bool steps = group.value_label == "steps/s";
  return shown(row.value ? Cell(*row.value) : Cell(), steps                         ? Look::rate
                                                      : group.value_label == "time" ? Look::seconds
                                                                                    : Look::error);
}

std::string row_html(const ClassGroup& group, const ClassRow& row) {
  const bool timed = group.value_label == "time";
  std::string value = value_of(group, row);
  if (timed && row.seconds_deviation) {
    value += " ± " + shown(Cell(*row.seconds_deviation), Look::seconds);
  }
  std::string html = fmt::format("<tr{}>", row.place == 1 ? " class=\"first\"" : "");
  html += cell({"place"}, fmt::format("{}", row.place));
  html += cell({"who", true}, with_note(row.who, row.file));
  html += cell({"device", true}, with_note(row.device, row.machine));
  html += cell({"what", true}, escaped(row.variant));
  html += cell({group.value_label}, escaped(value),
               fmt::format(" style=\"--share:{:.1f}%\"", 100 * row.share));
  if (!timed) html += cell({"time"}, row.seconds ? shown(Cell(*row.seconds), Look::seconds) : "");
  if (!group.rate_label.empty()) {
    html += cell({group.rate_label}, row.rate ? shown(Cell(*row.rate), Look::rate) : "");
  }
  if (!group.error_label.empty()) {
    html += cell({group.error_label}, row.error ? shown(Cell(*row.error), Look::error) : "");
  }
  return html + cell({"against the first"}, escaped(row.against_first)) + "</tr>\n";
}

std::string disqualified_html(const ClassGroup& group) {
  if (group.disqualified.empty()) return {};
  std::string items;
  for (const ClassRow& row : group.disqualified) {
    const std::string value = value_of(group, row);
    items +=
        fmt::format("<li><b>{}</b>, {}{}: {}{} <small>{}</small></li>\n", escaped(row.who),
                    escaped(row.device), row.variant.empty() ? "" : ", " + escaped(row.variant),
                    value.empty() ? "" : fmt::format("<s>{}</s> ", escaped(value)),
                    escaped(row.fault), escaped(row.file));
  }
  return fmt::format("<div class=\"wrong\"><h4>Disqualified</h4><ul>\n{}</ul></div>\n", items);
}

std::string group_html(const ClassGroup& group) {
  std::vector<Head> heads{{"place"}, {"who", true}, {"device", true}, {"what", true}};
  heads.push_back({group.value_label});
  if (group.value_label != "time") heads.push_back({"time"});
  if (!group.rate_label.empty()) heads.push_back({group.rate_label});
  if (!group.error_label.empty()) heads.push_back({group.error_label});
  heads.push_back({"against the first"});
  std::string body;
  for (const ClassRow& row : group.ranked) body += row_html(group, row);
  return fmt::format(
      "<h3>{}</h3>\n{}{}", escaped(group.title),
      group.ranked.empty() ? "<p>Nobody has a row that counts.</p>\n" : table_of(heads, body),
      disqualified_html(group));
}

std::string people_html(const ClassRanking& ranking) {
  const Head who{"who", true}, files{"files"}, groups{"rankings"}, firsts{"first places"},
      wrong{"rows disqualified"};
  std::string body;
  for (const ClassPerson& person : ranking.people) {
    body += "<tr>" + cell(who, escaped(person.who)) + cell(files, fmt::format("{}", person.files)) +
            cell(groups, fmt::format("{}", person.groups)) +
            cell(firsts, fmt::format("{}", person.firsts)) +
            cell(wrong, fmt::format("{}", person.disqualified)) + "</tr>\n";
  }
  return table_of({who, files, groups, firsts, wrong}, body);
}

std::string left_out_html(const ClassRanking& ranking) {
  if (ranking.left_out.empty()) return {};
  std::string items;
  for (const LeftOutFile& file : ranking.left_out) {
    items += fmt::format("<li>{}</li>\n", escaped(file.reason));
  }
  return fmt::format("<div class=\"wrong\"><h4>Files left out</h4><ul>\n{}</ul></div>\n", items);
}

nlohmann::ordered_json json_of(const ClassRow& row) {
  const auto number = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? nlohmann::ordered_json(*value) : nullptr;
  };
  return {{"place", row.place > 0 ? nlohmann::ordered_json(row.place) : nullptr},
          {"who", row.who},
          {"file", row.file},
          {"device", row.device},
          {"machine", row.machine},
          {"variant", row.variant},
          {"value", number(row.value)},
          {"seconds", number(row.seconds)},
          {"seconds_deviation", number(row.seconds_deviation)},
          {"rate", number(row.rate)},
          {"error", number(row.error)},
          {"against_first", row.against_first},
          {"busy", row.busy},
          {"fault", row.fault}};
}

}  // namespace

std::string class_page(const ClassRanking& ranking) {
  std::string lessons, links, notes;
  const std::string* last = nullptr;
  for (const ClassGroup& group : ranking.groups) {
    if (last == nullptr || *last != group.lesson) {
      lessons += fmt::format("<h2 id=\"{0}\">{0}</h2>\n", escaped(group.lesson));
      links += fmt::format("<a href=\"#{0}\">{0}</a>\n", escaped(group.lesson));
    }
    last = &group.lesson;
    lessons += group_html(group);
  }
  for (const std::string& note : ranking.notes) notes += fmt::format("<p>{}</p>\n", escaped(note));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>Results of the class</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<header><h1>Results of the class</h1><p>{} {}, {} {}</p></header>\n<main>\n<nav>\n{}</nav>\n"
      "{}<h2>People</h2>\n{}{}{}<footer>Rows stand beside each other only where lesson, version, "
      "number of bodies, precision, solver and kind of device are the same. Each person has one "
      "row for each device, the best that is right. Rates count 20 operations a pair, from the "
      "row's own time. What differs by less than its times spread cannot be told apart, whatever "
      "its place. Figures come from people's own files, which anybody can edit: they are checked "
      "against each other, and prove nothing.</footer>\n</main>\n</body>\n</html>\n",
      style, ranking.people.size(), ranking.people.size() == 1 ? "person" : "people",
      ranking.groups.size(), ranking.groups.size() == 1 ? "ranking" : "rankings", links,
      left_out_html(ranking), people_html(ranking), notes, lessons);
}

std::string to_json(const ClassRanking& ranking) {
  using Json = nlohmann::ordered_json;
  Json groups = Json::array(), people = Json::array(), left_out = Json::array();
  for (const ClassGroup& group : ranking.groups) {
    Json ranked = Json::array(), disqualified = Json::array();
    for (const ClassRow& row : group.ranked) ranked.push_back(json_of(row));
    for (const ClassRow& row : group.disqualified) disqualified.push_back(json_of(row));
    groups.push_back({{"lesson", group.lesson},
                      {"title", group.title},
                      {"by", group.value_label},
                      {"ranked", ranked},
                      {"disqualified", disqualified}});
  }
  for (const ClassPerson& person : ranking.people) {
    people.push_back({{"who", person.who},
                      {"files", person.files},
                      {"rankings", person.groups},
                      {"first_places", person.firsts},
                      {"disqualified", person.disqualified}});
  }
  for (const LeftOutFile& file : ranking.left_out) {
    left_out.push_back({{"file", file.file}, {"reason", file.reason}});
  }
  const Json json{
      {"groups", groups}, {"people", people}, {"notes", ranking.notes}, {"left_out", left_out}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace apsis::lab
