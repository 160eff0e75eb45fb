#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `apsis render` as a user types it.
load common

small_run() {
  apsis run --set initial.model=plummer --set initial.bodies=200 --set time.until=0.2 \
    --set output.snapshot_every=0.05 --set output.pictures=false --out here
}
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }
need_ffmpeg() { command -v ffmpeg ffprobe >/dev/null || skip "ffmpeg is not installed"; }

@test "a picture of the end of a run, of a time in it, and of one snapshot" {
  need PNG
  small_run
  expect 0 render here -o end.png --size 160x90
  [[ $output == "end.png: 1 frame of 160 x 90" ]]
  expect 0 render here -o middle.png --size 160x90 --time 0.1
  expect 0 render here/snapshot_0000.* -o start.png --size 160x90
  is_png end.png && is_png middle.png && is_png start.png
  run ! cmp -s end.png start.png
}

size_of() { /usr/bin/python3 -c 'import struct, sys; print("%d x %d" % struct.unpack(">II", open(sys.argv[1], "rb").read(24)[16:]))' "$1"; }

@test "pictures of runs carry words, unless they shall be plain" {
  need PNG
  local keys=(--set initial.model=plummer --set initial.bodies=200 --set time.until=0.1 --set device.name=cpu)
  apsis run "${keys[@]}" --out worded
  apsis run "${keys[@]}" --plain --out plain
  apsis render worded -o plain.png --size 1600x1000 --plain
  apsis render worded -o worded.png --size 1600x1000
  cmp plain/final.png plain.png
  cmp worded/final.png worded.png
  run ! cmp -s plain.png worded.png
  # the words of a strip stand above and below its frames
  [ "$(size_of plain/strip.png)" = "2540 x 420" ]
  [ "$(size_of worded/strip.png | cut -d' ' -f1)" = 2540 ]
  [ "$(size_of worded/strip.png | cut -d' ' -f3)" -gt 480 ]
  expect_error 64 "--plain true and --set output.plain=false" -- \
    run "${keys[@]}" --plain --set output.plain=false --out both
  # a run may go on with the other kind
  expect 0 run --resume plain --set output.plain=false --set time.until=0.15
  [ "$(size_of plain/strip.png)" = "$(size_of worded/strip.png)" ]
}

@test "the same command gives the same bytes" {
  need PNG
  small_run
  apsis render here -o one.png --size 160x90 --threads 1
  apsis render here -o two.png --size 160x90 --threads 2
  cmp one.png two.png
}

@test "a movie has the size, rate and length that were asked for" {
  need_ffmpeg
  small_run
  expect 0 render here -o movie.mp4 --size 160x90 --fps 10 --duration 1 --orbit 90 --elevation 30 --zoom 1:2
  [ "$(ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 \
    movie.mp4)" = 160,90,10 ]
  expect_error 74 "movie.mp4 exists" "--force" -- render here -o movie.mp4 --size 160x90
}

@test "other endings: webm, gif and a numbered series" {
  need_ffmpeg
  need PNG
  small_run
  for file in clip.webm clip.gif frame_%03d.png; do
    expect 0 render here -o "$file" --size 160x90 --fps 5 --duration 1
  done
  [ "$(head -c 4 clip.gif)" = GIF8 ]
  local frames=(frame_*.png)
  [ "${#frames[@]}" -eq 5 ]
}

@test "without ffmpeg the remedy is told, and nothing is written" {
  small_run
  printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$APSIS" >without && chmod +x without
  APSIS=$PWD/without
  expect_error 69 "ffmpeg" "frame_%04d.png" -- render here -o movie.mp4
  [ ! -e movie.mp4 ]
}

@test "mistakes are answered before any work" {
  small_run
  expect_error 65 "movie.avi" ".mp4" -- render here -o movie.avi
  expect_error 64 "--size 12" "1280x720" -- render here -o a.png --size 12
  expect_error 64 "--zoom x" -- render here -o a.png --zoom x
  expect_error 65 "'sped'" "speed" -- render here -o a.png --colour-by sped
  expect_error 65 "65 x 90" "even" -- render here -o movie.mp4 --size 65x90
  expect_error 65 "holds no snapshots" -- render . -o a.png
  expect_error 65 "no body with id 777" -- render here -o a.png --follow 777
  expect_error 65 "one snapshot" -- render here/snapshot_0000.* -o movie.mp4
  [ ! -e movie.mp4 ] && [ ! -e a.png ]
}

@test "a damaged snapshot is named, and no picture is made without it" {
  need PNG
  apsis run --set initial.model=kepler --set time.until=0.2 --set output.pictures=false --out here
  local files=(here/snapshot_0003.*)
  truncate -s 100 "${files[0]}"
  expect_error 65 snapshot_0003 -- render here -o movie_%04d.png
  [ ! -e movie_0000.png ]
}

@test "a folder that is not there is named" {
  need PNG
  small_run
  expect_error 74 nowhere -- render here -o nowhere/a.png
  [ ! -e nowhere ]
}

@test "a movie that is interrupted leaves nothing and ends with 75" {
  need_ffmpeg
  small_run
  "$APSIS" render here -o movie.mp4 --size 640x360 --duration 60 2>log &
  sleep 1
  kill -INT $!
  local code=0
  wait $! || code=$?
  [ "$code" -eq 75 ]
  grep -q "no movie was written" log
  [ -z "$(ls movie.mp4* 2>/dev/null)" ]
}

@test "bodies that have a size are spheres, and a movie goes on while they merge" {
  need PNG
  apsis run --set initial.model=planetesimals --set initial.bodies=200 --set initial.filling=0.05 \
    --set time.until=0.6 --set output.snapshot_every=0.2 --set output.pictures=false --out here
  expect 0 render here -o auto.png --size 160x90
  expect 0 render here -o on.png --size 160x90 --spheres on
  expect 0 render here -o off.png --size 160x90 --spheres off
  cmp auto.png on.png
  run ! cmp -s auto.png off.png
  expect 0 render here -o frame_%02d.png --size 160x90 --fps 5 --duration 2
  [ -f frame_09.png ]
  expect_error 65 "maybe" "on" -- render here -o x.png --spheres maybe
  apsis run --set initial.model=plummer --set initial.bodies=20 --set time.until=0.02 --out points
  expect_error 65 "these bodies are points" "--spheres" -- render points -o x.png --spheres on
}
