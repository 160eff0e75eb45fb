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

class Chart {
  private readonly plot: uPlot;
  private readonly box: HTMLElement;

  constructor(id: string, private readonly column: 1 | 2 | 3, logarithmic: boolean) {
    this.box = document.getElementById(id)!;
    const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--dim");
    const line = () => getComputedStyle(document.documentElement).getPropertyValue("--line");
    // of a logarithmic scale only the powers of ten
    const decades = (_u: uPlot, splits: number[]) => splits.map((v) => (Number.isInteger(Math.round(1e6 * Math.log10(v)) / 1e6) ? v : null));
    const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "10px system-ui", gap: 3 };
    this.plot = new uPlot({
      width: 200, height: 84, cursor: { show: false }, legend: { show: false }, padding: [6, 6, 0, 0],
      scales: { x: { time: false }, y: logarithmic ? { distr: 3, log: 10, range: (_u, low, high) => [10 ** Math.floor(Math.log10(Math.max(low, 1e-17))), 10 ** Math.ceil(Math.log10(Math.max(high, 1e-16) * 1.01))] } : { range: (_u, low, high) => (low === high ? [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1] : [Math.min(0, low), high * 1.05]) } },
      axes: [{ ...axis, size: 18, space: 50, values: (_u, v) => v.map(short) }, { ...axis, size: 44, space: 22, ...(logarithmic ? { filter: decades, grid: { ...axis.grid, filter: decades } } : {}), values: (_u, v) => v.map((x) => (x === null ? "" : short(x))) }],
      series: [{}, { stroke: () => getComputedStyle(document.documentElement).getPropertyValue("--accent"), width: 1.3, points: { show: false } }],
    }, [[], []], this.box);
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  resize(): void {
    const width = this.box.clientWidth;
    if (width > 0) this.plot.setSize({ width, height: width > 260 ? 100 : 84 });
  }

  show(rows: ChartRow[]): void {
    // zeros have no place on a logarithmic scale
    const values = rows.map((row) => (this.column === 3 || row[this.column] > 0 ? row[this.column] : null));
    this.plot.setData([rows.map((row) => row[0]), values] as uPlot.AlignedData);
  }
}

export class Charts {
  rows: ChartRow[] = [];
  private readonly charts = [new Chart("chart-energy", 1, true), new Chart("chart-momentum", 2, true), new Chart("chart-rate", 3, false)];

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
