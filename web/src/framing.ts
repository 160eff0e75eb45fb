// SPDX-License-Identifier: MIT
// Where the camera stands to see it all, until a hand moves it: few bodies by their orbits and by
// what they have covered so far, many by where nine in ten of them are.
import type { Camera } from "./camera";
import type { Few } from "./few";
import { placeOf, type Part, type Vec } from "./frames";

export interface Area {
  width: number; // that nothing covers, and the height of the picture
  height: number;
  picture: number;
}
interface Stand {
  target: Vec;
  distance: number;
}

// Of what it covered at the start; who goes farther is on the way out.
const mostGrowth = 4;

export class Framing {
  private low: Vec | undefined;
  private high: Vec = [0, 0, 0];
  private start: { centre: Vec; reach: number } | undefined;

  forget(): void {
    this.low = this.start = undefined;
  }

  // A sight of all few bodies, orbits and traces; nothing where no body is.
  few(few: Few, share: number, camera: Camera, area: Area): Stand | undefined {
    const places = few.orbits.filter((orbit) => orbit.since === 0).flatMap((orbit) => few.orbitPath(orbit, share, 36));
    this.cover(few.withoutOrbit().map((body) => few.place(body, share)));
    const { low, high } = this;
    for (let corner = 0; low && corner < 8; ++corner) places.push([corner & 1 ? high[0] : low[0], corner & 2 ? high[1] : low[1], corner & 4 ? high[2] : low[2]]);
    return places.length > 0 ? fit(places, camera, area) : undefined;
  }

  private cover(places: readonly Vec[]): void {
    if (places.length === 0) return;
    if (!this.low) {
      const box = boxOf(places);
      (this.low = box.low), (this.high = box.high);
      this.start = { centre: half(box.low, box.high), reach: distance(box.low, box.high) / 2 };
    }
    const { low, high } = this, start = this.start!;
    for (const place of places) {
      if (start.reach > 0 && distance(place, start.centre) > mostGrowth * start.reach) continue;
      for (let axis = 0; axis < 3; ++axis) {
        low[axis] = Math.min(low[axis]!, place[axis]!), high[axis] = Math.max(high[axis]!, place[axis]!);
      }
    }
  }
}

const distance = (a: Vec, b: Vec) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const half = (a: Vec, b: Vec): Vec => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
function boxOf(places: readonly Vec[]): { low: Vec; high: Vec } {
  const low: Vec = [Infinity, Infinity, Infinity], high: Vec = [-Infinity, -Infinity, -Infinity];
  for (const place of places) {
    for (let axis = 0; axis < 3; ++axis) {
      low[axis] = Math.min(low[axis]!, place[axis]!), high[axis] = Math.max(high[axis]!, place[axis]!);
    }
  }
  return { low, high };
}

// Turned as the camera is, so near that all places just fit into the area.
function fit(places: readonly Vec[], camera: Camera, area: Area): Stand {
  const { right, up, back } = camera.axes(), axes = [right, up, back];
  const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const seen = places.map((place) => axes.map((axis) => dot(axis, place)) as Vec);
  const { low, high } = boxOf(seen), middle = half(low, high);
  const margin = 1.12, focal = 1 / Math.tan(camera.fieldOfView / 2);
  const across = (margin * focal * area.picture) / Math.max(80, area.width), upright = (margin * focal * area.picture) / Math.max(80, area.height);
  let away = 0;
  // what is nearer is drawn larger: the middle of the picture is not that of space
  for (let round = 0; round < 4; ++round) {
    away = 0;
    for (const [x, y, z] of seen) away = Math.max(away, z - middle[2] + across * Math.abs(x - middle[0]), z - middle[2] + upright * Math.abs(y - middle[1]));
    if (!(away > 0)) break;
    const drawn = boxOf(seen.map(([x, y, z]) => [(x - middle[0]) / (away - z + middle[2]), (y - middle[1]) / (away - z + middle[2]), 0]));
    for (const axis of [0, 1] as const) middle[axis] += 0.5 * away * (drawn.low[axis] + drawn.high[axis]);
  }
  const target = [0, 1, 2].map((k) => middle[0] * right[k]! + middle[1] * up[k]! + middle[2] * back[k]!) as Vec;
  return { target, distance: away };
}

// Of many bodies a sample, without the farthest.
export function frameMany(part: Part, camera: Camera, area: Area): Stand | undefined {
  const step = Math.max(1, Math.floor(part.count / 4000)), places: Vec[] = [];
  for (let k = 0; k < part.count; k += step) {
    const place = placeOf(part, k);
    if (place) places.push(place);
  }
  if (places.length === 0) return undefined;
  const middle = [0, 1, 2].map((axis) => places.map((place) => place[axis]!).sort((a, b) => a - b)[places.length >> 1]!) as Vec;
  const reach = (place: Vec) => distance(place, middle);
  const sorted = places.map(reach).sort((a, b) => a - b);
  const most = sorted[Math.floor((sorted.length - 1) * (sorted.length < 100 ? 1 : 0.95))]!;
  const stand = fit(places.filter((place) => reach(place) <= most), camera, area);
  return stand.distance > 0 ? stand : { target: middle, distance: 3000 * part.cell };
}
