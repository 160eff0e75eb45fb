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

interface Curve<Row> {
  value: (row: Row) => number | null | undefined;
  ink: string; // name of a colour of page.css
}
// Rows begin with what their curves are drawn over.
export interface Kind<Row> {
  id: string;
  curves: Curve<Row>[];
  scale: uPlot.Scale;
  logarithmic?: boolean;
  powers?: boolean; // both axes are of logarithms to base 10, which rows hold
}

// a little air about a constant, and none below what counts from zero
const about = (low: number, high: number): [number, number] => {
  const air = low === high ? 0.1 * (Math.abs(low) || 1) : 0.08 * (high - low);
  return [low - air, high + air];
};
export const fromZero: uPlot.Scale = { range: (_u, low, high) => (low === high ? about(low, high) : [Math.min(0, low), high * 1.05]) };
const bothSigns: uPlot.Scale = { range: (_u, low, high) => (low === null || high === null ? [-1, 1] : about(Math.min(0, low), Math.max(0, high))) };
const decades: uPlot.Scale = { distr: 3, log: 10, range: (_u, low, high) => [10 ** Math.floor(Math.log10(Math.max(low, 1e-17))), 10 ** Math.ceil(Math.log10(Math.max(high, 1e-16) * 1.01))] };

// Of logarithms: uPlot's own logarithmic axes never end where they begin between powers of ten.
export const near: uPlot.Range.Function = (_u, low, high) => (Number.isFinite(low) && Number.isFinite(high) && low !== null ? [low - 0.05, Math.max(high, low + 0.1) + 0.05] : [-1, 1]);
const ofPowers = (digits: number[]) => ({
  splits: (_u: uPlot, _axis: number, low: number, high: number) => {
    const found: number[] = [];
    const first = Math.max(-300, Math.floor(low)), last = Math.min(300, Math.ceil(high));
    const every = digits.length > 1 && last - first <= 4 ? 1 : Math.max(1, Math.ceil((last - first) / 4));
    for (let power = Math.ceil(first / every) * every; power <= last; power += every) {
      for (const digit of every > 1 ? [1] : digits) found.push(power + Math.log10(digit));
    }
    return found.filter((value) => value >= low && value <= high);
  },
  values: (_u: uPlot, splits: number[]) => splits.map((value) => short(10 ** value)),
});

// zeros have no place on a logarithmic scale
const positive = (value: number | null | undefined) => (value != null && value > 0 ? value : null);

const kinds: Kind<ChartRow>[] = [
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

export class Chart<Row extends readonly [number, ...unknown[]]> {
  private readonly plot: uPlot;
  private readonly box: HTMLElement;

  constructor(private readonly kind: Kind<Row>) {
    this.box = document.getElementById(kind.id)!;
    const ink = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
    // of a logarithmic scale only the powers of ten
    const powers = (_u: uPlot, splits: number[]) => splits.map((v) => (Number.isInteger(Math.round(1e6 * Math.log10(v)) / 1e6) ? v : null));
    const size = parseFloat(getComputedStyle(document.body).fontSize);
    const axis: uPlot.Axis = { stroke: ink("--dim"), grid: { stroke: ink("--line"), width: 1 }, ticks: { show: false }, font: `${Math.max(10, 0.75 * size)}px system-ui`, gap: 3 };
    this.plot = new uPlot({
      width: 200, height: 84, cursor: { show: false }, legend: { show: false }, padding: [6, 6, 0, 0],
      scales: { x: kind.powers ? { time: false, range: near } : { time: false }, y: kind.scale },
      axes: [{ ...axis, size: 18, space: 50, ...(kind.powers ? ofPowers([1, 2, 5]) : { values: (_u: uPlot, v: number[]) => v.map(short) }) }, { ...axis, size: 44, space: 22, ...(kind.logarithmic ? { filter: powers, grid: { ...axis.grid, filter: powers } } : {}), ...(kind.powers ? ofPowers([1]) : { values: (_u: uPlot, v: number[]) => v.map((x) => (x === null ? "" : short(x))) }) }],
      series: [{}, ...kind.curves.map((curve) => ({ stroke: ink(curve.ink), width: 1.3, points: { show: (u: uPlot) => u.data[0].length === 1, size: 4 } }))],
    }, [[], ...kind.curves.map(() => [])] as unknown as uPlot.AlignedData, this.box);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  resize(): void {
    const width = this.box.clientWidth;
    if (width > 0) this.plot.setSize({ width, height: width > 260 ? 100 : 84 });
  }

  show(rows: Row[]): void {
    const values = this.kind.curves.map((curve) => rows.map((row) => curve.value(row) ?? null));
    this.plot.setData([rows.map((row) => row[0]), ...values] as uPlot.AlignedData);
  }
}

export class Charts {
  rows: ChartRow[] = [];
  private readonly charts = kinds.map((kind) => new Chart<ChartRow>(kind));

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
