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

# All words of an SVG that is XML as it should be; fails where one of those given is missing.
has_words='import sys, xml.etree.ElementTree as tree
name = "{http://www.w3.org/2000/svg}text"
text = "\n".join("".join(one.itertext()) for one in tree.parse(sys.argv[1]).iter(name))
missing = [word for word in sys.argv[2:] if word not in text]
sys.exit(f"{sys.argv[1]} lacks {missing}:\n{text}" if missing else 0)'

# The picture is of the kind that its name says; of SVG the words are looked for.
drawn_as() { # FILE WORD...
  case $1 in
    *.png) [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] ;;
    *.pdf) [ "$(head -c 5 "$1")" = %PDF- ] && tail -c 8 "$1" | grep -q '%%EOF' ;;
    *.svg) /usr/bin/python3 -c "$has_words" "$@" ;;
  esac || fail "$1 is not such a picture"
}

need_gnuplot() { command -v gnuplot >/dev/null || skip "gnuplot is not installed"; }

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

@test "a run writes the same figures while it goes on, one row for each time" {
  expect 0 run plummer --bodies 100 --until 0.2 --device cpu --set output.snapshot_every=0.1 \
    --set output.pictures=false --set output.analyse=lagrangian,centre,bound \
    --set output.analyse_every=0.1 --out a
  [[ $output == *"lagrangian.csv  radii"* ]]
  for what in lagrangian centre bound; do
    expect 0 analyse "$what" a --csv
    diff <(grep -v '^#' <<<"$output") <(grep -v '^#' "a/$what.csv")
  done
  expect_error 65 "'lagrange', which is no analysis" "did you mean" -- \
    run plummer --set 'output.analyse=["lagrange"]' --out b
  [ ! -e b ]
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

@test "every analysis of a file is drawn as PNG, PDF and SVG, beside what it prints" {
  need_gnuplot
  apsis init plummer --bodies 500 --units kpc-msun-kms -o bodies.csv 2>/dev/null
  local what words ending printed
  for what in lagrangian profile centre bound groups orbits; do
    case $what in
      lagrangian) words=("density centre" "radius [kpc]" "share of the mass" "50 %") ;;
      profile) words=("radius [kpc]" "density [Msun/kpc³]" "speed [km/s]" "rotation") ;;
      centre) words=("x [kpc]" "density centre" "shrinking sphere" "core radius") ;;
      bound) words=("energy for each unit of mass [(km/s)²]" "bound" "bodies") ;;
      groups) words=("linking length" "y [kpc]" "mass of a group [Msun]" "half-mass radii") ;;
      orbits) words=("about body 0" "semi-major axis [kpc]" "eccentricity") ;;
    esac
    expect 0 analyse $what bodies.csv --csv
    printed=$output
    for ending in png pdf svg; do
      expect 0 analyse $what bodies.csv --csv --plot $what.$ending
      [ "$output" = "$printed" ] || fail "$what prints something else with --plot"
      [ "$stderr" = "$what.$ending: drawn" ] || fail "$stderr"
      drawn_as $what.$ending "bodies.csv: " "500 bodies · time 0" "${words[@]}"
    done
  done
}

@test "of a run the radii, the centre and what is bound are drawn along the time" {
  need_gnuplot
  expect 0 run plummer --bodies 100 --until 0.2 --device cpu --set output.snapshot_every=0.1 \
    --set output.pictures=false --out a
  expect 0 analyse lagrangian a --json --plot r.svg --shares 0.25,0.5
  drawn_as r.svg "a: Lagrangian radii" "100 bodies · time 0 to 0.2 in 3 snapshots" time radius "25 %" "50 %"
  expect 0 analyse centre a --plot c.svg
  drawn_as c.svg "path of the density centre" "core radius" begin end
  expect 0 analyse centre a --centre mass --plot m.svg
  drawn_as m.svg "path of the centre of mass" "distance from its first place"
  expect 0 analyse bound a --plot b.svg
  drawn_as b.svg "share of the mass" "energy of the bound part" kinetic potential total
  expect 0 analyse profile a --plot p.svg
  drawn_as p.svg "snapshot_0002" "time 0.2"
}

