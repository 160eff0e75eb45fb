// SPDX-License-Identifier: MIT
// The live view in a real browser. Prints one line per test: ok or FAIL and its name.
import { createServer } from "node:http";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apsis, bright, difference, expect, held, openBrowser, openPage, pause, serve, skyPixels, state, stepOf, Suite, text, until, untilChanged, untilStill } from "./browser.mjs";
import { fewTests } from "./few.mjs";
import { layoutTests } from "./layout.mjs";

const suite = new Suite();
const folder = mkdtempSync(join(tmpdir(), "apsis-web-"));
const shots = process.env.APSIS_SHOTS; // a folder: pictures for people to look at
const shoot = async (page, name) => shots && (await page.screenshot({ path: join(shots, `${name}.png`) }));
const small = ["--set", "initial.bodies=2000", "--set", "device.name=cpu", "--set", "device.threads=1", "--port", "0"];
const merger = await serve(["view", ...small, "--set", "time.until=200"]);
const browser = await openBrowser();
let page;

await suite.test("the page draws moving bodies and complains about nothing", async () => {
  page = await openPage(browser, merger.link);
  console.log(`first frame after ${page.firstFrame} ms`);
  await untilChanged("pixels that change", page, await skyPixels(page));
  expect((await text(page, "f-bodies")) === "2,000", "number of bodies");
  expect(new URL(page.url()).search === "", "the token stayed in the address");
  await shoot(page, "merger");
});

await suite.test("pause stops them", async () => {
  await page.keyboard.press("Space");
  await until("a pause", async () => (await state(page)) === "paused");
  await untilStill("neither a step nor another pixel", page);
});

await suite.test("step steps once", async () => {
  const step = await stepOf(page);
  await page.click("#step");
  await until("a step", async () => (await stepOf(page)) > step);
  await pause(500);
  expect((await stepOf(page)) === step + 1, `${await stepOf(page)} after ${step}`);
});

await suite.test("speed changes", async () => {
  const rate = async (factor) => {
    await page.fill("#speed", factor);
    await page.evaluate(() => document.activeElement.blur());
    await pause(1700); // rates are counted over half a second
    const first = await stepOf(page), begun = Date.now();
    await pause(1500);
    return (1000 * ((await stepOf(page)) - first)) / (Date.now() - begun);
  };
  await page.click("#play");
  const slow = await rate("-4");
  expect((await text(page, "speed-text")) === "1/16x", "its label");
  await until(`twice the ${slow} steps a second`, async () => (await rate("-1")) > 2 * slow);
  await page.fill("#speed", "6");
  await until("no limit", async () => (await text(page, "speed-text")) === "max");
});

await suite.test("the camera turns, zooms and finds home", async () => {
  await page.click("#play");
  await until("a pause", async () => (await state(page)) === "paused");
  await untilStill("a still picture", page, 300);
  const before = await skyPixels(page), scale = await text(page, "scale-text");
  await page.mouse.move(400, 320);
  await page.mouse.down();
  await page.mouse.move(520, 380, { steps: 5 });
  await page.mouse.up();
  await untilChanged("dragging to turn it", page, before);
  await page.mouse.wheel(0, -2500);
  await until("another scale", async () => (await text(page, "scale-text")) !== scale);
  for (const key of ["ArrowLeft", "ArrowUp", "-", "-"]) await page.keyboard.press(key);
  await page.keyboard.press("h");
  await until("bodies at home", async () => bright(await skyPixels(page)) > 20);
});

await suite.test("radii and density are drawn when they are asked for, by the keyboard too", async () => {
  const page = await openPage(browser, merger.link, { viewport: { width: 1366, height: 768 } });
  await until("a scene", async () => (await state(page)) !== "preparing");
  // pixels of an ink
  const inked = (id, [red, green, blue]) => page.evaluate(([name, wanted]) => {
    const canvas = document.querySelector(`#${name} canvas`);
    if (canvas.width === 0 || canvas.height === 0) return 0;
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += data[i + 3] > 100 && wanted.every((value, k) => Math.abs(data[i + k] - value) < 40) ? 1 : 0;
    return count;
  }, [id, [red, green, blue]]);
  const colours = { kinetic: [255, 180, 84], potential: [111, 168, 255], accent: [143, 178, 255] };
  expect(await page.evaluate(() => !document.getElementById("shape").hidden && !document.getElementById("shape").open), "it is not there, or open at once");
  await page.focus("#shape summary");
  await page.keyboard.press("Enter");
  await until("a profile", async () => (await inked("chart-density", colours.accent)) > 30);
  await until("radii", async () => (await inked("chart-radii", colours.kinetic)) > 3 && (await inked("chart-radii", colours.potential)) > 3);
  expect((await page.textContent("#shape")).includes("90 %"), "no legend");
  await shoot(page, "shape");
  await page.focus("#shape summary");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => !document.getElementById("shape").open), "it does not close");
  expect(page.faults.length === 0, page.faults.join("; "));
  await page.context().close();
});

