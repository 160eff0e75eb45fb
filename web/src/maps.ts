// SPDX-License-Identifier: MIT
// The colour maps of `apsis render` (src/apsis/render/colour_map.cpp): paths through OKLCh.

export type MapName = "stars" | "ember" | "sea" | "poles" | "grey";
type Lch = [lightness: number, chroma: number, hue: number];

const blend = (a: number, b: number, t: number) => a + (b - a) * t;
const smooth = (t: number) => t * t * (3 - 2 * t);

function acrossWhite(t: number, chroma: number, dip: number): Lch {
  const side = 2 * t - 1;
  return [0.8 - dip * (1 - Math.abs(side)), chroma * Math.abs(side) ** 0.8, side < 0 ? 262 : 62];
}

const paths: Record<MapName, (t: number) => Lch> = {
  stars: (t) => acrossWhite(t, 0.135, -0.1),
  ember: (t) => [blend(0.42, 0.95, t), 0.13 + 0.09 * Math.sin(Math.PI * t), blend(305, 460, smooth(t))],
  sea: (t) => [blend(0.4, 0.94, t), 0.1 + 0.05 * Math.sin(Math.PI * t), blend(282, 135, smooth(t))],
  poles: (t) => acrossWhite(t, 0.16, 0.35),
  grey: (t) => [blend(0.35, 1, t), 0, 0],
};

// Linear light.
export function colourAt(map: MapName, t: number): [number, number, number] {
  const [lightness, chroma, hue] = paths[map](Math.min(1, Math.max(0, t)));
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    Math.max(0, 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    Math.max(0, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    Math.max(0, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

export const toDisplay = (v: number) =>
  Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * Math.min(1, v) ** (1 / 2.4) - 0.055));

// 256 texels for the sky (linear light, halved so that bytes hold more than white) and the legend.
export function mapTexels(map: MapName, display: boolean): Uint8ClampedArray {
  const texels = new Uint8ClampedArray(256 * 4);
  for (let i = 0; i < 256; ++i) {
    const colour = colourAt(map, i / 255);
    for (let c = 0; c < 3; ++c) texels[4 * i + c] = display ? toDisplay(colour[c]!) : 127.5 * colour[c]!;
    texels[4 * i + 3] = 255;
  }
  return texels;
}
