// SPDX-License-Identifier: MIT
// The page: what the server says goes to the sky, the charts and the panel; what hands do goes to
// the camera and the server.
import { Camera, handleCamera } from "./camera";
import { Charts, short } from "./charts";
import { Connection, type BodyFacts, type Figures, type Scene } from "./connection";
import { choice, find, input, isPhone } from "./dom";
import { Few, longestTrails, mix, type FewMessage } from "./few";
import { colourKinds, placeOf, type ColourKind, type Part, type Vec } from "./frames";
import { frameMany, Framing, type Area } from "./framing";
import { handleControls, handleKey } from "./hands";
import type { MapName } from "./maps";
import { showFigures, showScene } from "./panel";
import { pick } from "./pick";
import { fileName, Recorder, savePicture } from "./record";
import { ShapeCharts } from "./shape";
import { Sky, type Look } from "./sky";
import { Words, type Followed } from "./words";

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

export class Page {
  readonly camera = new Camera();
  readonly charts = new Charts();
  private readonly shape = new ShapeCharts((on) => this.connection.say({ do: "shape", on: Number(on) }));
  private readonly recorder = new Recorder();
  readonly connection: Connection;
  private scene: Scene | undefined;
  private figures: Figures | undefined;
  readonly few = new Few();
  private readonly framing = new Framing();
  readonly words: Words;
  private told: FewMessage[] = []; // of frames to come
  private framed = false; // the camera has seen this scene's bodies
  colours: string = colourKinds.join();
  chosen = { colour: false, trails: false }; // by hand
  private followed: { index: number; before: Vec; at: Vec } | undefined; // a point of the frames
  private centre: Vec | undefined;
  private capacity = 0;
  private region = 0; // radius that was last asked for
  private interval = 50; // ms between frames that were drawn one behind the other
  private drawnAt = 0;
  private begunAt = 0;
  private written = 0;
  private picture = ""; // what was drawn last, to draw nothing twice
  private wasMoving = false;
  private slow = 0; // seconds in which full quality was too much
  private waiting: Part[] = [];
  private toldUntil = 0;
  private followedName = "";
  wantsPicture = false;

