// SPDX-License-Identifier: MIT
// The page: what the server says goes to the sky, the charts and the panel; what hands do goes to
// the camera and the server.
import { Camera, handleCamera } from "./camera";
import { Charts, short } from "./charts";
import { Connection, type BodyFacts, type Figures, type Scene } from "./connection";
import { colourKinds, placeOf, type Part, type Vec } from "./frames";
import { mapTexels, type MapName } from "./maps";
import { fileName, Recorder, savePicture, type Caption } from "./record";
import { Sky, type Look } from "./sky";

const find = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const input = (id: string) => find<HTMLInputElement>(id);
const choice = (id: string) => find<HTMLSelectElement>(id);

function complain(text: string): void {
  const box = find("message");
  box.textContent = text;
  box.hidden = false;
}

function start(): void {
  let sky: Sky;
  try {
    sky = new Sky(find<HTMLCanvasElement>("sky"));
  } catch (error) {
    return complain(`${(error as Error).message}\nTry another browser, or let this one use the graphics processor.\n\`apsis render\` makes pictures and movies without one.`);
  }
  new Page(sky);
}

class Page {
  private readonly camera = new Camera();
  private readonly charts = new Charts();
  private readonly recorder = new Recorder();
  private readonly connection: Connection;
  private scene: Scene | undefined;
  private figures: Figures | undefined;
  private framed = false; // the camera has seen this scene's bodies
  private followed: { index: number; at?: Vec } | undefined;
  private centre: Vec | undefined;
  private capacity = 0;
  private interval = 50; // ms between frames that were drawn one behind the other
  private drawnAt = 0;
  private written = 0;
  private picture = ""; // what was drawn last, to draw nothing twice
  private slow = 0; // seconds in which full quality was too much
  private waiting: Part[] = [];
  private wantsPicture = false;