@test "none, one and a heap of bodies and names of any kind are drawn, too" {
  need_gnuplot
  echo 'm,x,y,z,vx,vy,vz' >none.csv
  { cat none.csv && echo '1,1,2,3,0,0,0'; } >one.csv
  { cat one.csv && for _ in 1 2 3 4 5 6 7 8; do tail -1 one.csv; done; } >heap.csv
  { cat one.csv && echo '1e-3,1e9,2,3,1e4,0,0'; } >far.csv
  local file what
  for file in none one heap far; do
    for what in lagrangian centre profile bound "groups --length 1 --least 1" orbits; do
      # shellcheck disable=SC2086
      expect 0 analyse $what $file.csv --plot a.svg --force
      drawn_as a.svg "$file.csv: "
    done
  done
  local odd=$'it\'s `touch gone` & <b> $HOME \x01 @x \xff {a}_b.csv'
  cp one.csv "$odd"
  expect 0 analyse lagrangian "$odd" --plot odd.svg
  drawn_as odd.svg "it's \`touch gone\` & <b> \$HOME \\x01 @x \\xff {a}_b.csv"
  [ ! -e gone ]
}

@test "a chart that cannot be is refused before the work, and nothing is written" {
  some_bodies
  expect_error 64 "a.jpg" ".png, .pdf or .svg" -- analyse centre bodies.csv --plot a.jpg
  expect_error 64 "chart" ".png, .pdf or .svg" -- analyse centre nofile.csv --plot chart
  cp bodies.csv bodies.png
  expect_error 64 "input and output" -- analyse centre bodies.png --plot bodies.png
  expect_error 64 "same.svg" "--members" -- analyse groups bodies.csv --plot same.svg --members same.svg
  expect_error 74 "nowhere" "make it first" -- analyse centre bodies.csv --plot nowhere/a.png
  echo mine >a.svg
  expect_error 74 "a.svg exists" "--force" -- analyse centre bodies.csv --plot a.svg
  [ "$(cat a.svg)" = mine ]
  need_gnuplot
  expect 0 analyse centre bodies.csv --plot a.svg --force
  drawn_as a.svg "density centre"
}

@test "a full disk leaves no half of a chart, and the one before it as it was" {
  need_gnuplot
  some_bodies
  mkdir disk
  mount -t tmpfs -o size=8k tmpfs disk 2>/dev/null || skip "mounting a tmpfs is not permitted here"
  echo old >disk/a.svg
  run --separate-stderr "$APSIS" analyse centre bodies.csv --plot disk/a.svg --force
  left=$(ls -A disk) text=$(cat disk/a.svg)
  umount disk
  [ "$status" -eq 74 ] && [ -z "$output" ]
  [[ $stderr == *"disk/a.svg"*"No space left"* ]] || fail "$stderr"
  [ "$left" = a.svg ] && [ "$text" = old ]
}

@test "without gnuplot, and where it fails, the figures can be had without a chart" {
  some_bodies
  mkdir bin
  run --separate-stderr env PATH="$PWD/bin" "$APSIS" analyse bound bodies.csv --plot a.png
  [ "$status" -eq 69 ] && [ -z "$output" ] && [ ! -e a.png ]
  [[ $stderr == *"gnuplot"*"gnuplot-nox"*"--plot"* ]] || fail "$stderr"
  printf '#!/bin/sh\necho no terminal >&2\nexit 3\n' >bin/gnuplot
  chmod +x bin/gnuplot
  run --separate-stderr env PATH="$PWD/bin:$PATH" "$APSIS" analyse bound bodies.csv --plot a.png
  [ "$status" -eq 69 ] && [ -z "$output" ] && [ ! -e a.png ]
  [[ $stderr == *"a.png"*"ended with 3: no terminal"* ]] || fail "$stderr"
}

@test "a movie is analysed as the run that it was made of, and of one state the last is taken with a word" {
  apsis run plummer --bodies 200 --until 0.1 --step 0.01 --device cpu --set output.pictures=false \
    --set output.snapshot_every=0.05 --out r 2>/dev/null
  expect 0 convert r movie.xyz
  expect 0 analyse lagrangian r --csv
  local rows
  rows=$(grep -v '^#' <<<"$output")
  [ "$(wc -l <<<"$rows")" -eq 4 ] || fail "$rows"
  expect 0 analyse lagrangian movie.xyz --csv
  [ "$(grep -v '^#' <<<"$output")" = "$rows" ] || fail "$output"
  [ -z "$stderr" ] || fail "$stderr"
  expect 0 analyse profile movie.xyz
  [[ $stderr == *"movie.xyz holds 3 snapshots: the last one"*"[several-snapshots]"* ]] || fail "$stderr"
}
