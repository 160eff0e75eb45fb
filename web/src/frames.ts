// SPDX-License-Identifier: MIT
// Frames as the server sends them (src/apsis/viewer/frame_code.hpp), put together from their parts.

const magic = 0x56535041;
const version = 1;
export const colourKinds = ["speed", "mass", "charge", "density", "id"] as const;
export type ColourKind = (typeof colourKinds)[number];
export type Vec = [number, number, number];

export interface Part {
  frame: number;
  first: number;
  count: number;
  sampled: number;
  base: number; // so many are the same bodies in every frame
  bodies: number;
  scene: number;
  step: number;
  time: number;
  corner: Vec;
  cell: number;
  centre: Vec;
  colourBy: ColourKind;
  low: number;
  high: number;
  places: Uint16Array; // x, y, z each
  colours: Uint16Array;
}

export function readPart(data: ArrayBuffer): Part {
  const view = new DataView(data);
  if (view.getUint32(0, true) !== magic) throw new Error("not a frame of Apsis");
  if (view.getUint16(4, true) !== version) throw new Error("a frame of another version of Apsis; reload the page");
  const header = view.getUint16(6, true);
  const u32 = (at: number) => view.getUint32(at, true);
  const f32 = (at: number) => view.getFloat32(at, true);
  const f64 = (at: number) => view.getFloat64(at, true);
  const count = u32(16);
  if (data.byteLength !== header + 8 * count) throw new Error("a frame of the wrong length");
  return {
    frame: u32(8),
    first: u32(12),
    count,
    sampled: u32(20),
    bodies: Number(view.getBigUint64(24, true)),
    scene: Number(view.getBigUint64(32, true)),
    step: Number(view.getBigUint64(40, true)),
    time: f64(48),
    corner: [f64(56), f64(64), f64(72)],
    cell: f64(80),
    centre: [f32(88), f32(92), f32(96)],
    colourBy: colourKinds[u32(100)] ?? "speed",
    low: f32(104),
    high: f32(108),
    base: u32(112),
    places: new Uint16Array(data, header, 3 * count),
    colours: new Uint16Array(data, header + 6 * count, count),
  };
}

// Where the k-th point of a part is; nothing when it lies outside the cube.
export function placeOf(part: { places: Uint16Array; corner: Vec; cell: number }, k: number): Vec | undefined {
  const x = part.places[3 * k];
  if (x === undefined || x === 0xffff) return undefined;
  return [
    part.corner[0] + part.cell * x,
    part.corner[1] + part.cell * part.places[3 * k + 1]!,
    part.corner[2] + part.cell * part.places[3 * k + 2]!,
  ];
}
