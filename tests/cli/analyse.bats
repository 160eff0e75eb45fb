#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis analyse: figures of files and runs. Their values are tested in tests/analysis.
# shellcheck disable=SC2154
load common

some_bodies() { apsis init plummer --bodies 2000 --seed 3 -o bodies.csv 2>/dev/null; }

# The value of a column in the first row of CSV on stdin.
value() { # COLUMN
  awk -F, -v name="$1" '/^#/ { next } !head { for (k = 1; k <= NF; k++) if ($k == name) c = k
    head = 1; next } { print $c; exit }'
}

between() { # LOW VALUE HIGH
  awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a <= b && b <= c) }' || fail "$2 is not from $1 to $3"
}

@test "a file of any format has radii, a centre, a profile and a bound part" {
  some_bodies
  apsis convert bodies.csv bodies.tipsy 2>/dev/null
  local file
  for file in bodies.csv bodies.tipsy; do
    expect 0 analyse lagrangian "$file" --csv
    between 0.70 "$(value r_0.5 <<<"$output")" 0.84 # 0.7686 of a Plummer sphere in Hénon's units
    expect 0 analyse centre "$file" --csv
    between -0.2 "$(value x <<<"$output")" 0.2
    expect 0 analyse profile "$file" --csv --bins 4
    [ "$(grep -vc '^#' <<<"$output")" -eq 6 ]
    expect 0 analyse bound "$file" --csv
    between 0.99 "$(value share_of_mass <<<"$output")" 1
  done
}

@test "of a run every snapshot has its row, and what looks at one state takes the last" {
  expect 0 run plummer --bodies 100 --until 0.2 --device cpu --set output.snapshot_every=0.1 \
    --set output.pictures=false --out a
  for what in lagrangian centre bound; do
    expect 0 analyse "$what" a --csv
    [ "$(grep -v '^#' <<<"$output" | cut -d, -f1 | tr '\n' ' ')" = "time 0 0.1 0.2 " ]
  done
  expect 0 analyse profile a
  [[ $output == *"time: 0.2"* ]]
}

@test "two clusters are two groups, with the group of every body in a file" {
  apsis init plummer --bodies 300 -o near.csv 2>/dev/null
  { grep -v '^#' near.csv | head -1
    awk -F, -v OFS=, '/^[0-9]/ { print; $1 += 300; $3 += 40; print }' near.csv; } >both.csv
  head -1 both.csv | grep -q '^id,m,x'
  expect 0 analyse groups both.csv --json --members groups.csv
  [ "$(/usr/bin/python3 -c 'import json, sys; j = json.load(sys.stdin)
print(j["groups"], all(r["bodies"] > 200 for r in j["rows"]),
      abs(abs(j["rows"][0]["x"] - j["rows"][1]["x"]) - 40) < 1)' <<<"$output")" = "2 True True" ]
  [ "$(wc -l <groups.csv)" -eq 601 ]
  expect_error 74 "groups.csv exists" "--force" -- analyse groups both.csv --members groups.csv
  expect 0 analyse groups both.csv --members groups.csv --force --length 100
  [[ $output == *"groups: 1"*"bodies_in_groups: 600"* ]]
}

@test "planets have the elements that they were made of" {
  apsis init solar-system -o planets.csv 2>/dev/null
  expect 0 analyse orbits planets.csv
  [[ $output == *"about: body 0"* ]]
  grep -Eq '^ *1 .* 0.3870[89][0-9]* +0.2056[0-9]* +7.00[0-9]*' <<<"$output"
  expect_error 65 "no body 77" -- analyse orbits planets.csv --about 77
}

@test "none, one and a heap of bodies are normal" {
  echo 'm,x,y,z,vx,vy,vz' >none.csv
  { cat none.csv && echo '1,1,2,3,0,0,0'; } >one.csv
  { cat one.csv && for _ in 1 2 3 4 5 6 7 8; do tail -1 one.csv; done; } >heap.csv
  local file what
  for file in none one heap; do
    for what in lagrangian centre profile bound "groups --length 1" orbits; do
      # shellcheck disable=SC2086
      expect 0 analyse $what $file.csv
      # shellcheck disable=SC2086
      expect 0 analyse $what $file.csv --json
      /usr/bin/python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
    done
  done
  expect_error 65 "share their places" "give --length" -- analyse groups heap.csv
}

@test "what means nothing is refused" {
  some_bodies
  expect_error 64 "needs an analysis" lagrangian -- analyse
  expect_error 64 "--shares 2 is no share" -- analyse lagrangian bodies.csv --shares 0.5,2
  expect_error 64 "--length -1" -- analyse groups bodies.csv --length -1
  expect_error 65 "too small for a body" "at least" -- analyse groups bodies.csv --length 1e-30
  expect_error 64 "0 < least < most" -- analyse profile bodies.csv --least 3 --most 2
  expect_error 64 "--bins 0" -- analyse profile bodies.csv --bins 0
  expect_error 64 "--centre" -- analyse centre bodies.csv --centre middle
  expect_error 74 "nofile.csv" -- analyse centre nofile.csv
  expect_error 64 "input and output" -- analyse groups bodies.csv --members bodies.csv
  mkdir empty
  expect_error 65 empty -- analyse centre empty
}
