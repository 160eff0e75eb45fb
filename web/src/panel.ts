// SPDX-License-Identifier: MIT
// Title, figures and buttons, as the server tells of them.
import { short } from "./charts";
import type { Figures, Scene } from "./connection";
import { choice, find, input } from "./dom";

export function showScene(scene: Scene): void {
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
}

// Gives back what there is to say about it.
export function showFigures(figures: Figures, kind: Scene["kind"] | undefined): string {
  const paused = figures.state !== "running";
  find("play").classList.toggle("paused", paused);
  find("play").setAttribute("aria-label", paused ? "Go on" : "Pause");
  document.body.dataset["state"] = figures.state;
  const words: Record<Figures["state"], string> = { preparing: "preparing\u2026", running: "", paused: "paused", finished: "the end; play goes on", failed: figures.message };
  if (kind === "recording" && figures.state === "finished") words.finished = "the end";
  if (kind === "state") words.paused = "";
  const also = figures.state === "failed" ? "" : figures.message;
  find("f-step").textContent = kind === "run" ? figures.step.toLocaleString("en") : "\u2013";
  find("f-rate").textContent = paused || figures.steps_per_second === 0 ? "\u2013" : short(figures.steps_per_second);
  find("f-interactions").textContent = paused || figures.interactions_per_second === 0 ? "\u2013" : short(figures.interactions_per_second);
  if (document.activeElement !== input("seek")) input("seek").value = String(figures.time);
  showContacts(figures);
  return [words[figures.state], also].filter(Boolean).join("\u2002\u00b7\u2002");
}

function showContacts({ contacts }: Figures): void {
  for (const box of document.querySelectorAll<HTMLElement>(".contacts-only")) box.hidden = contacts === undefined;
  if (!contacts) return;
  const more = [["merged", contacts.merged], ["left", contacts.left], ["at walls", contacts.wall_hits]] as const;
  const words = more.filter(([, count]) => count > 0).map(([word, count]) => `${word} ${count.toLocaleString("en")}`);
  find("f-contacts").textContent = [contacts.all.toLocaleString("en"), ...words].join(", ");
}
