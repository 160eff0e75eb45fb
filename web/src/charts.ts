// SPDX-License-Identifier: MIT
// Small live charts over the time of the run.
import uPlot from "uplot";
import type { ChartRow } from "./connection";

const longest = 720;

export const short = (value: number): string => {
  if (!Number.isFinite(value)) return "\u2013";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e5 || size < 1e-3) return value.toExponential(1).replace("e+", "e");
  return size >= 100 ? value.toFixed(0) : value.toPrecision(3).replace(/\.?0+$/, "");
};

type Value = (row: ChartRow) => number | null | undefined;
interface Curve {
  value: Value;
  ink: string; // name of a colour of page.css
}
interface Kind {
  id: string;
  curves: Curve[];
  scale: uPlot.Scale;
  logarithmic?: boolean;
}

// a little air about a constant, and none below what counts from zero
const about = (low: number, high: number): [number, number] => {
  const air = low === high ? 0.1 * (Math.abs(low) || 1) : 0.08 * (high - low);
  return [low - air, high + air];
};
const fromZero: uPlot.Scale = { range: (_u, low, high) => (low === high ? about(low, high) : [Math.min(0, low), high * 1.05]) };
const bothSigns: uPlot.Scale = { range: (_u, low, high) => (low === null || high === null ? [-1, 1] : about(Math.min(0, low), Math.max(0, high))) };
const decades: uPlot.Scale = { distr: 3, log: 10, range: (_u, low, high) => [10 ** Math.floor(Math.log10(Math.max(low, 1e-17))), 10 ** Math.ceil(Math.log10(Math.max(high, 1e-16) * 1.01))] };

// zeros have no place on a logarithmic scale
const positive = (value: number | null | undefined) => (value != null && value > 0 ? value : null);

const kinds: Kind[] = [
  {
    id: "chart-energies",
    scale: bothSigns,
    curves: [
      { value: (row) => row[4], ink: "--kinetic" },
      { value: (row) => row[5], ink: "--potential" },
      { value: (row) => (row[4] == null || row[5] == null ? null : row[4] + row[5]), ink: "--total" },
    ],
  },
  { id: "chart-energy", scale: decades, logarithmic: true, curves: [{ value: (row) => positive(row[1]), ink: "--accent" }] },
  { id: "chart-momentum", scale: decades, logarithmic: true, curves: [{ value: (row) => positive(row[2]), ink: "--accent" }] },
  { id: "chart-rate", scale: fromZero, curves: [{ value: (row) => row[3], ink: "--accent" }] },
];

class Chart {
  private readonly plot: uPlot;
  private readonly box: HTMLElement;

  constructor(private readonly kind: Kind) {
    this.box = document.getElementById(kind.id)!;
    const ink = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
    // of a logarithmic scale only the powers of ten
    const powers = (_u: uPlot, splits: number[]) => splits.map((v) => (Number.isInteger(Math.round(1e6 * Math.log10(v)) / 1e6) ? v : null));
    const size = parseFloat(getComputedStyle(document.body).fontSize);
    const axis: uPlot.Axis = { stroke: ink("--dim"), grid: { stroke: ink("--line"), width: 1 }, ticks: { show: false }, font: `${Math.max(10, 0.75 * size)}px system-ui`, gap: 3 };
    this.plot = new uPlot({
      width: 200, height: 84, cursor: { show: false }, legend: { show: false }, padding: [6, 6, 0, 0],
      scales: { x: { time: false }, y: kind.scale },
      axes: [{ ...axis, size: 18, space: 50, values: (_u, v) => v.map(short) }, { ...axis, size: 44, space: 22, ...(kind.logarithmic ? { filter: powers, grid: { ...axis.grid, filter: powers } } : {}), values: (_u, v) => v.map((x) => (x === null ? "" : short(x))) }],
      series: [{}, ...kind.curves.map((curve) => ({ stroke: ink(curve.ink), width: 1.3, points: { show: false } }))],
    }, [[], ...kind.curves.map(() => [])] as unknown as uPlot.AlignedData, this.box);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  resize(): void {
    const width = this.box.clientWidth;
    if (width > 0) this.plot.setSize({ width, height: width > 260 ? 100 : 84 });
  }

  show(rows: ChartRow[]): void {
    const values = this.kind.curves.map((curve) => rows.map((row) => curve.value(row) ?? null));
    this.plot.setData([rows.map((row) => row[0]), ...values] as uPlot.AlignedData);
  }
}

export class Charts {
  rows: ChartRow[] = [];
  private readonly charts = kinds.map((kind) => new Chart(kind));

  restart(rows: ChartRow[]): void {
    this.rows = rows;
    this.show();
  }
  add(rows: ChartRow[]): void {
    if (rows.length === 0) return;
    this.rows = this.rows.concat(rows).slice(-longest);
    this.show();
  }
  show(): void {
    for (const chart of this.charts) chart.show(this.rows);
  }
}