  constructor(readonly sky: Sky) {
    this.words = new Words(sky, this.camera);
    this.connection = new Connection({
      open: () => this.opened(),
      closed: (refused) => this.tell(refused ? "The server was started anew: open the link it printed." : "Not connected; trying again\u2026", true),
      scene: (scene) => this.changeScene(scene),
      figures: (figures) => this.changeFigures(figures),
      body: (facts) => this.named(facts),
      few: (message) => this.told.push(message),
      shape: (message) => this.shape.show(message, this.scene),
      refused: (reason) => this.tell(reason, true, 3000),
      part: (part) => this.waiting.push(part),
    });
    history.replaceState(null, "", "/"); // the token is in the cookie now, and not in the address
    handleCamera(sky.canvas, this.camera, (x, y) => this.pick(x, y));
    sky.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      complain("The graphics processor was lost; reload the page.");
    });
    handleControls(this);
    document.addEventListener("keydown", (event) => handleKey(this, event));
    if (isPhone()) this.togglePanel();
    requestAnimationFrame(() => this.draw());
  }

  // --- from the server

  private opened(): void {
    this.tell("");
    this.capacity = this.region = 0;
    this.connection.say({ do: "colour", by: choice("colour").value });
    this.setCapacity(200_000);
    this.shape.tell();
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
    if (!before || before.title !== scene.title || before.bodies !== scene.bodies) this.framed = this.camera.own = false, this.framing.forget();
    this.followed = undefined;
    this.few.forget();
    if (!["none", "centre"].includes(choice("follow").value)) choice("follow").value = "none";
    showScene(scene);
    this.charts.restart(scene.chart);
    this.shape.restart(scene);
  }

  private changeFigures(figures: Figures): void {
    this.figures = figures;
    const words = showFigures(figures, this.scene?.kind);
    this.tell(words, figures.state === "failed");
    if (document.activeElement !== input("speed")) this.showSpeed(figures.speed);
    if (figures.flashes) this.sky.flash(figures.flashes);
    if (figures.colours) this.offerColours(figures.colours);
    this.charts.add(figures.chart);
    const last = this.charts.rows.at(-1);
    find("f-energy").textContent = last ? short(last[1]) : "\u2013";
  }

  // Only what tells bodies apart, and of that what says most, until somebody chooses.
  private offerColours(kinds: readonly ColourKind[]): void {
    const list = choice("colour"), usual: ColourKind[] = this.scene?.charged ? ["charge"] : this.few.all ? ["mass", "id"] : ["speed"];
    const best = usual.find((kind) => kinds.includes(kind)) ?? "speed", before = list.value;
    if (this.colours !== kinds.join()) {
      this.colours = kinds.join();
      list.replaceChildren(...kinds.map((kind) => new Option(kind)));
    }
    list.value = kinds.includes(before as ColourKind) ? before : best;
    if (!this.chosen.colour) list.value = best;
    if (list.value !== before) this.recolour();
  }

  private named(facts: BodyFacts): void {
    const option = choice("follow").querySelector<HTMLOptionElement>("option[value=body]")!;
    option.disabled = false;
    option.textContent = this.followedName = `body ${facts.id}`;
    choice("follow").value = "body";
    this.tell(`body ${facts.id}: mass ${short(facts.mass)}, speed ${short(facts.speed)}`, false, 4000);
  }

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
        if (place) (this.followed.before = this.followed.at), (this.followed.at = place);
      }
      const told = this.told.find((each) => each.frame === part.frame && each.scene === part.scene);
      if (told && part.first === 0) this.takeFew(told);
      else if (part.first === 0 && part.frame !== this.few.frame && this.few.bodies.length > 0) this.few.forget(), this.offerFew();
      if (!this.framed && part.first === 0 && part.scene === this.scene?.scene && !this.few.all) this.home();
    }
    if (parts.length === 0) return;
    this.told = this.told.filter((each) => each.frame > parts.at(-1)!.frame);
    if (parts.at(-1)!.scene === this.scene?.scene) find("f-bodies").textContent = parts.at(-1)!.bodies.toLocaleString("en");
    if (performance.getEntriesByName("first-frame").length === 0) performance.mark("first-frame");
    this.words.legend(parts.at(-1)!);
  }

  private draw(): void {
    requestAnimationFrame(() => this.draw());
    const begun = performance.now();
    const fresh = this.waiting.length > 0;
    this.take();
    this.camera.glide();
    const passed = begun - this.begunAt; // as far in half a second on every machine
    this.begunAt = begun;
    this.makeRoom(1 - Math.exp(-passed / 75));
    this.frameSmoothly(1 - Math.exp(-passed / 160));
    this.followSmoothly(1 - Math.exp(-passed / 100));
    const look = this.look(), { camera } = this, { clientWidth, clientHeight } = this.sky.canvas;
    const picture = [camera.azimuth, camera.elevation, camera.distance, camera.target, camera.place, Object.values(look), input("names-on").checked, choice("follow").value, clientWidth, clientHeight].join();
    this.sky.keep = look.trails > 0 && !this.few.all ? look.trails + 2 : 2;
    if (fresh || picture !== this.picture || this.sky.moving() || this.wasMoving || this.wantsPicture || this.recorder.running) {
      this.picture = picture;
      document.body.classList.toggle("plain", look.plain);
      this.wasMoving = this.sky.moving();
      this.sky.draw(camera, look, this.few);
      this.words.name(find<HTMLCanvasElement>("names"), this.few, input("names-on").checked, this.whoIsFollowed());
      if (begun - this.drawnAt < 1000) this.interval += 0.1 * (begun - this.drawnAt - this.interval);
      this.drawnAt = begun;
    }
    if (this.wantsPicture) this.wantsPicture = false, savePicture(this.sky.canvas, find<HTMLCanvasElement>("names"), this.words.caption(this.scene), fileName(this.scene?.title ?? "", "png"));
    this.words.write(this.scene);
    if (begun - this.written > 1000) this.count(begun);
  }

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
      orbits: input("orbits-on").checked,
      plain: choice("quality").value === "light" || (choice("quality").value === "auto" && (this.sky.software || this.slow > 3)),
    };
  }

  private makeRoom(share: number): void {
    const open = !document.body.classList.contains("wide"), phone = isPhone();
    const panel = find("panel"), { clientWidth: width, clientHeight: height } = this.sky.canvas;
    const goal = [open && !phone ? -panel.clientWidth / width : 0, open && phone ? panel.clientHeight / height : 0];
    for (const k of [0, 1] as const) this.camera.place[k] += share * (goal[k]! - this.camera.place[k]);
  }

  private followSmoothly(share: number): void {
    const kind = choice("follow").value;
    const goal = kind === "centre" ? this.centre : this.whoIsFollowed()?.place;
    if (!goal || Math.hypot(...this.camera.target.map((value, axis) => goal[axis]! - value)) < 1e-5 * this.camera.distance) return;
    for (let k = 0; k < 3; ++k) this.camera.target[k] = this.camera.target[k]! + share * (goal[k]! - this.camera.target[k]!);
  }

  private whoIsFollowed(): Followed | undefined {
    const kind = choice("follow").value, share = this.sky.progress();
    if (kind === "body" && this.followed) return { id: this.followed.index, name: this.followedName, place: mix(this.followed.before, this.followed.at, share), few: false };
    const body = kind.startsWith("few ") ? this.few.body(Number(kind.slice(4))) : undefined;
    return body && { id: body.id, name: this.few.nameOf(body), place: this.few.place(body, share), few: true };
  }

  // --- few bodies, and where the camera stands

  private takeFew(message: FewMessage): void {
    const first = this.few.bodies.length === 0, before = this.few.bodies.map((body) => body.id).join();
    this.few.take(message, this.scene?.names ?? []);
    if (this.few.bodies.map((body) => body.id).join() !== before) this.offerFew();
    find("orbits-row").hidden = this.few.orbits.length === 0;
    // orbits tell where all go; what has none leaves its whole trace
    if (first && !this.chosen.trails) input("trails").value = !this.few.all ? "0" : this.few.withoutOrbit().length > 0 ? String(longestTrails) : "4";
  }
  private offerFew(): void {
    const list = choice("follow"), kept = list.value;
    for (const old of list.querySelectorAll("option[value^=few]")) old.remove();
    list.append(...this.few.bodies.map((body) => new Option(this.few.nameOf(body), `few ${body.id}`)));
    list.value = kept;
    if (list.value !== kept) list.value = "none";
    for (const row of document.querySelectorAll<HTMLElement>(".few-only")) row.hidden = this.few.bodies.length === 0;
    if (this.few.orbits.length === 0) find("orbits-row").hidden = true;
  }

  // What no panel and no words cover.
  private area(): Area {
    const { clientWidth: width, clientHeight: height } = this.sky.canvas;
    const open = !document.body.classList.contains("wide"), panel = find("panel");
    const beside = open && !isPhone() ? panel.clientWidth : 0, below = open && isPhone() ? panel.clientHeight : 0;
    return { width: width - beside, height: height - below - (isPhone() ? 230 : 140), picture: height };
  }
  home(): void {
    this.camera.own = false;
    const part = this.sky.newest, stand = this.few.all ? this.framing.few(this.few, this.sky.progress(), this.camera, this.area()) : part && frameMany(part, this.camera, this.area());
    if (!stand) return;
    this.camera.target = stand.target;
    this.camera.distance = stand.distance > 0 ? stand.distance : 3000 * (part?.cell ?? 1);
    this.framed = true;
  }
  // As few bodies cover more, until a hand moves the camera.
  private frameSmoothly(share: number): void {
    if (!this.few.all) return;
    if (!this.framed) return this.home();
    if (this.camera.own) return;
    const stand = this.framing.few(this.few, this.sky.progress(), this.camera, this.area());
    if (!stand || !(stand.distance > 0)) return;
    const { target, distance } = this.camera, free = choice("follow").value === "none";
    const aside = free ? Math.hypot(...target.map((value, axis) => stand.target[axis]! - value)) / stand.distance : 0;
    if (Math.max(aside, Math.abs(Math.log(stand.distance / distance))) < 1e-3) return; // less than a pixel
    this.camera.distance *= (stand.distance / distance) ** share;
    if (free) this.camera.target = mix(target, stand.target, share);
  }

  // --- hands

  private pick(x: number, y: number): void {
    const found = pick(this.camera, this.sky, this.few, this.words.named(x, y), x, y);
    if (found?.few !== undefined) return this.followFew(found.few);
    if (found?.index === undefined) return;
    this.followed = { index: found.index, before: found.at, at: found.at };
    this.connection.say({ do: "body", index: found.index }); // the server knows more of it
  }
  followFew(id: number): void {
    const body = this.few.body(id);
    if (!body) return;
    choice("follow").value = `few ${id}`;
    this.followed = undefined;
    this.tell(`${this.few.nameOf(body)}: mass ${short(body.mass)}, speed ${short(body.speed)}`, false, 4000);
  }

  recolour(): void {
    const by = choice("colour").value;
    if (by === "charge") choice("palette").value = "poles";
    this.connection.say({ do: "colour", by });
  }
  seek(time: number): void {
    this.few.cut();
    this.connection.say({ do: "seek", time });
  }
  toggle(): void {
    this.connection.say({ do: this.figures?.state === "running" ? "pause" : "play" });
  }
  restart(): void {
    if (!find<HTMLButtonElement>("restart").disabled) this.connection.say({ do: "restart" });
  }
  // The slider counts octaves; its right end takes all limits away.
  setSpeed(octave: number): void {
    const factor = octave >= 6 ? 0 : 2 ** octave;
    this.connection.say({ do: "speed", factor });
    this.showSpeed(factor);
  }
  private showSpeed(factor: number): void {
    input("speed").value = String(factor === 0 ? 6 : Math.log2(factor));
    find("speed-text").textContent = factor === 0 ? "max" : factor >= 1 ? `${factor}x` : `1/${Math.round(1 / factor)}x`;
  }
  record(): void {
    try {
      this.recorder.toggle(this.sky.canvas, fileName(this.scene?.title ?? "", "").slice(0, -1), () => find("record").setAttribute("aria-pressed", String(this.recorder.running)));
    } catch (error) {
      this.tell((error as Error).message, true, 4000);
    }
  }
  async share(): Promise<void> {
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
  about(): void {
    const box = find<HTMLDialogElement>("about-box");
    if (box.open) return box.close();
    box.showModal();
    if (find("licenses").textContent === "") void fetch("/licenses.txt").then((answer) => answer.text()).then((text) => (find("licenses").textContent = text));
  }
  togglePanel(): void {
    const wide = document.body.classList.toggle("wide");
    find("panel-toggle").setAttribute("aria-expanded", String(!wide));
  }
}

start();
