// SPDX-License-Identifier: MIT
// What hands do to the page: buttons, lists and keys.
import { choice, find, input } from "./dom";
import type { Page } from "./main";

export function handleControls(page: Page): void {
  const click = (id: string, act: () => void) => find(id).addEventListener("click", act);
  click("play", () => page.toggle());
  click("step", () => page.connection.say({ do: "step" }));
  click("restart", () => page.restart());
  click("home", () => page.home());
  click("shot", () => (page.wantsPicture = true));
  click("record", () => page.record());
  click("share", () => void page.share());
  click("about", () => page.about());
  click("panel-toggle", () => page.togglePanel());
  input("speed").addEventListener("input", () => page.setSpeed(Number(input("speed").value)));
  input("seek").addEventListener("input", () => page.seek(Number(input("seek").value)));
  choice("colour").addEventListener("change", () => (page.chosen.colour = true, page.recolour()));
  input("trails").addEventListener("input", () => (page.chosen.trails = true));
  choice("palette").addEventListener("change", () => page.sky.newest && page.words.legend(page.sky.newest));
  choice("follow").addEventListener("change", () => {
    const kind = choice("follow").value;
    if (kind.startsWith("few ")) page.followFew(Number(kind.slice(4)));
  });
  choice("example").addEventListener("change", () => {
    if (choice("example").value) page.connection.say({ do: "example", name: choice("example").value });
    choice("example").blur();
  });
  choice("theme").addEventListener("change", () => setTheme(page, choice("theme").value));
  const kept = localStorage.getItem("apsis-theme");
  if (kept === "projector") (choice("theme").value = kept), setTheme(page, kept);
}

function setTheme(page: Page, theme: string): void {
  document.documentElement.dataset["theme"] = theme;
  localStorage.setItem("apsis-theme", theme);
  page.charts.show();
}

function next(id: string, words: readonly string[]): void {
  const list = choice(id), usable = words.filter((word) => !list.querySelector<HTMLOptionElement>(`option[value="${word}"]`)?.disabled);
  list.value = usable[(usable.indexOf(list.value) + 1) % usable.length]!;
  list.dispatchEvent(new Event("change"));
}

export function handleKey(page: Page, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.tagName === "SELECT" || find<HTMLDialogElement>("about-box").open) return;
  if (target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
  const presses = target.tagName === "BUTTON" || (target as HTMLInputElement).type === "checkbox";
  if (presses && (event.key === " " || event.key === "Enter")) return;
  const camera = page.camera, speed = Number(input("speed").value);
  const keys: Record<string, () => void> = {
    " ": () => page.toggle(), ".": () => page.connection.say({ do: "step" }), ",": () => page.setSpeed(Math.max(-5, speed - 1)), "/": () => page.setSpeed(Math.min(6, speed + 1)),
    ArrowLeft: () => camera.turn(-0.06, 0), ArrowRight: () => camera.turn(0.06, 0), ArrowUp: () => camera.turn(0, -0.06), ArrowDown: () => camera.turn(0, 0.06),
    "+": () => camera.zoom(1.15), "=": () => camera.zoom(1.15), "-": () => camera.zoom(1 / 1.15),
    h: () => find("home").click(), r: () => page.restart(), s: () => find("shot").click(), v: () => page.record(), p: () => page.togglePanel(), "?": () => page.about(),
    c: () => next("colour", page.colours.split(",")), f: () => next("follow", ["none", "centre", "body"]), t: () => (page.chosen.trails = true, input("trails").value = Number(input("trails").value) > 0 ? "0" : "30"),
    o: () => input("orbits-on").click(), n: () => input("names-on").click(),
  };
  const act = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
}
