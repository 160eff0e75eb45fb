// SPDX-License-Identifier: MIT
// Draws the bodies: points of light that add up in half floats, then a curve that keeps cores and
// faint parts visible together. Between two frames points move on a straight line, so that ten
// frames a second from the server look smooth.
import type { Camera } from "./camera";
import type { Few } from "./few";
import type { Part, Vec } from "./frames";
import { mapTexels, type MapName } from "./maps";
import { flashLight, flashShader, glowLight, pointLight, pointShader, screenLight, screenShader, shrinkLight, trailLight, trailShader } from "./shaders";
import { Strokes, type View } from "./strokes";

const flashLasts = 600, mostFlashes = 400; // ms
const glowShrink = 4;

interface Surface {
  texture: WebGLTexture;
  frame: WebGLFramebuffer;
  width: number;
  height: number;
}

interface Stored {
  places: WebGLBuffer;
  colours: WebGLBuffer;
  room: number;
  count: number;
  base: number;
  corner: Vec;
  cell: number;
  time: number;
}

export interface Look {
  map: MapName;
  brightness: number; // stops
  size: number; // octaves
  trails: number; // frames
  orbits: boolean;
  plain: boolean; // straight to the screen, without curve and glow: for software GL
}

const trailBodies = 4000, trailBodiesPlain = 800;

export class Sky {
  readonly gl: WebGL2RenderingContext;
  newest: Part | undefined; // header of the newest frame
  private readonly programs: Record<"point" | "trail" | "flash" | "shrink" | "glow" | "screen", WebGLProgram>;
  private readonly strokes: Strokes;
  private readonly mapTexture: WebGLTexture;
  private readonly sky: Surface;
  private readonly glow: [Surface, Surface];
  private readonly half: boolean;
  private stored: Stored[] = []; // newest last
  private spare: Stored[] = [];
  private arrived = 0;
  private interval = 100; // ms between frames, smoothed
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();
  private shownMap = "";
  // Drawn by the processor: whole-screen passes cost it more than all bodies do.
  readonly software: boolean;
  keep = 2; // frames that are kept: two, or the length of trails

  constructor(readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, depth: false, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("This browser gives no WebGL 2, which draws the bodies.");
    this.gl = gl;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    this.software = /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
    this.half = gl.getExtension("EXT_color_buffer_float") !== null;
    this.programs = { point: this.program(pointShader, pointLight), trail: this.program(trailShader, trailLight), flash: this.program(flashShader, flashLight), shrink: this.program(screenShader, shrinkLight), glow: this.program(screenShader, glowLight), screen: this.program(screenShader, screenLight) };
    this.strokes = new Strokes(gl, (vertex, fragment) => this.program(vertex, fragment));
    this.mapTexture = gl.createTexture()!;
    const surface = (): Surface => ({ texture: gl.createTexture()!, frame: gl.createFramebuffer()!, width: 0, height: 0 });
    this.sky = surface();
    this.glow = [surface(), surface()];
  }

