// SPDX-License-Identifier: MIT
// The bodies that are drawn one by one: all where they are few, else those that outweigh the rest.
// The server sends exact places, so that the Moon stays beside the Earth however near one looks.
import type { Part, Vec } from "./frames";
import { colourAt, type MapName } from "./maps";
import type { Disc, Line } from "./strokes";

export interface FewMessage {
  frame: number;
  scene: number;
  step: number;
  time: number;
  all: boolean;
  bodies: { id: number; mass: number; speed: number; at: Vec; velocity: Vec; charge?: number; radius?: number }[];
  orbits: OrbitMessage[];
}
interface OrbitMessage {
  body: number;
  pair: number[];
  major: Vec;
  minor: Vec;
  eccentricity: number;
  period: number;
}
export interface FewBody {
  id: number;
  name: string;
  mass: number;
  charge: number;
  radius: number;
  speed: number;
  before: Passage;
  after: Passage;
  trace: { place: Vec; time: number }[]; // where it was, up to `before`
}
interface Passage {
  place: Vec;
  velocity: Vec;
  time: number;
}
interface Orbit extends OrbitMessage {
  since: number; // ms; 0: from the start of the scene
}

export const longestTrails = 60; // of the slider
const tracePoints = 40; // for each mark of it
const orbitPoints = 180;
// An orbit that appears on the way may be gone with the next passage.
const settles = 1000, appears = 700; // ms

export const mix = (a: Vec, b: Vec, t: number): Vec => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];

const length = (a: Vec) => Math.hypot(a[0], a[1], a[2]);
const minus = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

// On the cubic that has places and velocities at both ends. Where those do not fit together, since
// it went round more than half an orbit in between, on the straight line.
function between(a: Passage, b: Passage, t: number): Vec {
  const span = b.time - a.time, chord = length(minus(b.place, a.place));
  if (!(span > 0) || Math.max(length(a.velocity), length(b.velocity)) * span > 4 * chord || t <= 0 || t >= 1) return mix(a.place, b.place, Math.min(1, Math.max(0, t)));
  const s = 1 - t, p = s * s * (1 + 2 * t), q = t * t * (3 - 2 * t), v = span * s * s * t, w = -span * s * t * t;
  return [0, 1, 2].map((k) => p * a.place[k]! + q * b.place[k]! + v * a.velocity[k]! + w * b.velocity[k]!) as Vec;
}
// So many points on the way that the bend is round.
function bends(a: Passage, b: Passage): number {
  const sizes = length(a.velocity) * length(b.velocity);
  const cosine = sizes > 0 ? [0, 1, 2].reduce((sum, k) => sum + a.velocity[k]! * b.velocity[k]!, 0) / sizes : 1;
  return Math.min(24, Math.floor(Math.acos(Math.min(1, Math.max(-1, cosine))) / 0.1));
}

export class Few {
  all = false;
  bodies: FewBody[] = [];
  orbits: Orbit[] = [];
  frame = 0; // of which all this is; it may come again in other colours
  private scene = -1;
  private step = -1;
  private time = 0;

  forget(): void {
    this.bodies = [], this.orbits = [], this.all = false, this.scene = this.step = -1;
  }
  // Traces do not cross a jump of the playhead.
  cut(): void {
    for (const body of this.bodies) body.trace = [];
    this.step = -1;
  }

  take(message: FewMessage, names: readonly string[]): void {
    if (message.scene !== this.scene) this.forget();
    const begun = this.scene < 0;
    if (message.time < this.time) this.cut();
    const again = message.step === this.step, jumped = this.step < 0;
    const known = new Map(this.bodies.map((body) => [body.id, body]));
    const limit = Math.min(longestTrails * tracePoints, Math.floor(40_000 / Math.max(1, message.bodies.length)));
    this.bodies = message.bodies.map((row) => {
      const old = known.get(row.id);
      const after: Passage = { place: row.at, velocity: row.velocity, time: message.time };
      const before = !old || jumped ? after : again ? old.before : old.after;
      const trace = old?.trace ?? [];
      if (!again) this.leave(trace, old && !jumped ? old.before : before, before);
      if (trace.length > limit) trace.splice(0, trace.length - limit);
      return { id: row.id, name: names[row.id] ?? "", mass: row.mass, charge: row.charge ?? 0, radius: row.radius ?? 0, speed: row.speed, before, after, trace };
    });
    const now = performance.now();
    const key = (orbit: OrbitMessage) => `${orbit.body} ${[...orbit.pair].sort().join()}`;
    const since = new Map(this.orbits.map((orbit) => [key(orbit), orbit.since]));
    this.orbits = message.orbits.map((orbit) => ({ ...orbit, since: begun ? 0 : since.get(key(orbit)) ?? now }));
    this.frame = message.frame;
    this.all = message.all, this.scene = message.scene, this.step = message.step, this.time = message.time;
  }

