// SPDX-License-Identifier: MIT
// The chart of an analysis, from the table that it made and the state that it looked at.
#pragma once

#include <apsis/analysis/tables.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/analysis_charts.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

struct PlotSource {
  ChartSubject subject;
  analysis::TableChoice choice;
  std::optional<Snapshot> state;                // where there is only one
  std::optional<analysis::FoundGroups> groups;  // of `groups`
  std::optional<analysis::BoundPart> bound;     // of `bound`, of the last state

  // One more state, in the order of time; kept where it is the only one.
  void add(Snapshot one, bool only);
};

// `rows` are those of `analysis`, under its columns: of a run one for each state, else those of the
// one state.
Chart analysis_chart(const analysis::Analysis& analysis, const PlotSource& source,
                     std::span<const analysis::Row> rows);

}  // namespace apsis
