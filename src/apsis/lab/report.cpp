// SPDX-License-Identifier: MIT
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/html.hpp>
#include <apsis/lab/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace apsis::lab {
namespace {

// Large type and strong contrast: read from the last row of a lecture hall, and on paper.
constexpr std::string_view style = R"(
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; font: 18px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #14181d; background: #fff; }
header { background: #10263d; color: #fff; padding: 2rem max(4vw, 1rem); }
header p { margin: .3rem 0 0; color: #c9d8e8; font-size: 1.1rem; }
h1 { margin: 0; font-size: 2.2rem; line-height: 1.2; }
h2 { font-size: 1.5rem; margin: 2.2rem 0 .6rem; }
main { padding: 0 max(4vw, 1rem) 3rem; }
.top { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2.5rem; }
@media (min-width: 1100px) { .top { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
.seen { padding-left: 1.2rem; margin-top: 0; }
.seen li { margin: 0 0 .5rem; max-width: 75ch; }
tr.wrong td { color: #a03000; text-decoration: line-through; }
.warning { border-left: .4rem solid #d55e00; padding: .4rem 1rem; background: #fdf3ec; }
figure { margin: 1rem 0; }
img { width: 100%; height: auto; border: 1px solid #d5dbe1; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 1rem; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #d5dbe1; text-align: right; white-space: nowrap; }
th { background: #eef2f6; position: sticky; top: 0; }
th.word, td.word { text-align: left; }
tbody tr:nth-child(even) { background: #f7f9fb; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; font-size: .95rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
footer { color: #55606b; font-size: .9rem; padding: 1rem 0; }
@media print { header { background: #fff; color: #000; } header p { color: #333; } .scroll { overflow: visible; } }
)";

std::string base64(const std::vector<std::byte>& bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three =
          three * 256 + (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63U];
    }
  }
  return out;
}

std::string picture_html(const ReportPicture& picture) {
  if (picture.png.empty()) {
    return fmt::format("<p class=\"warning\">{}: {}</p>\n", escaped(picture.title),
                       escaped(picture.problem));
  }
  return fmt::format("<figure><img alt=\"{}\" src=\"data:image/png;base64,{}\"></figure>\n",
                     escaped(picture.title), base64(picture.png));
}

std::string table_html(const ResultTable& table) {
  std::string head, body, notes;
  for (const Column& column : table.columns()) {
    if (column.label.empty()) continue;
    head += fmt::format("<th{} title=\"{}\">{}</th>",
                        column.look == Look::text ? " class=\"word\"" : "", escaped(column.meaning),
                        escaped(column.label));
  }
  for (std::size_t number = 0; number < table.size(); ++number) {
    const auto& row = table.cells()[number];
    body += is_wrong(table.row(number)) ? "<tr class=\"wrong\" title=\"wrong\">" : "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const Column& column = table.columns()[c];
      if (column.label.empty()) continue;
      body += fmt::format("<td{}>{}</td>", column.look == Look::text ? " class=\"word\"" : "",
                          escaped(shown(row[c], column.look)));
    }
    body += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"scroll\"><table><caption>{}</caption>\n<thead><tr>{}</tr></thead>\n"
      "<tbody>\n{}</tbody></table></div>\n",
      escaped(table.title()), head, body);
}

}  // namespace

std::string report_html(const Lesson& lesson, const Results& results,
                        const std::vector<std::string>& findings,
                        const std::vector<ReportPicture>& pictures) {
  std::string seen, shown_pictures, tables, about;
  for (const std::string& sentence : findings)
    seen += fmt::format("<li>{}</li>\n", escaped(sentence));
  for (const std::string& notice : results.notices) {
    seen += fmt::format("<li class=\"warning\">{}</li>\n", escaped(notice));
  }
  for (const ReportPicture& picture : pictures) shown_pictures += picture_html(picture);
  for (const ResultTable& table : results.tables) {
    const bool printed = std::ranges::any_of(
        table.columns(), [](const Column& column) { return !column.label.empty(); });
    if (printed && table.size() > 0) tables += table_html(table);
  }
  for (const auto& [key, value] : results.about) {
    about += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(key), escaped(value));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
      "<header><h1>{0}</h1><p>{2}</p></header>\n<main>\n<div class=\"top\">\n<div>\n{4}</div>\n"
      "<div><h2>What was seen on this machine</h2>\n<ul class=\"seen\">\n{3}</ul></div>\n</div>\n"
      "<h2>Figures</h2>\n{5}<h2>Where and "
      "how</h2>\n<dl>\n{6}</dl>\n"
      "<footer>End-to-end times run from the request to results at rest; kernel times are the "
      "device's own clock over the same evaluations. Verdicts follow the former; ± is a standard "
      "deviation. The same figures with all digits are in "
      "results.csv and results.json beside this page.</footer>\n</main>\n</body>\n</html>\n",
      escaped(lesson.title), style, escaped(lesson.summary), seen, shown_pictures, tables, about);
}

}  // namespace apsis::lab
