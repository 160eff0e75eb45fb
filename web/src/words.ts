// SPDX-License-Identifier: MIT
// Words on the sky: time, scale, what colours mean, names of bodies.
import type { Camera } from "./camera";
import { short } from "./charts";
import type { Scene } from "./connection";
import { choice, find } from "./dom";
import type { Few } from "./few";
import type { Part, Vec } from "./frames";
import { mapTexels, type MapName } from "./maps";
import { drawMarks, type Inks, type Mark } from "./marks";
import type { Caption } from "./record";
import type { Sky } from "./sky";

// Numbers are no names: of more bodies than that without any only the followed one has its own.
const mostNumbers = 12;

export interface Followed {
  id: number;
  name: string;
  place: Vec;
  few: boolean;
}

export class Words {
  private legendShown = "";
  private blank = true;
  private boxes: ReturnType<typeof drawMarks> = [];

  constructor(private readonly sky: Sky, private readonly camera: Camera) {}

  private scaleLength(): { length: number; pixels: number } {
    const limit = this.camera.lengthOf(160, this.sky.canvas.clientHeight), power = 10 ** Math.floor(Math.log10(limit));
    const length = ([5, 2, 1].find((step) => step * power <= limit) ?? 1) * power;
    return { length, pixels: (160 * length) / limit };
  }
  private timeText(scene: Scene | undefined): string {
    if (!scene) return "";
    const longest = Math.max(Math.abs(scene.first_time), Math.abs(scene.last_time));
    const digits = longest > 0 ? Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(longest)))) : 2;
    return `t = ${this.sky.time().toFixed(digits)}${scene.time_unit ? ` ${scene.time_unit}` : ""}`;
  }
  caption(scene: Scene | undefined): Caption {
    const { length, pixels } = this.scaleLength();
    return { time: this.timeText(scene), scale: `${short(length)} ${scene?.length_unit ?? ""}`.trim(), scalePixels: (pixels * this.sky.canvas.width) / this.sky.canvas.clientWidth };
  }
  write(scene: Scene | undefined): void {
    const { length, pixels } = this.scaleLength();
    const set = (id: string, text: string) => {
      const box = find(id);
      if (box.textContent !== text) box.textContent = text;
    };
    set("time", this.timeText(scene));
    set("scale-text", `${short(length)} ${scene?.length_unit ?? ""}`.trim());
    find("scale-bar").style.width = `${pixels.toFixed(1)}px`;
  }
  legend(part: Part): void {
    const log = part.colourBy === "mass" || part.colourBy === "density";
    find("legend-low").textContent = log ? short(10 ** part.low) : short(part.low);
    find("legend-high").textContent = log ? short(10 ** part.high) : short(part.high);
    const map = choice("palette").value as MapName;
    if (this.legendShown === map) return;
    this.legendShown = map;
    find<HTMLCanvasElement>("legend-bar").getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(mapTexels(map, true)), 256, 1), 0, 0);
  }

  // --- names

  private marks(few: Few, names: boolean, followed: Followed | undefined): Mark[] {
    const { clientWidth: width, clientHeight: height } = this.sky.canvas, matrix = this.camera.matrix(width / height, this.camera.target);
    const share = this.sky.progress(), focal = height / 2 / Math.tan(this.camera.fieldOfView / 2), marks: Mark[] = [];
    const numbers = few.all && few.bodies.length <= mostNumbers;
    for (const body of few.bodies) {
      const at = this.camera.project(few.place(body, share), width, height, matrix), chosen = followed?.few === true && followed.id === body.id;
      const text = names || chosen ? body.name || (numbers || chosen ? `body ${body.id}` : "") : "";
      if (at && (text !== "" || chosen)) marks.push({ x: at.x, y: at.y, radius: Math.max((few.spot(body) * height) / 1080, (body.radius * focal) / at.w), text, weight: body.mass, chosen, id: body.id });
    }
    if (followed && !followed.few) {
      const at = this.camera.project(followed.place, width, height, matrix);
      if (at) marks.push({ ...at, radius: 4, text: followed.name, weight: Infinity, chosen: true, id: followed.id });
    }
    return marks;
  }
  private inks(): Inks {
    const style = getComputedStyle(document.documentElement);
    return { size: parseFloat(getComputedStyle(document.body).fontSize), word: style.getPropertyValue("--ink"), ring: style.getPropertyValue("--accent") };
  }
  name(sheet: HTMLCanvasElement, few: Few, names: boolean, followed: Followed | undefined): void {
    const marks = this.marks(few, names, followed);
    if (marks.length === 0 && this.blank) return;
    const { clientWidth: width, clientHeight: height } = this.sky.canvas, ratio = Math.min(2, devicePixelRatio || 1);
    if (sheet.width !== Math.round(width * ratio) || sheet.height !== Math.round(height * ratio)) (sheet.width = Math.round(width * ratio)), (sheet.height = Math.round(height * ratio));
    const pen = sheet.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.boxes = drawMarks(pen, marks, width, height, this.inks());
    this.blank = marks.length === 0;
  }
  // The body whose name is there.
  named(x: number, y: number): number | undefined {
    return this.boxes.find((box) => box.left - 4 <= x && x <= box.right + 4 && box.top - 4 <= y && y <= box.bottom + 4)?.id;
  }
}