await suite.test("charts fill", async () => {
  await until("rows", async () => (await text(page, "f-energy")) !== "\u2013");
  const inked = await page.evaluate(() => [...document.querySelectorAll("#charts > figure canvas")].map((canvas) => {
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return data.filter((value, i) => i % 4 === 3 && value > 0).length;
  }));
  expect(inked.length === 4 && inked.every((count) => count > 200), `ink ${inked}`);
});

await suite.test("colours, palettes, trails, follow and themes change the picture", async () => {
  let before = await skyPixels(page);
  for (const [id, value] of [["colour", "density"], ["colour", "id"], ["palette", "ember"], ["theme", "projector"]]) {
    await page.selectOption(`#${id}`, value);
    await untilChanged(`${id} ${value}`, page, before, 20);
    await pause(300);
    before = await skyPixels(page);
  }
  await shoot(page, "projector");
  for (const [id, value] of [["theme", "dark"], ["palette", "stars"], ["colour", "speed"]]) await page.selectOption(`#${id}`, value);
  await page.keyboard.press("t");
  await page.keyboard.press("f");
  expect((await page.inputValue("#follow")) === "centre", "the key f follows");
  await page.click("#play");
  await pause(2500);
  await shoot(page, "trails");
  await page.keyboard.press("t");
});

await suite.test("full quality draws a glow, and again light", async () => {
  await held(page);
  await page.selectOption("#follow", "none");
  await page.keyboard.press("h");
  await untilStill("a still picture", page);
  const light = await skyPixels(page);
  await page.selectOption("#quality", "full");
  let changed = 0;
  await until("another picture", async () => (changed = difference(light, await skyPixels(page))) > 100);
  await pause(500);
  await shoot(page, "full");
  await page.selectOption("#quality", "auto");
  // a last frame of the pause may have come in between
  await until("the first picture", async () => difference(light, await skyPixels(page)) < 0.3 * changed);
  await page.keyboard.press("Space");
  await until("motion", async () => (await state(page)) === "running");
});

await suite.test("a click follows a body", async () => {
  await held(page);
  await page.keyboard.press("h");
  for (const [x, y] of [[390, 320], [350, 300], [450, 340], [300, 360], [500, 280]]) {
    await page.mouse.click(x, y);
    const followed = until("a body", async () => (await page.inputValue("#follow")) === "body", 2);
    if (await followed.then(() => true, () => false)) return;
  }
  throw new Error("no body was found");
});

await suite.test("a picture and a clip are saved", async () => {
  const [picture] = await Promise.all([page.waitForEvent("download"), page.click("#shot")]);
  expect(picture.suggestedFilename().endsWith(".png"), picture.suggestedFilename());
  const bytes = readFileSync(await picture.path());
  expect(bytes.subarray(1, 4).toString() === "PNG" && bytes.length > 5000, "no picture");
  await page.click("#play");
  await page.click("#record");
  await pause(2000);
  const [clip] = await Promise.all([page.waitForEvent("download"), page.click("#record")]);
  expect(readFileSync(await clip.path()).length > 5000, "no clip");
});

await suite.test("restart begins again, and another example can be chosen", async () => {
  const step = await stepOf(page);
  await page.click("#restart");
  await until("the start", async () => (await stepOf(page)) < step);
  await page.selectOption("#example", "figure-eight");
  await until("three bodies", async () => (await text(page, "f-bodies")) === "3");
  await page.fill("#trails", "60");
  await pause(2500);
  expect((await text(page, "title")) === "Figure-eight", "its title");
  await shoot(page, "figure-eight");
});

await suite.test("about shows what is built in", async () => {
  await page.keyboard.press("?");
  await page.click("#about-box summary");
  await until("notices", async () => /Boost[^]*uPlot/.test(await text(page, "licenses")));
  await shoot(page, "about");
  await page.keyboard.press("Escape");
  expect(page.faults.length === 0, page.faults.join("; "));
});

await suite.test("a page from another origin cannot connect", async () => {
  const other = createServer((_, answer) => answer.end("<!doctype html><title>other</title>"));
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  const context = page.context(); // the browser that has the cookie
  const stranger = await context.newPage();
  await stranger.goto(`http://127.0.0.1:${other.address().port}/`);
  const result = await stranger.evaluate(async (host) => {
    const socket = await new Promise((done) => {
      const socket = new WebSocket(`ws://${host}/socket`);
      socket.onopen = () => done("open");
      socket.onerror = () => done("refused");
    });
    const read = await fetch(`http://${host}/`, { credentials: "include" }).then(() => "read", () => "refused");
    const blind = await fetch(`http://${host}/page.js`, { credentials: "include", mode: "no-cors" }).then(() => "read", () => "refused");
    return [socket, read, blind];
  }, new URL(merger.link).host);
  other.close();
  await stranger.close();
  expect(result[0] === "refused" && result[1] === "refused" && result[2] === "refused", result.join(" "));
});

