// SPDX-License-Identifier: MIT
// Every control can be reached, and nothing lies over anything else: boxes in a real browser, on a
// desktop, a laptop and a phone, in each theme, with and without the panel.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { apsis, expect, held, openPage, pause, serve, state, until } from "./browser.mjs";

const sizes = [
  ["a desktop", { width: 1920, height: 1080 }],
  ["a laptop", { width: 1366, height: 768 }],
  ["a phone", { width: 390, height: 844 }],
];

// What the page shows, as boxes. In the page's own words: what covers what is asked of the browser.
function look() {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("dialog:not([open])");
  const name = (element) => `#${element.id || element.className || element.tagName}`;
  const boxOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`${document.documentElement.scrollWidth - innerWidth} pixels too wide`);
  const inside = (box) => box.left >= -0.5 && box.top >= -0.5 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;

  // what stands on the sky
  const standing = ["head", "status", "transport", "seek-box", "time", "scale", "panel", "panel-toggle"].map((id) => document.getElementById(id)).filter(shown);
  for (const [k, a] of standing.entries()) {
    if (!inside(boxOf(a))) faults.push(`${name(a)} leaves the screen: ${JSON.stringify(boxOf(a))}`);
    for (const b of standing.slice(k + 1)) {
      if (a.id === "panel" && b.id === "panel-toggle") continue; // which keeps its corner free
      if (meet(boxOf(a), boxOf(b))) faults.push(`${name(a)} lies over ${name(b)}: ${JSON.stringify([boxOf(a), boxOf(b)])}`);
    }
  }

  const controls = [...document.querySelectorAll("button, select, input, summary")].filter(shown);
  for (const control of controls) {
    control.scrollIntoView({ block: "nearest" });
    const box = boxOf(control), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    if (!inside(box)) faults.push(`${name(control)} leaves the screen`);
    if (box.right - box.left < 12 || box.bottom - box.top < 12) faults.push(`${name(control)} is too small to hit`);
    const hit = document.elementFromPoint(x, y);
    if (!hit || !(control.contains(hit) || hit.contains(control) && hit.tagName === "LABEL")) faults.push(`${name(control)} is covered by ${hit ? name(hit) : "nothing"}`);
    for (const other of controls) {
      if (other !== control && meet(box, boxOf(other)) && !hiddenByScroll(other)) faults.push(`${name(control)} lies over ${name(other)}`);
    }
  }
  // a panel's content that is scrolled out of its part of the panel is not there
  function hiddenByScroll(element) {
    const part = element.closest("#panel-body");
    if (!part) return false;
    const box = boxOf(element), frame = boxOf(part);
    return box.bottom <= frame.top + 1 || box.top >= frame.bottom - 1 || !meet(box, frame) || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }
  return { faults, controls: controls.map((control) => control.id) };
}

async function checkPage(page, wanted) {
  const phone = page.viewportSize().width < 720;
  for (const theme of ["dark", "projector"]) {
    for (const open of [true, false]) {
      if ((await page.evaluate(() => !document.body.classList.contains("wide"))) !== open) await page.click("#panel-toggle");
      if (open) await page.selectOption("#theme", theme);
      if (open) await page.evaluate(() => document.getElementById("shape").setAttribute("open", ""));
      await pause(100);
      const { faults, controls } = await page.evaluate(look);
      const where = `${theme}, panel ${open ? "open" : "closed"}${phone ? ", phone" : ""}`;
      expect(faults.length === 0, `${where}: ${faults.join("; ")}`);
      for (const id of open ? wanted : ["play", "panel-toggle"]) expect(controls.includes(id), `${where}: no ${id}`);
    }
  }
}

// The panel does not slide for those who asked for less motion.
const context = (size) => ({ viewport: size, reducedMotion: "reduce", ...(size.width < 720 ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}) });
const settings = ["colour", "palette", "follow", "trails", "brightness", "size", "quality", "theme", "home", "shot", "record", "about"];

export async function layoutTests(suite, browser, folder) {
  const run = await serve(["view", "kepler", "--port", "0", "--set", "title=Two bodies on an ellipse of which one end is much farther away"]);
  // paused before anything large is drawn, which takes a machine without a graphics processor long
  const first = await openPage(browser, run.link);
  await held(first);
  await first.context().close();
  for (const [name, size] of sizes) {
    await suite.test(`on ${name} each control of a run can be reached and none covers another`, async () => {
      const page = await openPage(browser, run.link, context(size));
      await until("few bodies", () => page.evaluate(() => !document.getElementById("orbits-row").hidden));
      await until("a word of the pause", async () => (await page.textContent("#status")) === "paused");
      await checkPage(page, ["restart", "play", "step", "speed", "names-on", "orbits-on", "example", "share", ...settings]);
      expect(page.faults.length === 0, page.faults.join("; "));
      await page.context().close();
    });
  }
  await run.stop();
  const many = await serve(["view", "plummer", "--port", "0", "--set", "initial.bodies=200", "--set", "time.step=0.001"]);
  for (const [name, size] of sizes) {
    await suite.test(`on ${name} charts of radii and density hide nothing`, async () => {
      const page = await openPage(browser, many.link, context(size));
      await until("the charts", () => page.evaluate(() => !document.getElementById("shape").hidden));
      await checkPage(page, ["shape-title", ...settings]);
      expect(page.faults.length === 0, page.faults.join("; "));
      await page.context().close();
    });
  }
  await many.stop();
  const out = join(folder, "layout");
  execFileSync(apsis, ["run", "kepler", "--set", "time.until=3", "--set", "output.pictures=false", "--out", out], { stdio: "ignore" });
  const replay = await serve(["view", out, "--port", "0"]);
  for (const [name, size] of sizes) {
    await suite.test(`on ${name} each control of a recording can be reached and none covers another`, async () => {
      const page = await openPage(browser, replay.link, context(size));
      await until("a word about it", async () => (await state(page)) !== "preparing");
      await checkPage(page, ["play", "seek", "speed", ...settings]);
      await page.context().close();
    });
  }
  await replay.stop();
}
