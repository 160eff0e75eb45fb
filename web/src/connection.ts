// SPDX-License-Identifier: MIT
// The WebSocket to the server: opens again by itself when the server was restarted.
import type { FewMessage } from "./few";
import { readPart, type ColourKind, type Part } from "./frames";

export interface Scene {
  scene: number;
  version: string;
  title: string;
  kind: "run" | "recording" | "state";
  bodies: number;
  charged: boolean;
  device: string;
  solver: string;
  integrator: string;
  precision: string;
  step: number;
  first_time: number;
  last_time: number;
  time_unit: string;
  length_unit: string;
  mass_unit?: string; // missing where the server is of 0.1
  can_restart: boolean;
  can_choose: boolean;
  can_step: boolean;
  can_seek: boolean;
  example: string;
  controls: boolean;
  share: string;
  examples: { name: string; title: string }[];
  names?: string[]; // of the bodies 0, 1 ... as far as they have any
  chart: ChartRow[];
}
// Energies are missing where the server is of 0.1.
export type ChartRow = [time: number, energyError: number, momentum: number, stepsPerSecond: number, kinetic?: number | null, potential?: number | null];
export interface Figures {
  state: "preparing" | "running" | "paused" | "finished" | "failed";
  message: string;
  step: number;
  time: number;
  steps_per_second: number;
  interactions_per_second: number;
  speed: number;
  viewers: number;
  colours?: ColourKind[]; // that tell these bodies apart
  chart: ChartRow[];
  contacts?: { all: number; merged: number; left: number; wall_hits: number }; // of runs whose bodies may touch or leave
  flashes?: [x: number, y: number, z: number][]; // where that happened since the last figures
}
export interface BodyFacts {
  index: number;
  id: number;
  mass: number;
  speed: number;
}
export interface ShapeMessage {
  scene: number;
  time: number;
  bodies: number; // that it is of
  radii: number[]; // that hold 10, 50 and 90 % of the mass
  profile: [radius: number, density: number, error: number][];
}
export interface Listener {
  open(): void;
  closed(refused: boolean): void;
  scene(scene: Scene): void;
  figures(figures: Figures): void;
  body(facts: BodyFacts): void;
  few(message: FewMessage): void;
  shape(message: ShapeMessage): void;
  refused(reason: string): void;
  part(part: Part): void;
}

export class Connection {
  private socket: WebSocket | undefined;
  private failures = 0;

  constructor(private readonly listener: Listener) {
    this.connect();
    // a page that was asleep looks at once when it is seen again
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.socket === undefined) this.connect();
    });
  }

  private connect(): void {
    if (this.socket) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.failures = 0;
      this.listener.open();
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") this.hear(JSON.parse(event.data) as { type: string });
      else this.listener.part(readPart(event.data));
    };
    socket.onclose = () => {
      this.socket = undefined;
      this.failures += 1;
      // a server that is there and does not let us in was started anew, with another token
      fetch("/page.css", { cache: "no-store" }).then((answer) => this.listener.closed(answer.status === 403), () => this.listener.closed(false));
      setTimeout(() => this.connect(), Math.min(3000, 300 * this.failures));
    };
  }

  private hear(message: { type: string }): void {
    switch (message.type) {
      case "scene": return this.listener.scene(message as unknown as Scene);
      case "figures": return this.listener.figures(message as unknown as Figures);
      case "body": return this.listener.body(message as unknown as BodyFacts);
      case "few": return this.listener.few(message as unknown as FewMessage);
      case "shape": return this.listener.shape(message as unknown as ShapeMessage);
      case "refused": return this.listener.refused((message as unknown as { reason: string }).reason);
    }
  }

  say(message: Record<string, string | number>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