await page.context().close();
await merger.stop();

await suite.test("the page comes back after a restart of the server", async () => {
  const token = { APSIS_VIEW_TOKEN: "t".repeat(40) };
  let server = await serve(["view", ...small], token);
  const port = new URL(server.link).port;
  page = await openPage(browser, server.link);
  await server.stop();
  await until("a word about it", async () => (await text(page, "status")).includes("Not connected"));
  server = await serve(["view", ...small.slice(0, -1), port, "--set", "title=Again"], token);
  await until("the new run", async () => (await text(page, "title")) === "Again");
  await untilChanged("moving bodies", page, await skyPixels(page));
  await server.stop();
  server = await serve(["view", ...small.slice(0, -1), port]);
  await until("a word about the token", async () => (await text(page, "status")).includes("started anew"));
  await page.context().close();
  await server.stop();
});

await suite.test("a read-only page looks and does not control", async () => {
  const server = await serve(["view", ...small, "--read-only"]);
  page = await openPage(browser, server.link);
  expect(await page.isDisabled("#play") && await page.isDisabled("#restart"), "buttons work");
  await page.keyboard.press("Space");
  await until("a refusal", async () => (await text(page, "status")).includes("not control"));
  expect((await state(page)) === "running", "it stopped");
  await page.context().close();
  await server.stop();
});

await suite.test("contacts flash and are counted, and bodies become fewer", async () => {
  const server = await serve(["view", "--port", "0", "--set", "initial.model=planetesimals", "--set", "initial.bodies=400", "--set", "initial.filling=0.02", "--set", "device.name=cpu"]);
  page = await openPage(browser, server.link);
  await page.fill("#speed", "6");
  await until("mergers", async () => /^\d+, merged \d+/.test(await text(page, "f-contacts")));
  await until("fewer bodies", async () => Number(await text(page, "f-bodies")) < 400);
  await until("a flash", () => page.evaluate(() => performance.getEntriesByName("first-flash").length > 0));
  await shoot(page, "contacts");
  await page.selectOption("#example", "figure-eight");
  await until("another run", async () => (await text(page, "f-bodies")) === "3");
  await until("no word of contacts", async () => await page.isHidden("#f-contacts"));
  expect(page.faults.length === 0, page.faults.join("; "));
  await page.context().close();
  await server.stop();
});

await suite.test("a phone sees it all and turns it by touch", async () => {
  const server = await serve(["view", ...small]);
  page = await openPage(browser, server.link, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow <= 0, `${overflow} pixels too wide`);
  await shoot(page, "phone");
  await page.tap("#play");
  await until("a pause", async () => (await state(page)) === "paused");
  await page.tap("#panel-toggle");
  await pause(400);
  await shoot(page, "phone-panel");
  expect(page.faults.length === 0, page.faults.join("; "));
  await page.context().close();
  await server.stop();
});

await suite.test("a recorded run is replayed, and a run is watched while it writes", async () => {
  const out = join(folder, "run");
  const run = await serve(["run", "--view", "--port", "0", "--set", "initial.model=plummer", "--set", "initial.bodies=1000", "--set", "device.name=cpu", "--set", "time.until=6", "--set", "output.pictures=false", "--out", out]);
  page = await openPage(browser, run.link);
  expect(await page.isDisabled("#restart"), "a run on disk can be restarted");
  await until("its end", async () => (await state(page)) === "finished", 60);
  await page.context().close();
  expect((await run.stop()) === 0, "its exit code");
  expect(JSON.parse(readFileSync(join(out, "summary.json"), "utf8")).status === "finished", "its summary");
  const replay = await serve(["view", out, "--port", "0"]);
  page = await openPage(browser, replay.link);
  await until("motion", async () => (await state(page)) === "running");
  await page.fill("#seek", "3");
  await until("another time", async () => /t = [3-6]/.test(await text(page, "time")));
  await shoot(page, "replay");
  const lost = readdirSync(out).filter((name) => name.startsWith("snapshot_")).sort().at(-1);
  rmSync(join(out, lost));
  await page.fill("#seek", "6");
  await until("word of a snapshot that vanished", async () => (await text(page, "status")).includes(lost));
  expect(page.faults.length === 0, page.faults.join("; "));
  await page.context().close();
  await replay.stop();
  execFileSync(apsis, ["--version"]);
});

await fewTests(suite, browser, shoot);
await layoutTests(suite, browser, folder);

await browser.close();
rmSync(folder, { recursive: true });
process.exit(suite.failed === 0 ? 0 : 1);
