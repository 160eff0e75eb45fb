// SPDX-License-Identifier: MIT
// What is meant by a click: a name, a body that is drawn by itself, or the nearest point.
import type { Camera } from "./camera";
import type { Few } from "./few";
import { placeOf, type Vec } from "./frames";
import type { Sky } from "./sky";

export interface Picked {
  few?: number; // id
  index?: number; // of a point of the frames
  at: Vec;
}

const reach = 18; // pixels

export function pick(camera: Camera, sky: Sky, few: Few, named: number | undefined, x: number, y: number): Picked | undefined {
  const { clientWidth: width, clientHeight: height } = sky.canvas, matrix = camera.matrix(width / height, camera.target), share = sky.progress();
  const away = (place: Vec) => {
    const at = camera.project(place, width, height, matrix);
    return at ? Math.hypot(at.x - x, at.y - y) : Infinity;
  };
  let nearest = reach, found: Picked | undefined;
  const called = named === undefined ? undefined : few.body(named);
  if (called) return { few: called.id, at: few.place(called, share) };
  for (const body of few.bodies) {
    const at = few.place(body, share), distance = away(at);
    if (distance < nearest) (nearest = distance), (found = { few: body.id, at });
  }
  const part = sky.newest;
  if (found || few.all || !part) return found;
  for (let k = 0; k < Math.min(part.count, part.base - part.first); ++k) {
    const at = placeOf(part, k), distance = at ? away(at) : Infinity;
    if (at && distance < nearest) (nearest = distance), (found = { index: part.first + k, at });
  }
  return found;
}
