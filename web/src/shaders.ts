// SPDX-License-Identifier: MIT
// What the graphics processor runs for the sky: points, trails, flashes, and light on the screen.
export const pointShader = `#version 300 es
in vec3 before; in vec3 after; in float colour;
uniform mat4 view; uniform vec4 cubeBefore, cubeAfter; uniform float share, size, nearest; uniform sampler2D map;
out vec3 light;
void main() {
  vec3 a = cubeBefore.xyz + cubeBefore.w * before, b = cubeAfter.xyz + cubeAfter.w * after;
  bool gone = after.x > 65534.5, fresh = before.x > 65534.5;
  gl_Position = view * vec4(fresh ? b : mix(a, b, share), 1.0);
  float near = clamp(nearest / gl_Position.w, 0.35, 3.0);
  float radius = size * near;
  gl_PointSize = max(1.5, radius);
  light = 2.0 * texture(map, vec2(colour, 0.5)).rgb * near * near * pow(radius / gl_PointSize, 2.0);
  if (gone || gl_Position.w <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }
}`;
export const pointLight = `#version 300 es
precision mediump float; precision highp int;
in vec3 light; out vec4 colour; uniform float gain; uniform bool plain;
void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float r = dot(p, p);
  if (r > 1.0) discard;
  float w = 1.0 - r;
  vec3 c = gain * light * (w * w * (0.25 + 1.75 * w * w * w * w));
  colour = vec4(plain ? 0.55 * sqrt(c) : c, 1.0);
}`;
// Both ends of a stroke in clip space, made a ribbon of `width` pixels: four corners of a strip.
// Without a width they are those of a thin line.
const ribbon = `
vec4 ribbon(vec4 p, vec4 q, vec2 size, float width, out float side) {
  bool end = (gl_VertexID & 1) == 1;
  side = width > 0.0 ? (gl_VertexID > 1 ? 1.0 : -1.0) : 0.0;
  float least = 1e-4 * (abs(p.w) + abs(q.w));
  if (p.w < least && q.w < least) return vec4(2.0, 2.0, 2.0, 1.0);
  if (p.w < least) p = mix(p, q, (least - p.w) / (q.w - p.w));
  if (q.w < least) q = mix(q, p, (least - q.w) / (p.w - q.w));
  vec2 along = (q.xy / q.w - p.xy / p.w) * size;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec4 corner = end ? q : p;
  corner.xy += side * vec2(-along.y, along.x) * width / size * corner.w;
  return corner;
}`;
export const trailShader = `#version 300 es
in vec3 before; in vec3 after; in float colour;
uniform mat4 view; uniform vec4 cubeBefore, cubeAfter; uniform float fade, width; uniform vec2 size; uniform sampler2D map;
out vec3 light; out float side;${ribbon}
void main() {
  gl_Position = ribbon(view * vec4(cubeBefore.xyz + cubeBefore.w * before, 1.0), view * vec4(cubeAfter.xyz + cubeAfter.w * after, 1.0), size, width, side);
  light = fade * texture(map, vec2(colour, 0.5)).rgb;
  if (before.x > 65534.5 || after.x > 65534.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;
export const trailLight = `#version 300 es
precision mediump float; in vec3 light; in float side; out vec4 colour;
void main() { colour = vec4((1.0 - side * side) * light, 1.0); }`;
// Orbits and traces: a place and its light each.
export const lineShader = `#version 300 es
in vec4 before; in vec4 after;
uniform mat4 view; uniform float width; uniform vec2 size; uniform vec3 tint;
out vec3 light; out float side;${ribbon}
void main() {
  gl_Position = ribbon(view * vec4(before.xyz, 1.0), view * vec4(after.xyz, 1.0), size, width, side);
  light = ((gl_VertexID & 1) == 1 ? after.w : before.w) * tint;
}`;
export const lineLight = `#version 300 es
precision mediump float; precision highp int; in vec3 light; in float side; uniform bool plain; uniform float gain; out vec4 colour;
void main() {
  vec3 c = (1.0 - side * side) * light;
  colour = vec4(plain ? gain * 0.8 * sqrt(c) * (1.0 - side * side) : 0.3 * c, 1.0);
}`;
// A body by itself: at least a spot, its true size where that is larger. The disc takes 0.4 of the
// square, its shine the rest.
export const discShader = `#version 300 es
in vec4 before; in vec4 after; // place and spot; tint and radius
uniform mat4 view; uniform float focal, largest, least; out vec3 light; out float edge;
void main() {
  gl_Position = view * vec4(before.xyz, 1.0);
  float radius = max(max(before.w, least), after.w * focal / gl_Position.w);
  gl_PointSize = min(largest, 2.0 * radius / 0.4);
  edge = 1.5 / gl_PointSize;
  light = after.xyz;
  if (gl_Position.w <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;
export const discLight = `#version 300 es
precision mediump float; precision highp int; in vec3 light; in float edge; uniform bool plain; uniform float gain; out vec4 colour;
void main() {
  float r = length(2.0 * gl_PointCoord - 1.0);
  if (r > 1.0) discard;
  float disc = 1.0 - smoothstep(0.4 - 2.0 * edge, 0.4 + 2.0 * edge, r);
  float shine = exp(-7.0 * r * r) * (1.0 - r * r);
  float limb = sqrt(max(0.0, 1.0 - r * r / 0.18));
  vec3 c = light * (disc * (0.75 + 0.25 * limb) + 0.3 * shine * (1.0 - disc));
  colour = vec4(plain ? gain * sqrt(c) * (disc + (1.0 - disc) * (1.0 - r)) : 2.2 * c, disc);
}`;
// Where bodies touched: a spot that grows as it fades.
export const flashShader = `#version 300 es
in vec4 place; uniform mat4 view; uniform float now, lasts, size, nearest; out float strength;
void main() {
  float age = (now - place.w) / lasts;
  gl_Position = view * vec4(place.xyz, 1.0);
  gl_PointSize = size * clamp(nearest / gl_Position.w, 0.35, 3.0) * (0.5 + age);
  strength = (1.0 - age) * (1.0 - age);
  if (age < 0.0 || age >= 1.0 || gl_Position.w <= 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;
export const flashLight = `#version 300 es
precision mediump float; in float strength; out vec4 colour;
void main() {
  vec2 p = 2.0 * gl_PointCoord - 1.0;
  float w = 1.0 - dot(p, p);
  if (w < 0.0) discard;
  colour = vec4(strength * w * w * vec3(1.0, 0.85, 0.55), 1.0);
}`;
export const screenShader = `#version 300 es
void main() { vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0); gl_Position = vec4(p, 0.0, 1.0); }`;
export const screenLight = `#version 300 es
precision highp float; uniform sampler2D sky, glow; uniform float exposure; uniform vec2 size; out vec4 colour;
float curve(float x) { return log(x + sqrt(x * x + 1.0)); }
void main() {
  vec3 c = (texelFetch(sky, ivec2(gl_FragCoord.xy), 0).rgb + 0.4 * texture(glow, gl_FragCoord.xy / size).rgb) * exposure;
  float l = dot(c, vec3(0.2126, 0.7152, 0.0722));
  if (l > 0.0) {
    float t = curve(6.0 * l) / curve(6.0 * 6.0);
    c *= t / l;
    float peak = max(c.r, max(c.g, c.b));
    if (peak > 1.0) { float grey = min(t, 1.0); c = grey + (c - grey) * (1.0 - grey) / max(peak - grey, 1e-5); }
  }
  c = mix(12.92 * c, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) / 255.0;
  colour = vec4(c + (l > 0.0 ? noise : 0.0), 1.0);
}`;
// One direction of a Gaussian over a small copy of the sky: crowded places glow.
export const glowLight = `#version 300 es
precision highp float; uniform sampler2D sky; uniform vec2 size, along; out vec4 colour;
void main() {
  vec2 p = gl_FragCoord.xy / size;
  vec3 sum = vec3(0.0); float all = 0.0;
  for (int i = -8; i <= 8; ++i) {
    float w = exp(-0.07 * float(i * i));
    sum += w * texture(sky, p + float(i) * along / size).rgb; all += w;
  }
  colour = vec4(min(sum / all, 60.0), 1.0);
}`;
export const shrinkLight = `#version 300 es
precision highp float; uniform sampler2D sky; uniform vec2 size, along; out vec4 colour;
void main() {
  vec2 p = gl_FragCoord.xy / size, q = along / size;
  colour = 0.25 * (texture(sky, p + q) + texture(sky, p - q) + texture(sky, p + vec2(q.x, -q.y)) + texture(sky, p + vec2(-q.x, q.y)));
}`;
