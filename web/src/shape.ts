// SPDX-License-Identifier: MIT
// Radii that hold shares of the mass, over time, and the density about the centre now. The server
// is asked for them only while they are shown.
import { Chart, fromZero, near, type Kind } from "./charts";
import type { Scene, ShapeMessage } from "./connection";
import { find } from "./dom";

type RadiiRow = [time: number, r10: number, r50: number, r90: number];
type DensityRow = [logRadius: number, logDensity: number];

// As the server has it: fewer bodies have no profile worth the name.
const fewest = 100, longest = 720;

const radii: Kind<RadiiRow> = {
  id: "chart-radii",
  scale: fromZero,
  curves: [{ value: (row) => row[1], ink: "--kinetic" }, { value: (row) => row[2], ink: "--total" }, { value: (row) => row[3], ink: "--potential" }],
};
const density: Kind<DensityRow> = { id: "chart-density", scale: { range: near }, powers: true, curves: [{ value: (row) => row[1], ink: "--accent" }] };

export class ShapeCharts {
  private rows: RadiiRow[] = [];
  private readonly radii = new Chart<RadiiRow>(radii);
  private readonly density = new Chart<DensityRow>(density);
  private readonly box = find<HTMLDetailsElement>("shape");

  constructor(private readonly ask: (on: boolean) => void) {
    this.box.addEventListener("toggle", () => this.tell());
  }

  // After the connection was made, too: the server forgets.
  tell(): void {
    this.ask(this.box.open && !this.box.hidden);
  }
  restart(scene: Scene): void {
    this.box.hidden = scene.bodies < fewest;
    find("radii-unit").textContent = scene.length_unit ? ` (${scene.length_unit})` : "";
    const perVolume = scene.mass_unit && scene.length_unit ? ` (${scene.mass_unit}/${scene.length_unit}\u00b3)` : "";
    find("density-unit").textContent = perVolume;
    this.rows = [];
    this.radii.show([]);
    this.density.show([]);
    find("shape-note").textContent = "";
    this.tell();
  }
  show(shape: ShapeMessage, scene: Scene | undefined): void {
    if (shape.scene !== scene?.scene) return;
    const [r10, r50, r90] = shape.radii;
    if (r10 !== undefined && r50 !== undefined && r90 !== undefined) {
      // a recording may go back
      this.rows = [...this.rows.filter((row) => row[0] < shape.time), [shape.time, r10, r50, r90] as RadiiRow].slice(-longest);
    }
    this.radii.show(this.rows);
    this.density.show(shape.profile.filter(([radius, at]) => radius > 0 && at > 0).map(([radius, at]) => [Math.log10(radius), Math.log10(at)] as DensityRow));
    const all = scene.bodies;
    find("shape-note").textContent = shape.bodies < all ? `of a sample of ${shape.bodies.toLocaleString("en")} bodies` : "";
  }
}
