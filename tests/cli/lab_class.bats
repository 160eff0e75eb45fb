#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis lab --compare: the results of a class, as a lecturer ranks them.
load common

setup_file() { # two people's results, measured once
  cd "$BATS_FILE_TMPDIR" || return
  for who in ada bob; do
    "$APSIS" lab cpu --quick --bodies 64 --out "class/$who" --name "${who^} L." >/dev/null 2>&1
  done
}
setup() { cp -r "$BATS_FILE_TMPDIR/class" "$BATS_TEST_TMPDIR" && cd "$BATS_TEST_TMPDIR" || return; }

@test "results of a class are ranked in a table and on a page that needs no other file" {
  expect 0 lab --compare class/*/cpu/results.json -o class.html
  [[ $output == "2 people, 1 ranking"*"cpu: 64 bodies, f32, native CPU, version "*"class.html: written" ]]
  [ "$(grep -cE '^ +[12] +(Ada|Bob) L\. +cpu ' <<<"$output")" -eq 2 ]
  run ! grep -qE 'https?:|<script|src=' class.html
  [ "$(grep -c '</html>' class.html)" -eq 1 ]
}

@test "a folder stands for all results in it, and --json has what the table has" {
  expect 0 lab --compare class --json
  /usr/bin/python3 -c 'import json,sys
group, = json.load(sys.stdin)["groups"]
assert sorted(row["who"] for row in group["ranked"]) == ["Ada L.", "Bob L."], group
assert group["ranked"][0]["place"] == 1 and not group["disqualified"]' <<<"$output"
}

@test "a wrong row is disqualified with its error and limit" {
  sed -i '0,/"complaint": ""/s//"complaint": "largest force error 3.00e-02 exceeds 5e-06"/' class/bob/cpu/results.json
  expect 0 lab --compare class -o class.html
  [[ $output == *"disqualified: Bob L., cpu, aos-serial: largest force error 3.00e-02 exceeds 5e-06 (class/bob/cpu/results.json)"* ]]
  grep -q 'Disqualified' class.html
}

@test "bad, cut, foreign, missing and copied files are named; the others are ranked all the same" {
  head -c 3000 class/ada/cpu/results.json >class/cut.json
  echo '{"hello": 1}' >class/foreign.json
  cp class/ada/cpu/results.json class/copy.json
  expect 65 lab --compare class -o class.html
  for name in cut foreign; do [[ $stderr == *"left out: class/$name.json holds no results"* ]]; done
  [[ $stderr == *"has the same bytes as"* ]]
  [[ $output == *"2 people, 1 ranking"* ]]
  grep -q 'class/cut.json' class.html
  expect 74 lab --compare class/bob/cpu/results.json nobody.json
  [[ $stderr == *"nobody.json"* ]]
}

@test "without one good file nothing is written" {
  echo '{"hello": 1}' >foreign.json
  mkdir empty
  expect_error 65 foreign.json -- lab --compare foreign.json -o class.html
  expect_error 65 empty -- lab --compare empty -o class.html
  expect_error 74 nobody.json -- lab --compare nobody.json -o class.html
  [ ! -e class.html ]
}

@test "a page that exists, or that is one of the files, is not replaced" {
  echo mine >class.html
  expect_error 74 class.html --force -- lab --compare class -o class.html
  [ "$(cat class.html)" = mine ]
  expect 0 lab --compare class -o class.html --force
  cp class/ada/cpu/results.json ada.html
  expect_error 64 ada.html -- lab --compare ada.html -o ada.html --force
  expect_error 74 "no folder" -- lab --compare class -o none/class.html
  expect_error 64 class.txt .html -- lab --compare class -o class.txt
  ln -s /dev/full full.html
  expect_error 74 full.html -- lab --compare class -o full.html
}

@test "--compare measures nothing, and -o is its page" {
  expect_error 64 --compare -- lab cpu --compare
  expect_error 64 "takes no lesson" -- lab --redraw class/ada/cpu --compare class
  expect_error 64 --compare -- lab cpu -o class.html
}

@test "the page of a class opens in a browser, also where names are hostile" {
  command -v chromium >/dev/null || skip "chromium is not installed"
  sed -i 's/"Bob L."/"<script>console.error(1)<\/script><img src=x onerror=console.error(2)>"/' class/bob/cpu/results.json
  expect 0 lab --compare class -o class.html
  "$root/tests/lab/open_report" class.html
}