  private program(vertex: string, fragment: string): WebGLProgram {
    const gl = this.gl, program = gl.createProgram()!;
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ["before", "after", "colour"].forEach((name, place) => gl.bindAttribLocation(program, place, name));
    gl.bindAttribLocation(program, 0, "place");
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program) ?? "a shader failed");
    return program;
  }

  get points(): number {
    return this.stored.at(-1)?.count ?? 0;
  }

  // A part of a new frame, or more of the newest one.
  add(part: Part): void {
    const gl = this.gl, now = performance.now();
    let last = this.stored.at(-1);
    const more = last !== undefined && this.newest?.frame === part.frame && this.newest.scene === part.scene && part.first > 0;
    if (this.newest && this.newest.scene !== part.scene) this.forget();
    if (!more) {
      if (this.newest && part.step !== this.newest.step) {
        this.interval += 0.2 * (Math.min(1000, now - this.arrived) - this.interval);
        this.arrived = now;
      }
      const again = this.newest !== undefined && part.step === this.newest.step && last !== undefined;
      if (again) this.spare.push(this.stored.pop()!);
      last = this.spare.pop() ?? { places: gl.createBuffer()!, colours: gl.createBuffer()!, room: 0, count: 0, base: 0, corner: [0, 0, 0], cell: 1, time: 0 };
      this.stored.push(last);
      while (this.stored.length > Math.max(2, this.keep)) this.spare.push(this.stored.shift()!);
      last.base = part.base, last.corner = part.corner, last.cell = part.cell, last.time = part.time, last.count = 0;
    }
    const needed = Math.max(part.sampled, part.first + part.count);
    if (last!.room < needed) this.grow(last!, needed);
    gl.bindBuffer(gl.ARRAY_BUFFER, last!.places);
    gl.bufferSubData(gl.ARRAY_BUFFER, 6 * part.first, part.places);
    gl.bindBuffer(gl.ARRAY_BUFFER, last!.colours);
    gl.bufferSubData(gl.ARRAY_BUFFER, 2 * part.first, part.colours);
    last!.count = part.first + part.count;
    this.newest = part;
  }

  private grow(stored: Stored, room: number): void {
    const gl = this.gl, kept = stored.count;
    for (const [key, width] of [["places", 6], ["colours", 2]] as const) {
      const larger = gl.createBuffer()!;
      gl.bindBuffer(gl.COPY_WRITE_BUFFER, larger);
      gl.bufferData(gl.COPY_WRITE_BUFFER, width * room, gl.DYNAMIC_DRAW);
      if (kept > 0) {
        gl.bindBuffer(gl.COPY_READ_BUFFER, stored[key]);
        gl.copyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, 0, 0, width * kept);
      }
      gl.deleteBuffer(stored[key]);
      stored[key] = larger;
    }
    stored.room = room;
  }

  private flashes: { place: Vec; begun: number }[] = [];
  private flashBuffer: WebGLBuffer | undefined;
  flash(places: readonly Vec[]): void {
    if (places.length === 0) return;
    const begun = performance.now();
    // spread over the time to the next ones, as contacts are
    places.forEach((place, k) => this.flashes.push({ place, begun: begun + (200 * k) / places.length }));
    this.flashes = this.flashes.slice(-mostFlashes);
    if (performance.getEntriesByName("first-flash").length === 0) performance.mark("first-flash");
  }

  forget(): void {
    this.spare.push(...this.stored);
    this.stored = [];
    this.flashes = [];
  }

  // Share of the way from the last frame but one to the newest; the time that this shows.
  progress(): number {
    return Math.min(1, (performance.now() - this.arrived) / Math.max(8, this.interval));
  }
  time(): number {
    const [a, b] = [this.stored.at(-2), this.stored.at(-1)];
    if (!b) return 0;
    return a ? a.time + this.progress() * (b.time - a.time) : b.time;
  }
  moving(): boolean {
    return (this.stored.length > 1 && this.progress() < 1) || this.flashes.length > 0;
  }

  private uniform(program: WebGLProgram, key: keyof Sky["programs"], name: string): WebGLUniformLocation | null {
    const id = key + name;
    if (!this.uniforms.has(id)) this.uniforms.set(id, this.gl.getUniformLocation(program, name));
    return this.uniforms.get(id)!;
  }

  private resize(plain: boolean): void {
    const ratio = Math.min(plain ? 1 : 2, devicePixelRatio || 1);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio)), height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width === width && this.canvas.height === height && this.sized) return;
    this.canvas.width = width, this.canvas.height = height, this.sized = true;
    this.allot(this.sky, width, height);
    for (const surface of this.glow) this.allot(surface, Math.max(1, Math.floor(width / glowShrink)), Math.max(1, Math.floor(height / glowShrink)));
  }
  private allot(surface: Surface, width: number, height: number): void {
    const gl = this.gl;
    surface.width = width, surface.height = height;
    gl.bindTexture(gl.TEXTURE_2D, surface.texture);
    if (this.half) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, width, height, 0, gl.RGBA, gl.HALF_FLOAT, null);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, surface.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, surface.texture, 0);
  }
  private sized = false;

  private useMap(map: MapName): void {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.mapTexture);
    if (this.shownMap === map) return;
    this.shownMap = map;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(mapTexels(map, false).buffer));
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]] as const) gl.texParameteri(gl.TEXTURE_2D, name, value);
  }

  private bind(before: Stored, after: Stored, divisor: number): void {
    const gl = this.gl;
    for (const [place, buffer, size, normal] of [[0, before.places, 3, false], [1, after.places, 3, false], [2, after.colours, 1, true]] as const) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.UNSIGNED_SHORT, normal, 0, 0);
      gl.vertexAttribDivisor(place, divisor);
    }
  }

  draw(camera: Camera, look: Look, few: Few): void {
    const gl = this.gl;
    this.resize(look.plain);
    const { width, height } = this.canvas;
    gl.bindFramebuffer(gl.FRAMEBUFFER, look.plain ? null : this.sky.frame);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    this.useMap(look.map);
    const after = this.stored.at(-1);
    if (after && after.count > 0) {
      const origin = camera.target, view = camera.matrix(width / height, [...origin] as Vec);
      if (look.trails > 0 && !few.all) this.drawTrails(view, origin, look.plain);
      if (!few.all) this.drawPoints(view, origin, after, camera, look, height);
      if (this.newest) this.drawFew(few, this.newest, { matrix: view, origin, width, height, ratio: height / Math.max(1, this.canvas.clientHeight), focal: height / 2 / Math.tan(camera.fieldOfView / 2), plain: look.plain, gain: 2 ** (0.4 * look.brightness) }, look);
      this.drawFlashes(view, origin, camera, look, height);
    }
    gl.disable(gl.BLEND);
    if (look.plain) return;
    // four taps of two by two pixels each cover the sixteen that become one
    this.spreadLight("shrink", this.sky, this.glow[0], 0.25, 0.25);
    this.spreadLight("glow", this.glow[0], this.glow[1], 1, 0);
    this.spreadLight("glow", this.glow[1], this.glow[0], 0, 1);
    const screen = this.programs.screen;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.useProgram(screen);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.glow[0].texture);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.sky.texture);
    gl.uniform1i(this.uniform(screen, "screen", "glow"), 1);
    gl.uniform2f(this.uniform(screen, "screen", "size"), width, height);
    gl.uniform1f(this.uniform(screen, "screen", "exposure"), 2 ** look.brightness);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private spreadLight(kind: "shrink" | "glow", from: Surface, to: Surface, x: number, y: number): void {
    const gl = this.gl, program = this.programs[kind];
    gl.bindFramebuffer(gl.FRAMEBUFFER, to.frame);
    gl.viewport(0, 0, to.width, to.height);
    gl.useProgram(program);
    gl.bindTexture(gl.TEXTURE_2D, from.texture);
    gl.uniform2f(this.uniform(program, kind, "size"), to.width, to.height);
    gl.uniform2f(this.uniform(program, kind, "along"), x, y);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private cube(program: WebGLProgram, key: "point" | "trail", name: string, stored: Stored, origin: Vec): void {
    this.gl.uniform4f(this.uniform(program, key, name), stored.corner[0] - origin[0], stored.corner[1] - origin[1], stored.corner[2] - origin[2], stored.cell);
  }

  private drawPoints(view: Float32Array, origin: Vec, after: Stored, camera: Camera, look: Look, height: number): void {
    const gl = this.gl, program = this.programs.point;
    const previous = this.stored.at(-2);
    gl.useProgram(program);
    gl.uniformMatrix4fv(this.uniform(program, "point", "view"), false, view);
    gl.uniform1f(this.uniform(program, "point", "nearest"), camera.distance);
    // few bodies are discs, many are fine points: as in `apsis render`
    const n = Math.max(1, Math.min(after.count, this.newest?.bodies ?? after.count)), scale = height / 720;
    const size = 2 * scale * Math.min(13, Math.max(1.6, 15 / n ** 0.21)) * 2 ** look.size;
    gl.uniform1f(this.uniform(program, "point", "size"), size);
    const gain = Math.min(1.6, 0.22 + 9 / n ** 0.5);
    gl.uniform1f(this.uniform(program, "point", "gain"), look.plain ? gain * 2 ** look.brightness : gain);
    gl.uniform1i(this.uniform(program, "point", "plain"), look.plain ? 1 : 0);
    const draw = (from: Stored, first: number, count: number, share: number) => {
      if (count <= 0) return;
      this.bind(from, after, 0);
      this.cube(program, "point", "cubeBefore", from, origin);
      this.cube(program, "point", "cubeAfter", after, origin);
      gl.uniform1f(this.uniform(program, "point", "share"), share);
      gl.drawArrays(gl.POINTS, first, count);
    };
    const both = Math.min(previous?.count ?? 0, previous?.base ?? 0, after.count, after.base);
    if (previous) draw(previous, 0, both, this.progress());
    draw(after, both, after.count - both, 1);
  }

  private drawFew(few: Few, part: Part, view: View, look: Look): void {
    const share = this.progress();
    this.strokes.lines(view, few.lines(part, look.map, share, look.trails, look.orbits));
    this.strokes.discs(view, few.discs(part, look.map, share).map((disc) => ({ ...disc, spot: disc.spot * 2 ** look.size })));
  }

  private drawFlashes(view: Float32Array, origin: Vec, camera: Camera, look: Look, height: number): void {
    const gl = this.gl, now = performance.now(), program = this.programs.flash;
    this.flashes = this.flashes.filter(({ begun }) => now - begun < flashLasts);
    if (this.flashes.length === 0) return;
    const values = new Float32Array(this.flashes.flatMap(({ place, begun }) => [place[0] - origin[0], place[1] - origin[1], place[2] - origin[2], begun - now]));
    this.flashBuffer ??= gl.createBuffer()!;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.flashBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
    for (const place of [1, 2]) gl.disableVertexAttribArray(place);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(0, 0);
    gl.useProgram(program);
    gl.uniformMatrix4fv(this.uniform(program, "flash", "view"), false, view);
    gl.uniform1f(this.uniform(program, "flash", "now"), 0);
    gl.uniform1f(this.uniform(program, "flash", "lasts"), flashLasts);
    gl.uniform1f(this.uniform(program, "flash", "nearest"), camera.distance);
    gl.uniform1f(this.uniform(program, "flash", "size"), (24 * 2 ** look.size * height) / 720);
    gl.drawArrays(gl.POINTS, 0, this.flashes.length);
  }

  // Ribbons; without a graphics processor thin lines, and fewer of them.
  private drawTrails(view: Float32Array, origin: Vec, plain: boolean): void {
    const gl = this.gl, program = this.programs.trail;
    gl.useProgram(program);
    gl.uniformMatrix4fv(this.uniform(program, "trail", "view"), false, view);
    gl.uniform2f(this.uniform(program, "trail", "size"), this.canvas.width, this.canvas.height);
    gl.uniform1f(this.uniform(program, "trail", "width"), plain ? 0 : (2.2 * this.canvas.height) / Math.max(1, this.canvas.clientHeight));
    const most = plain ? trailBodiesPlain : trailBodies;
    const frames = this.stored.slice(0, -1), gain = 0.4 / Math.max(1, Math.min(most, this.points) / 100) ** 0.5;
    for (let k = 1; k < frames.length; ++k) {
      const [a, b] = [frames[k - 1]!, frames[k]!];
      gl.uniform1f(this.uniform(program, "trail", "fade"), gain * (k / frames.length) ** 1.5);
      this.bind(a, b, 1);
      this.cube(program, "trail", "cubeBefore", a, origin);
      this.cube(program, "trail", "cubeAfter", b, origin);
      gl.drawArraysInstanced(plain ? gl.LINES : gl.TRIANGLE_STRIP, 0, plain ? 2 : 4, Math.min(most, a.count, b.count, a.base, b.base));
    }
    for (const place of [0, 1, 2]) gl.vertexAttribDivisor(place, 0);
  }
}