  private leave(trace: FewBody["trace"], from: Passage, to: Passage): void {
    for (let k = 1, all = bends(from, to) + 1; k < all; ++k) trace.push({ place: between(from, to, k / all), time: from.time + (k / all) * (to.time - from.time) });
    trace.push({ place: to.place, time: to.time });
  }
  // What is left of its trace where an orbit tells the rest: a few marks of the slider are a quarter
  // of the period.
  private shownTrace(k: number, trails: number): Vec[] {
    const trace = this.bodies[k]!.trace, period = Math.min(...this.orbits.filter((orbit) => orbit.body === k).map((orbit) => orbit.period));
    const since = this.time - (period * trails) / 16;
    return trace.slice(-trails * tracePoints).filter(({ time }) => !Number.isFinite(period) || time >= since).map(({ place }) => place);
  }

  body(id: number): FewBody | undefined {
    return this.bodies.find((body) => body.id === id);
  }
  // What the body is called: by name, or by its number.
  nameOf(body: FewBody): string {
    return body.name || `body ${body.id}`;
  }
  place(body: FewBody, share: number): Vec {
    return between(body.before, body.after, share);
  }
  // Bodies that no ellipse tells of: neither their own nor that of one which goes round them.
  withoutOrbit(): FewBody[] {
    const told = new Set(this.orbits.filter((orbit) => orbit.since === 0).flatMap((orbit) => orbit.pair));
    return this.bodies.filter((_, k) => !told.has(k));
  }

  private centre(orbit: Orbit, share: number): Vec {
    const sum: Vec = [0, 0, 0];
    let mass = 0;
    for (const k of orbit.pair) {
      const body = this.bodies[k];
      if (!body) continue;
      const place = this.place(body, share);
      for (let axis = 0; axis < 3; ++axis) sum[axis] = sum[axis]! + body.mass * place[axis]!;
      mass += body.mass;
    }
    return [sum[0] / mass, sum[1] / mass, sum[2] / mass];
  }
  // From the body backwards, once around.
  orbitPath(orbit: Orbit, share: number, count = orbitPoints): Vec[] {
    const { major, minor, eccentricity: e } = orbit, centre = this.centre(orbit, share), body = this.bodies[orbit.body];
    if (!body) return [];
    const at = this.place(body, share), r: Vec = [at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]];
    const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const begin = Math.atan2(dot(r, minor) / (dot(minor, minor) || 1), dot(r, major) / dot(major, major) + e);
    return Array.from({ length: count + 1 }, (_, k) => {
      const angle = begin - (2 * Math.PI * k) / count, x = Math.cos(angle) - e, y = Math.sin(angle);
      return [0, 1, 2].map((axis) => centre[axis as 0]! + x * major[axis as 0]! + y * minor[axis as 0]!) as Vec;
    });
  }

  // Linear light.
  colour(body: FewBody, part: Part, map: MapName): Vec {
    const value = { speed: body.speed, mass: Math.log10(Math.max(body.mass, 1e-37)), charge: body.charge, density: part.high, id: body.id }[part.colourBy];
    return colourAt(map, part.high > part.low ? (value - part.low) / (part.high - part.low) : 0.5);
  }

  lines(part: Part, map: MapName, share: number, trails: number, orbits: boolean): Line[] {
    const lines: Line[] = [], now = performance.now();
    for (const orbit of orbits ? this.orbits : []) {
      const body = this.bodies[orbit.body];
      if (!body) continue;
      const shown = orbit.since === 0 ? 1 : Math.min(1, Math.max(0, (now - orbit.since - settles) / appears));
      if (shown > 0) lines.push({ path: this.orbitPath(orbit, share), tint: this.colour(body, part, map), light: (t) => shown * (0.3 + 0.35 * (1 - t) ** 3), width: 1.3 });
    }
    for (const [k, body] of trails > 0 ? this.bodies.entries() : []) {
      const path = this.shownTrace(k, trails);
      for (let j = 1, all = bends(body.before, body.after) + 1; j <= all; ++j) path.push(this.place(body, (share * j) / all));
      lines.push({ path, tint: this.colour(body, part, map), light: (t) => 0.1 + 0.9 * t * t, width: 1.8 });
    }
    return lines;
  }

  // By the sixth root of mass: the Sun has ten thousand times what the Earth has, and seven times
  // its spot. Pixels of a picture 1080 high.
  spot(body: FewBody): number {
    const most = Math.max(...this.bodies.map(({ mass }) => mass));
    return 2.2 + 5.8 * (most > 0 ? body.mass / most : 1) ** (1 / 6);
  }
  discs(part: Part, map: MapName, share: number): Disc[] {
    return [...this.bodies].sort((a, b) => b.mass - a.mass).map((body) => ({ place: this.place(body, share), tint: this.colour(body, part, map), spot: this.spot(body), radius: body.radius }));
  }
}