  constructor(private readonly sky: Sky) {
    this.connection = new Connection({
      open: () => this.opened(),
      closed: (refused) => this.tell(refused ? "The server was started anew: open the link it printed." : "Not connected; trying again\u2026", true),
      scene: (scene) => this.changeScene(scene),
      figures: (figures) => this.changeFigures(figures),
      body: (facts) => this.named(facts),
      refused: (reason) => this.tell(reason, true, 3000),
      part: (part) => this.waiting.push(part),
    });
    history.replaceState(null, "", "/"); // the token is in the cookie now, and not in the address
    handleCamera(sky.canvas, this.camera, (x, y) => this.pick(x, y));
    sky.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      complain("The graphics processor was lost; reload the page.");
    });
    this.handleControls();
    document.addEventListener("keydown", (event) => this.key(event));
    if (matchMedia("(max-width: 720px)").matches) this.togglePanel();
    requestAnimationFrame(() => this.draw());
  }

  // --- from the server

  private opened(): void {
    this.tell("");
    this.capacity = this.region = 0;
    this.connection.say({ do: "colour", by: choice("colour").value });
    this.setCapacity(200_000);
  }

  private setCapacity(points: number): void {
    const wanted = Math.round(Math.min(2_000_000, Math.max(5_000, points)));
    if (this.capacity > 0 && Math.abs(Math.log2(wanted / this.capacity)) < 0.4) return;
    this.capacity = wanted;
    this.connection.say({ do: "capacity", points: wanted });
  }

  private changeScene(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    if (!before || before.title !== scene.title || before.bodies !== scene.bodies) this.framed = false;
    this.followed = undefined;
    if (choice("follow").value === "body") choice("follow").value = "none";
    document.title = `${scene.title} \u2013 Apsis`;
    find("title").textContent = scene.title;
    find("about-scene").textContent = [scene.integrator, scene.precision, scene.kind === "recording" ? "recorded" : ""].filter((word) => word).join(", ");
    find("version").textContent = scene.version;
    find("f-bodies").textContent = scene.bodies.toLocaleString("en");
    find("f-device").textContent = scene.device || "\u2013";
    find("f-solver").textContent = scene.solver || "\u2013";
    const enable = (id: string, on: boolean) => ((find(id) as HTMLButtonElement).disabled = !on);
    enable("restart", scene.controls && scene.can_restart);
    enable("play", scene.controls && scene.kind !== "state");
    enable("step", scene.controls && scene.can_step);
    enable("speed", scene.controls && scene.kind !== "state");
    enable("seek", scene.controls);
    find("seek-box").hidden = !scene.can_seek;
    input("seek").min = String(scene.first_time), input("seek").max = String(scene.last_time);
    find("example-row").hidden = !(scene.controls && scene.can_choose);
    document.body.dataset["kind"] = scene.kind;
    find("share").hidden = scene.share === "";
    const list = choice("example");
    list.replaceChildren(new Option("choose\u2026", ""), ...scene.examples.map((example) => new Option(example.title, example.name)));
    list.value = scene.example;
    choice("colour").querySelector<HTMLOptionElement>("option:nth-child(3)")!.disabled = !scene.charged;
    if (scene.charged && !before) choice("colour").value = "charge", this.recolour();
    this.charts.restart(scene.chart);
  }

  private changeFigures(figures: Figures): void {
    this.figures = figures;
    const paused = figures.state !== "running";
    find("play").classList.toggle("paused", paused);
    find("play").setAttribute("aria-label", paused ? "Go on" : "Pause");
    document.body.dataset["state"] = figures.state;
    const words: Record<Figures["state"], string> = { preparing: "preparing\u2026", running: "", paused: "paused", finished: "the end; play goes on", failed: figures.message };
    if (this.scene?.kind === "recording" && figures.state === "finished") words.finished = "the end";
    if (this.scene?.kind === "state") words.paused = "";
    const also = figures.state === "failed" ? "" : figures.message;
    this.tell([words[figures.state], also].filter(Boolean).join("\u2002\u00b7\u2002"), figures.state === "failed");
    find("f-step").textContent = this.scene?.kind === "run" ? figures.step.toLocaleString("en") : "\u2013";
    find("f-rate").textContent = paused || figures.steps_per_second === 0 ? "\u2013" : short(figures.steps_per_second);
    find("f-interactions").textContent = paused || figures.interactions_per_second === 0 ? "\u2013" : short(figures.interactions_per_second);
    if (document.activeElement !== input("speed")) this.showSpeed(figures.speed);
    if (document.activeElement !== input("seek")) input("seek").value = String(figures.time);
    this.showContacts(figures);
    this.charts.add(figures.chart);
    const last = this.charts.rows.at(-1);
    find("f-energy").textContent = last ? short(last[1]) : "\u2013";
  }

  private showContacts({ contacts, flashes }: Figures): void {
    for (const box of document.querySelectorAll<HTMLElement>(".contacts-only")) box.hidden = contacts === undefined;
    if (!contacts) return;
    const more = [["merged", contacts.merged], ["left", contacts.left], ["at walls", contacts.wall_hits]] as const;
    const words = more.filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count.toLocaleString("en")}`);
    find("f-contacts").textContent = [contacts.all.toLocaleString("en"), ...words].join(", ");
    if (flashes) this.sky.flash(flashes);
  }

  private named(facts: BodyFacts): void {
    const option = choice("follow").querySelector<HTMLOptionElement>("option[value=body]")!;
    option.disabled = false;
    option.textContent = `body ${facts.id}`;
    choice("follow").value = "body";
    this.tell(`body ${facts.id}: mass ${short(facts.mass)}, speed ${short(facts.speed)}`, false, 4000);
  }

  private toldUntil = 0;
  private tell(text: string, bad = false, hold = 0): void {
    if (hold === 0 && performance.now() < this.toldUntil) return;
    this.toldUntil = hold > 0 ? performance.now() + hold : 0;
    const box = find("status");
    box.textContent = text;
    box.classList.toggle("bad", bad);
    box.hidden = text === "";
  }

  // --- every frame of the screen

  private take(): void {
    const parts = this.waiting;
    this.waiting = [];
    for (const part of parts) {
      this.sky.add(part);
      this.connection.say({ do: "shown", frame: part.frame });
      this.centre = part.centre;
      if (this.followed && part.first <= this.followed.index && this.followed.index < part.first + part.count) {
        const place = placeOf(part, this.followed.index - part.first);
        if (place) this.followed.at = place;
      }
      if (!this.framed && part.first === 0 && part.scene === this.scene?.scene) this.frame(part);
    }
    if (parts.length === 0) return;
    if (parts.at(-1)!.scene === this.scene?.scene) find("f-bodies").textContent = parts.at(-1)!.bodies.toLocaleString("en");
    if (performance.getEntriesByName("first-frame").length === 0) performance.mark("first-frame");
    this.showLegend(parts.at(-1)!);
  }

  private draw(): void {
    requestAnimationFrame(() => this.draw());
    const begun = performance.now();
    const fresh = this.waiting.length > 0;
    this.take();
    this.camera.glide();
    this.makeRoom();
    this.followSmoothly();
    const look = this.look(), { camera } = this, { clientWidth, clientHeight } = this.sky.canvas;
    const picture = [camera.azimuth, camera.elevation, camera.distance, camera.target, camera.place, Object.values(look), clientWidth, clientHeight].join();
    this.sky.keep = look.trails > 0 ? look.trails + 2 : 2;
    if (fresh || picture !== this.picture || this.sky.moving() || this.wasMoving || this.wantsPicture || this.recorder.running) {
      this.picture = picture;
      document.body.classList.toggle("plain", look.plain);
      this.wasMoving = this.sky.moving();
      this.sky.draw(camera, look);
      if (begun - this.drawnAt < 1000) this.interval += 0.1 * (begun - this.drawnAt - this.interval);
      this.drawnAt = begun;
    }
    if (this.wantsPicture) this.wantsPicture = false, savePicture(this.sky.canvas, this.caption(), fileName(this.scene?.title ?? "", "png"));
    this.writeOverlay();
    if (begun - this.written > 1000) this.count(begun);
  }

  private wasMoving = false;

  private count(now: number): void {
    const rate = 1000 / this.interval;
    this.written = now;
    if (document.hidden || now - this.drawnAt > 1000) return this.lookCloser();
    find("f-frames").textContent = rate.toFixed(0);
    find("f-shown").textContent = Math.min(this.sky.points, this.sky.newest?.bodies ?? 0).toLocaleString("en");
    this.lookCloser();
    // what is drawn easily may be more next time; a page that stutters asks for less
    if (rate < 20 && !this.look().plain) this.slow += 1;
    if (rate < 12) this.setCapacity(this.capacity * 0.6);
    else if (rate > 45) this.setCapacity(this.capacity * 2);
  }

  private region = 0; // radius that was last asked for
  // Of more bodies than are shown, those in sight first.
  private lookCloser(): void {
    const part = this.sky.newest, { clientWidth: width, clientHeight: height } = this.sky.canvas;
    if (!part || performance.now() - this.camera.moved < 300) return;
    const seen = this.camera.lengthOf(Math.hypot(width, height) / 2, height);
    const close = part.sampled < part.bodies && seen < 0.2 * 65534 * part.cell;
    const radius = close ? 1.1 * seen : 0;
    if (radius === 0 && this.region === 0) return;
    const [x, y, z] = this.camera.target;
    this.region = radius;
    this.connection.say({ do: "region", x, y, z, radius });
  }

  private look(): Look {
    const projector = document.documentElement.dataset["theme"] === "projector";
    return {
      map: choice("palette").value as MapName,
      brightness: Number(input("brightness").value) + (projector ? 1 : 0),
      size: Number(input("size").value) + (projector ? 0.5 : 0),
      trails: Number(input("trails").value),
      plain: choice("quality").value === "light" || (choice("quality").value === "auto" && (this.sky.software || this.slow > 3)),
    };
  }

  private makeRoom(): void {
    const open = !document.body.classList.contains("wide"), phone = matchMedia("(max-width: 720px)").matches;
    const panel = find("panel"), { clientWidth: width, clientHeight: height } = this.sky.canvas;
    const goal = [open && !phone ? -panel.clientWidth / width : 0, open && phone ? panel.clientHeight / height : 0];
    for (const k of [0, 1] as const) this.camera.place[k] += 0.2 * (goal[k]! - this.camera.place[k]);
  }

  private followSmoothly(): void {
    const kind = choice("follow").value;
    const goal = kind === "centre" ? this.centre : kind === "body" ? this.followed?.at : undefined;
    if (!goal) return;
    for (let k = 0; k < 3; ++k) this.camera.target[k] = this.camera.target[k]! + 0.15 * (goal[k]! - this.camera.target[k]!);
  }

  // So that nine bodies in ten fill the picture.
  private frame(part: Part): void {
    const step = Math.max(1, Math.floor(part.count / 4000)), middle: Vec = [0, 0, 0], places: Vec[] = [];
    for (let k = 0; k < part.count; k += step) {
      const place = placeOf(part, k);
      if (place) places.push(place);
    }
    if (places.length === 0) return;
    for (let k = 0; k < 3; ++k) {
      const values = places.map((place) => place[k]!).sort((a, b) => a - b);
      middle[k] = values.length < 12 ? (values[0]! + values.at(-1)!) / 2 : values[values.length >> 1]!;
    }
    const reach = places.map((p) => Math.hypot(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2])).sort((a, b) => a - b);
    const radius = reach[Math.floor((reach.length - 1) * (reach.length < 100 ? 1 : 0.93))]! || part.cell * 1000;
    this.camera.target = middle;
    this.camera.distance = (1.25 * radius) / Math.tan(this.camera.fieldOfView / 2) / Math.min(1, this.sky.canvas.clientWidth / this.sky.canvas.clientHeight);
    this.framed = true;
  }

  // --- words on the sky

  private scaleLength(): { length: number; pixels: number } {
    const limit = this.camera.lengthOf(160, this.sky.canvas.clientHeight), power = 10 ** Math.floor(Math.log10(limit));
    const length = ([5, 2, 1].find((step) => step * power <= limit) ?? 1) * power;
    return { length, pixels: (160 * length) / limit };
  }
  private timeText(): string {
    const scene = this.scene;
    if (!scene) return "";
    const longest = Math.max(Math.abs(scene.first_time), Math.abs(scene.last_time));
    const digits = longest > 0 ? Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(longest)))) : 2;
    return `t = ${this.sky.time().toFixed(digits)}${scene.time_unit ? ` ${scene.time_unit}` : ""}`;
  }
  private caption(): Caption {
    const { length, pixels } = this.scaleLength();
    return { time: this.timeText(), scale: `${short(length)} ${this.scene?.length_unit ?? ""}`.trim(), scalePixels: (pixels * this.sky.canvas.width) / this.sky.canvas.clientWidth };
  }
  private writeOverlay(): void {
    const { length, pixels } = this.scaleLength();
    const set = (id: string, text: string) => {
      const box = find(id);
      if (box.textContent !== text) box.textContent = text;
    };
    set("time", this.timeText());
    set("scale-text", `${short(length)} ${this.scene?.length_unit ?? ""}`.trim());
    find("scale-bar").style.width = `${pixels.toFixed(1)}px`;
  }
  private legendShown = "";
  private showLegend(part: Part): void {
    const log = part.colourBy === "mass" || part.colourBy === "density";
    find("legend-low").textContent = log ? short(10 ** part.low) : short(part.low);
    find("legend-high").textContent = log ? short(10 ** part.high) : short(part.high);
    const map = choice("palette").value as MapName;
    if (this.legendShown === map) return;
    this.legendShown = map;
    find<HTMLCanvasElement>("legend-bar").getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(mapTexels(map, true)), 256, 1), 0, 0);
  }

  // --- hands

  private pick(x: number, y: number): void {
    const part = this.sky.newest;
    if (!part) return;
    const { clientWidth: width, clientHeight: height } = this.sky.canvas;
    const m = this.camera.matrix(width / height, this.camera.target);
    let best = -1, nearest = 18;
    for (let k = 0; k < Math.min(part.count, part.base - part.first); ++k) {
      const place = placeOf(part, k);
      if (!place) continue;
      const p = place.map((value, axis) => value - this.camera.target[axis]!) as Vec;
      const w = m[3]! * p[0] + m[7]! * p[1] + m[11]! * p[2] + m[15]!;
      if (w <= 0) continue;
      const px = ((m[0]! * p[0] + m[4]! * p[1] + m[8]! * p[2] + m[12]!) / w + 1) * 0.5 * width;
      const py = (1 - (m[1]! * p[0] + m[5]! * p[1] + m[9]! * p[2] + m[13]!) / w) * 0.5 * height;
      const distance = Math.hypot(px - x, py - y);
      if (distance < nearest) (nearest = distance), (best = k);
    }
    if (best < 0) return;
    this.followed = { index: part.first + best, at: placeOf(part, best)! };
    this.connection.say({ do: "body", index: part.first + best });
  }

  private handleControls(): void {
    const click = (id: string, act: () => void) => find(id).addEventListener("click", act);
    click("play", () => this.toggle());
    click("step", () => this.connection.say({ do: "step" }));
    click("restart", () => this.restart());
    click("home", () => (this.framed = false, this.sky.newest && this.frame(this.sky.newest)));
    click("shot", () => (this.wantsPicture = true));
    click("record", () => this.record());
    click("share", () => void this.share());
    click("about", () => this.about());
    click("panel-toggle", () => this.togglePanel());
    input("speed").addEventListener("input", () => this.setSpeed(Number(input("speed").value)));
    input("seek").addEventListener("input", () => this.connection.say({ do: "seek", time: Number(input("seek").value) }));
    choice("colour").addEventListener("change", () => this.recolour());
    choice("palette").addEventListener("change", () => this.sky.newest && this.showLegend(this.sky.newest));
    choice("example").addEventListener("change", () => {
      if (choice("example").value) this.connection.say({ do: "example", name: choice("example").value });
      choice("example").blur();
    });
    choice("theme").addEventListener("change", () => this.setTheme(choice("theme").value));
    const kept = localStorage.getItem("apsis-theme");
    if (kept === "projector") (choice("theme").value = kept), this.setTheme(kept);
  }

  private setTheme(theme: string): void {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem("apsis-theme", theme);
    this.charts.show();
  }
  private recolour(): void {
    const by = choice("colour").value;
    if (by === "charge") choice("palette").value = "poles";
    this.connection.say({ do: "colour", by });
  }
  private toggle(): void {
    this.connection.say({ do: this.figures?.state === "running" ? "pause" : "play" });
  }
  private restart(): void {
    if (!find<HTMLButtonElement>("restart").disabled) this.connection.say({ do: "restart" });
  }
  // The slider counts octaves; its right end takes all limits away.
  private setSpeed(octave: number): void {
    const factor = octave >= 6 ? 0 : 2 ** octave;
    this.connection.say({ do: "speed", factor });
    this.showSpeed(factor);
  }
  private showSpeed(factor: number): void {
    input("speed").value = String(factor === 0 ? 6 : Math.log2(factor));
    find("speed-text").textContent = factor === 0 ? "max" : factor >= 1 ? `${factor}x` : `1/${Math.round(1 / factor)}x`;
  }
  private record(): void {
    try {
      this.recorder.toggle(this.sky.canvas, fileName(this.scene?.title ?? "", "").slice(0, -1), () => find("record").setAttribute("aria-pressed", String(this.recorder.running)));
    } catch (error) {
      this.tell((error as Error).message, true, 4000);
    }
  }
  private async share(): Promise<void> {
    // whoever has it may look; it leads to this server under the name that this page was opened with
    const link = new URL(this.scene!.share);
    link.host = location.host;
    try {
      await navigator.clipboard.writeText(link.href);
      this.tell("A link that can only look is in the clipboard", false, 3000);
    } catch {
      this.tell(link.href, false, 20_000);
    }
  }
  private about(): void {
    const box = find<HTMLDialogElement>("about-box");
    if (box.open) return box.close();
    box.showModal();
    if (find("licenses").textContent === "") void fetch("/licenses.txt").then((answer) => answer.text()).then((text) => (find("licenses").textContent = text));
  }
  private togglePanel(): void {
    const wide = document.body.classList.toggle("wide");
    find("panel-toggle").setAttribute("aria-expanded", String(!wide));
  }
  private next(id: string, words: readonly string[]): void {
    const list = choice(id), usable = words.filter((word) => !list.querySelector<HTMLOptionElement>(`option[value="${word}"]`)?.disabled);
    list.value = usable[(usable.indexOf(list.value) + 1) % usable.length]!;
    list.dispatchEvent(new Event("change"));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.tagName === "SELECT" || find<HTMLDialogElement>("about-box").open) return;
    if (target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
    if (target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    const camera = this.camera, speed = Number(input("speed").value);
    const keys: Record<string, () => void> = {
      " ": () => this.toggle(), ".": () => this.connection.say({ do: "step" }), ",": () => this.setSpeed(Math.max(-5, speed - 1)), "/": () => this.setSpeed(Math.min(6, speed + 1)),
      ArrowLeft: () => camera.turn(-0.06, 0), ArrowRight: () => camera.turn(0.06, 0), ArrowUp: () => camera.turn(0, -0.06), ArrowDown: () => camera.turn(0, 0.06),
      "+": () => camera.zoom(1.15), "=": () => camera.zoom(1.15), "-": () => camera.zoom(1 / 1.15),
      h: () => find("home").click(), r: () => this.restart(), s: () => find("shot").click(), v: () => this.record(), p: () => this.togglePanel(), "?": () => this.about(),
      c: () => this.next("colour", colourKinds), f: () => this.next("follow", ["none", "centre", "body"]), t: () => (input("trails").value = Number(input("trails").value) > 0 ? "0" : "30"),
    };
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

start();
