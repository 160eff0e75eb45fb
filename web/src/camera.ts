// SPDX-License-Identifier: MIT
// A camera that goes round a point: turned by mouse, touch and keys, with a little inertia.
import type { Vec } from "./frames";

export class Camera {
  azimuth = 0.3;
  elevation = 0.9; // from the x-y plane; π/2 looks down on it
  distance = 10;
  target: Vec = [0, 0, 0];
  readonly fieldOfView = 0.7; // upright, radians
  moved = 0; // when it was last touched (ms)
  own = false; // a hand moved or zoomed it: it stays where it was put
  private spin: [number, number] = [0, 0];

  // Unit vectors of the picture in space.
  axes(): { right: Vec; up: Vec; back: Vec } {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth);
    const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    return { right: [ca, sa, 0], up: [-se * sa, se * ca, ce], back: [ce * sa, -ce * ca, se] };
  }

  // Where the target is drawn, as a share of half the picture: the middle of what no panel covers.
  place: [number, number] = [0, 0];

  // Space relative to `origin`, which keeps float's digits for what is near.
  matrix(aspect: number, origin: Vec): Float32Array {
    const { right, up, back } = this.axes();
    const near = this.distance * 0.01, far = this.distance * 1000;
    const f = 1 / Math.tan(this.fieldOfView / 2);
    const t: Vec = [this.target[0] - origin[0], this.target[1] - origin[1], this.target[2] - origin[2]];
    const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const rows: [Vec, number][] = [
      [right, -dot(right, t)],
      [up, -dot(up, t)],
      [back, -dot(back, t) - this.distance],
    ];
    const m = new Float32Array(16);
    const a = (far + near) / (near - far), b = (2 * far * near) / (near - far);
    for (let c = 0; c < 4; ++c) {
      const entry = (r: number) => (c < 3 ? rows[r]![0][c]! : rows[r]![1]);
      m[4 * c] = (f / aspect) * entry(0);
      m[4 * c + 1] = f * entry(1);
      m[4 * c + 2] = a * entry(2) + (c === 3 ? b : 0);
      m[4 * c + 3] = -entry(2);
      m[4 * c] = m[4 * c]! + this.place[0] * m[4 * c + 3]!;
      m[4 * c + 1] = m[4 * c + 1]! + this.place[1] * m[4 * c + 3]!;
    }
    return m;
  }

  // Where a place is drawn, in pixels of a picture of that size, and how far away; nothing for what
  // lies behind.
  project(place: Vec, width: number, height: number, m = this.matrix(width / height, this.target)): { x: number; y: number; w: number } | undefined {
    const p = place.map((value, axis) => value - this.target[axis]!) as Vec;
    const w = m[3]! * p[0] + m[7]! * p[1] + m[11]! * p[2] + m[15]!;
    if (w <= 0) return undefined;
    const x = ((m[0]! * p[0] + m[4]! * p[1] + m[8]! * p[2] + m[12]!) / w + 1) * 0.5 * width;
    const y = (1 - (m[1]! * p[0] + m[5]! * p[1] + m[9]! * p[2] + m[13]!) / w) * 0.5 * height;
    return { x, y, w };
  }

  // Length seen across `pixels` of a picture of that height, at the distance of the target.
  lengthOf(pixels: number, height: number): number {
    return (2 * Math.tan(this.fieldOfView / 2) * this.distance * pixels) / height;
  }

  turn(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.elevation + dy));
    this.spin = [dx, dy];
    this.touch();
  }
  shift(dx: number, dy: number, height: number): void {
    const { right, up } = this.axes();
    const scale = this.lengthOf(1, height);
    for (let k = 0; k < 3; ++k) this.target[k] = this.target[k]! + scale * (-dx * right[k]! + dy * up[k]!);
    this.touch();
    this.own = true;
  }
  zoom(factor: number): void {
    this.distance = Math.min(1e30, Math.max(1e-30, this.distance / factor));
    this.touch();
    this.own = true;
  }
  release(): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.spin = [0, 0];
  }
  hold(): void {
    this.spin = [0, 0];
  }
  // One drawn frame; true while it still glides.
  glide(): boolean {
    if (Math.hypot(...this.spin) < 2e-4) return false;
    this.spin = [this.spin[0] * 0.92, this.spin[1] * 0.92];
    this.azimuth -= this.spin[0];
    this.elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.elevation + this.spin[1]));
    return true;
  }
  private touch(): void {
    this.moved = performance.now();
  }
}

// Mouse, pen and fingers on the canvas. `click` gets a place in CSS pixels.
export function handleCamera(canvas: HTMLCanvasElement, camera: Camera, click: (x: number, y: number) => void): void {
  const pointers = new Map<number, [number, number]>();
  let travelled = 0, spread = 0, gliding = false;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    travelled = 0, spread = 0, gliding = false;
    camera.hold();
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before[0], dy = event.clientY - before[1];
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    travelled += Math.hypot(dx, dy);
    if (pointers.size === 1) {
      if (event.buttons & 2 || event.shiftKey) camera.shift(dx, dy, canvas.clientHeight);
      else if (travelled > 3) camera.turn(dx * 0.006, dy * 0.006), (gliding = true);
    } else if (pointers.size === 2) {
      const [a, b] = [...pointers.values()] as [[number, number], [number, number]];
      const now = Math.hypot(a[0] - b[0], a[1] - b[1]);
      if (spread > 0) camera.zoom(now / spread);
      spread = now;
      camera.shift(dx / 2, dy / 2, canvas.clientHeight);
    }
  });
  const lift = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size === 0 && travelled <= 3 && event.type === "pointerup" && event.button === 0) click(event.clientX, event.clientY);
    if (!gliding) camera.hold();
    camera.release();
    spread = 0;
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.04 : 0.0014)));
  }, { passive: false });
}
