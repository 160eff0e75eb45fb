// SPDX-License-Identifier: MIT
// What the tests share: the program, a browser, and lines that ./test counts.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const apsis = process.env.APSIS ?? new URL("../../build/release/apsis", import.meta.url).pathname;
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export async function until(what, holds, seconds = 20) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(50);
  }
}

export function expect(holds, what) {
  if (!holds) throw new Error(what);
}

// `apsis ARGUMENTS` with --no-open; resolves with its link.
export async function serve(args, environment = {}) {
  const child = spawn(apsis, [...args, "--no-open"], { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  const link = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`apsis ended with ${code}`)));
    child.stdout.on("data", () => {
      const found = /http:\S+/.exec(output);
      if (found) resolve(found[0]);
    });
  });
  const stop = () => new Promise((done) => {
    if (child.exitCode !== null) return done(child.exitCode);
    child.once("exit", done);
    child.kill("SIGTERM");
  });
  return { link, stop, origin: new URL(link).origin };
}

export async function openBrowser() {
  // Chromium does not fall back to software GL by itself any more
  return chromium.launch({ executablePath: browserPath, args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"] });
}

// A page that fails the test when it complains.
export async function openPage(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(error.message));
  const begun = Date.now();
  await page.goto(link);
  await until("a first frame", () => page.evaluate(() => document.getElementById("time").textContent.startsWith("t =")));
  await until("points of light", async () => bright(await skyPixels(page)) > 20);
  page.firstFrame = Date.now() - begun;
  return page;
}

export const text = (page, id) => page.evaluate((name) => document.getElementById(name).textContent, id);
export const state = (page) => page.evaluate(() => document.body.dataset.state);
export const stepOf = async (page) => Number((await text(page, "f-step")).replaceAll(",", ""));

// The middle of the sky as the screen shows it, without panel and words.
export async function skyPixels(page) {
  const size = page.viewportSize();
  const clip = { x: Math.round(size.width * 0.1), y: Math.round(size.height * 0.2), width: Math.round(size.width * 0.5), height: Math.round(size.height * 0.5) };
  const png = await page.screenshot({ clip });
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    return Array.from(pen.getImageData(0, 0, image.width, image.height).data.filter((_, i) => i % 4 === 1));
  }, png.toString("base64"));
}
export const bright = (pixels) => pixels.filter((value) => value > 40).length;
export const difference = (a, b) => a.reduce((sum, value, i) => sum + (Math.abs(value - b[i]) > 8 ? 1 : 0), 0);

// A run that came to its end in the meantime is paused already, and would go on.
export async function held(page) {
  if ((await state(page)) === "running") await page.keyboard.press("Space");
  await until("a pause", async () => (await state(page)) === "paused");
}
// However slow the machine is: what should change is waited for, what should not is looked at for a while.
export const untilChanged = (what, page, before, pixels = 50) => until(what, async () => difference(before, await skyPixels(page)) > pixels);
export async function untilStill(what, page, milliseconds = 800) {
  await until(what, async () => {
    const before = await skyPixels(page), step = await stepOf(page);
    await pause(milliseconds);
    return (await stepOf(page)) === step && difference(before, await skyPixels(page)) === 0;
  });
}

export class Suite {
  failed = 0;
  async test(name, run) {
    try {
      await run();
      console.log(`ok ${name}`);
    } catch (error) {
      this.failed += 1;
      console.log(`${error.stack}\nFAIL ${name}`);
    }
  }
}
