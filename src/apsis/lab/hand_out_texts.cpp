// SPDX-License-Identifier: MIT
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/far_field_box.hpp>
#include <apsis/lab/hand_out_texts.hpp>

#include <fmt/format.h>

namespace apsis::lab {
namespace {

// Sums of a float with itself over 320,000 points are off by less than a tenth of the first: what
// fails is wrong. A body that a float puts into the next bin sees others from afar: a few of all,
// and none by more than the last.
constexpr double for_all_pairs = 1e-3, for_most_by_bins = 1e-3, for_all_by_bins = 0.05;
constexpr const char* most = "99.9";

constexpr const char* readme = R"(# Far field by bins

{points} points of mass 1 lie in the box [0, {side:g}]³. Compute the acceleration of each, first by all pairs, then faster.

## The law

Point *i* at *x_i* is pulled by every other one,

    a_i = Σ_j  G m_j (x_j - x_i) / (|x_j - x_i|² + ε²)^(3/2)

with G = 1, every m_j = 1 and softening ε = {softening:g} (so {softening_squared:g} is added to the square of the distance). A point that pulls itself adds nothing: its distance is 0.

## The task

1. **All pairs.** Compute a_i for all points. That is the slow way that the other is held against.
2. **By bins.** Cut the box into {bins}³ cubes of equal size. For a point, the cube that it is in and the up to 26 that touch it are *near*: sum the points in them one by one. Every other cube acts as one
   body at the centre of mass of its points, with their mass. A cube without points acts not at all, and a near one must not act twice.
3. Compare: how much time does the second way save at each number of points, and how far are its forces off the exact ones?

Parts that can be written and tested one by one: the centre of mass and the number of points of each cube; the contents of all cubes in one array; the forces.

## Files

| file | holds |
|---|---|
| `points-N.csv` | N points: `id,x,y,z,m`, in a header row and then one row a point. Places are numbers that a float holds, so that programs in float and in double compute the same |
| `direct-N.csv` | what part 1 must give: `id,ax,ay,az`, in double (lines that start with `#` are comments) |
| `bins-N.csv` | what part 2 must give: the same by {bins}³ cubes, in double |
| `check.sh` | says whether a file of yours is right |

N is {sizes}. The points are `bins-box` of Apsis with seed {seed}; `{command}` writes these files again.

## What to hand in

A file of accelerations, in one of these forms:

- with a header row, `id,ax,ay,az` (rows in any order) or `ax,ay,az` (rows as in `points-N.csv`);
- three numbers a row, with commas or spaces between them and no header, rows as in `points-N.csv`;
- rows `(x,y,z,m) (ax,ay,az)`, as in `points-N.csv`.

Write at least seven digits (`%.9g`).

## Checking

    sh check.sh direct mine.csv {smallest}
    sh check.sh bins mine.csv {smallest}

`PASS` and exit code 0, or `FAIL` with the body that is furthest off, its numbers and the right ones, and another exit code. It needs `apsis` in the path, or `APSIS=/path/to/apsis`. By itself it calls

    apsis compare direct-{smallest}.csv mine.csv --only acceleration --tolerance {all_pairs:g}
    apsis compare bins-{smallest}.csv mine.csv --only acceleration --tolerance {most_by_bins:g} --at {most}
    apsis compare bins-{smallest}.csv mine.csv --only acceleration --tolerance {all_by_bins:g}

A tolerance is a share of the body's own acceleration. By bins one point in a thousand may be further off, since a float can put a point on a border into the next cube.
To see how far part 2 is off the exact forces: `apsis compare direct-{smallest}.csv mine.csv --only acceleration`.
)";

constexpr const char* check = R"(#!/bin/sh
# Says whether accelerations are right: sh check.sh direct|bins FILE [{choices}]
# Exit code 0: they are; 76: they are not; 65, 74: the file is no such table. README.md says more.
here=$(dirname -- "$0")
apsis=${{APSIS:-apsis}}

usage() {{
  echo "usage: sh check.sh direct|bins FILE [{choices}]" >&2
  exit 64
}}

case $# in 2 | 3) ;; *) usage ;; esac
part=$1 file=$2 points=${{3:-{smallest}}}
case $part in direct | bins) ;; *) usage ;; esac
case $points in {choices}) ;; *) usage ;; esac
command -v "$apsis" >/dev/null || {{
  echo "check.sh: there is no '$apsis' here; put it into the path, or set APSIS to it" >&2
  exit 69
}}

holds() {{
  "$apsis" compare "$here/$part-$points.csv" "$file" --only acceleration "$@"
}}

if [ "$part" = direct ]; then
  holds --tolerance {all_pairs:g}
else
  holds --tolerance {all_by_bins:g} >/dev/null && holds --tolerance {most_by_bins:g} --at {most}
fi
status=$?
if [ $status -eq 0 ]; then
  echo "PASS: $file, $part, $points points"
else
  echo "FAIL: $file, $part, $points points"
fi
exit $status
)";

}  // namespace

std::string hand_out_readme(const std::vector<std::uint64_t>& sizes, std::uint64_t seed) {
  const std::string command = fmt::format("apsis lab far-field --export DIR --bodies {} --seed {}",
                                          fmt::join(sizes, ","), seed);
  std::vector<std::string> numbers;
  for (const std::uint64_t size : sizes) numbers.push_back(with_commas(static_cast<double>(size)));
  return fmt::format(fmt::runtime(readme), fmt::arg("points", fmt::join(numbers, " or ")),
                     fmt::arg("side", box_side), fmt::arg("softening", box_softening),
                     fmt::arg("softening_squared", box_softening * box_softening),
                     fmt::arg("bins", bins_a_side), fmt::arg("sizes", fmt::join(sizes, " or ")),
                     fmt::arg("seed", seed), fmt::arg("command", command),
                     fmt::arg("smallest", sizes.front()), fmt::arg("all_pairs", for_all_pairs),
                     fmt::arg("most_by_bins", for_most_by_bins), fmt::arg("most", most),
                     fmt::arg("all_by_bins", for_all_by_bins));
}

std::string hand_out_check(const std::vector<std::uint64_t>& sizes) {
  return fmt::format(fmt::runtime(check), fmt::arg("choices", fmt::join(sizes, "|")),
                     fmt::arg("smallest", sizes.front()), fmt::arg("all_pairs", for_all_pairs),
                     fmt::arg("most_by_bins", for_most_by_bins), fmt::arg("most", most),
                     fmt::arg("all_by_bins", for_all_by_bins));
}

}  // namespace apsis::lab
