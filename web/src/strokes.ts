// SPDX-License-Identifier: MIT
// Lines of a width in pixels and round bodies, for what is drawn one by one. Places are taken
// relative to the camera's target before they become floats.
import type { Vec } from "./frames";
import { discLight, discShader, lineLight, lineShader } from "./shaders";

export interface Line {
  path: Vec[];
  tint: Vec; // linear light
  light: (share: number) => number; // of the way along it
  width: number; // pixels of CSS
}
export interface Disc {
  place: Vec;
  tint: Vec;
  spot: number; // radius in pixels of a picture 1080 high
  radius: number; // its true one
}
export interface View {
  matrix: Float32Array;
  origin: Vec;
  width: number;
  height: number;
  ratio: number; // of the screen's pixels to those of CSS
  focal: number; // pixels that a length of 1 takes at a distance of 1
  plain: boolean;
  gain: number;
}

export class Strokes {
  private readonly line: WebGLProgram;
  private readonly disc: WebGLProgram;
  private readonly buffer: WebGLBuffer;
  private readonly array: WebGLVertexArrayObject;
  private readonly largest: number;
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();
  private data = new Float32Array(0);

  constructor(private readonly gl: WebGL2RenderingContext, program: (vertex: string, fragment: string) => WebGLProgram) {
    this.line = program(lineShader, lineLight);
    this.disc = program(discShader, discLight);
    this.buffer = gl.createBuffer()!;
    this.array = gl.createVertexArray()!;
    this.largest = (gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE) as Float32Array)[1]!;
  }

  private uniform(program: WebGLProgram, name: string): WebGLUniformLocation | null {
    const key = (program === this.line ? "line " : "disc ") + name;
    if (!this.uniforms.has(key)) this.uniforms.set(key, this.gl.getUniformLocation(program, name));
    return this.uniforms.get(key)!;
  }
  private fill(count: number): Float32Array {
    if (this.data.length < count) this.data = new Float32Array(2 * count);
    return this.data;
  }
  private begin(program: WebGLProgram, view: View, data: Float32Array): void {
    const gl = this.gl;
    gl.useProgram(program);
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
    const at = (name: string) => this.uniform(program, name);
    gl.uniformMatrix4fv(at("view"), false, view.matrix);
    gl.uniform2f(at("size"), view.width, view.height);
    gl.uniform1i(at("plain"), view.plain ? 1 : 0);
    gl.uniform1f(at("gain"), view.gain);
  }
  private attribute(place: number, size: number, stride: number, offset: number, divisor: number): void {
    const gl = this.gl;
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(place, divisor);
  }

  // All in one buffer: each line's segments are drawn from its first point on.
  lines(view: View, lines: readonly Line[]): void {
    const count = lines.reduce((sum, line) => sum + line.path.length, 0);
    if (count === 0) return;
    const gl = this.gl, data = this.fill(4 * count);
    let at = 0;
    for (const { path, light } of lines) {
      path.forEach((p, k) => {
        for (let axis = 0; axis < 3; ++axis) data[at++] = p[axis]! - view.origin[axis]!;
        data[at++] = light(path.length > 1 ? k / (path.length - 1) : 1);
      });
    }
    this.begin(this.line, view, data.subarray(0, 4 * count));
    let first = 0;
    for (const { path, tint, width } of lines) {
      gl.uniform3f(this.uniform(this.line, "tint"), ...tint);
      gl.uniform1f(this.uniform(this.line, "width"), (width + 1) * view.ratio);
      this.attribute(0, 4, 16, 16 * first, 1);
      this.attribute(1, 4, 16, 16 * (first + 1), 1);
      if (path.length > 1) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, path.length - 1);
      first += path.length;
    }
    gl.bindVertexArray(null);
  }

  // They cover lines and what was drawn before: the lighter come last.
  discs(view: View, discs: readonly Disc[]): void {
    if (discs.length === 0) return;
    const gl = this.gl, data = this.fill(8 * discs.length);
    discs.forEach(({ place, tint, spot, radius }, k) => {
      data.set([place[0] - view.origin[0], place[1] - view.origin[1], place[2] - view.origin[2], (spot * view.height) / 1080, ...tint, radius], 8 * k);
    });
    this.begin(this.disc, view, data.subarray(0, 8 * discs.length));
    gl.uniform1f(this.uniform(this.disc, "focal"), view.focal);
    gl.uniform1f(this.uniform(this.disc, "largest"), this.largest);
    gl.uniform1f(this.uniform(this.disc, "least"), 2 * view.ratio);
    this.attribute(0, 4, 32, 0, 0);
    this.attribute(1, 4, 32, 16, 0);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(gl.POINTS, 0, discs.length);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.bindVertexArray(null);
  }
}
