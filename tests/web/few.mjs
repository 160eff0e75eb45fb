// SPDX-License-Identifier: MIT
// Few bodies: framed for all that they cover, with names, orbits, sizes and traces.
import { bright, difference, expect, openPage, pause, serve, skyPixels, state, text, until, untilChanged, untilStill } from "./browser.mjs";

const options = (page, id) => page.evaluate((name) => [...document.getElementById(name).options].map((option) => option.textContent), id);
const inked = (page, selector) => page.evaluate((name) => {
  const sheet = document.querySelector(name);
  return sheet.getContext("2d").getImageData(0, 0, sheet.width, sheet.height).data.filter((value, i) => i % 4 === 3 && value > 0).length;
}, selector);
// "t = 1.5 yr"
const timeOf = async (page) => Number(/-?[\d.]+/.exec(await text(page, "time"))[0]);
const scaleOf = (page) => page.evaluate(() => [document.getElementById("scale-text").textContent, document.getElementById("scale-bar").style.width].join());
async function pauseIt(page) {
  if ((await state(page)) === "running") await page.click("#play");
  await until("a pause", async () => (await state(page)) !== "running");
}
// The smallest box around what shines, in shares of the middle of the sky.
async function litBox(page, width) {
  const pixels = await skyPixels(page), rows = pixels.length / width;
  let [left, right, top, bottom] = [width, 0, rows, 0];
  pixels.forEach((value, i) => {
    if (value <= 40) return;
    const x = i % width, y = Math.floor(i / width);
    (left = Math.min(left, x)), (right = Math.max(right, x)), (top = Math.min(top, y)), (bottom = Math.max(bottom, y));
  });
  return { left: left / width, right: right / width, top: top / rows, bottom: bottom / rows };
}

export async function fewTests(suite, browser, shoot) {
  await suite.test("an orbit is framed as a whole from its first moment", async () => {
    // starts at the pericentre, a tenth of the half axis apart, and goes out to nineteen times that
    const server = await serve(["view", "kepler", "--port", "0", "--set", "initial.eccentricity=0.9"]);
    const page = await openPage(browser, server.link);
    await pauseIt(page);
    await untilStill("a still picture", page, 400);
    const first = await scaleOf(page), box = await litBox(page, Math.round(1000 * 0.5));
    expect(box.right - box.left > 0.7, `the ellipse is ${JSON.stringify(box)}`);
    await page.click("#play");
    await until("half an orbit", async () => (await timeOf(page)) > 3.5);
    const seen = await scaleOf(page);
    const length = (scale) => Number.parseFloat(scale.split(",")[1]) / Number.parseFloat(scale);
    expect(Math.abs(Math.log(length(seen) / length(first))) < 0.05, `the scale went from ${first} to ${seen}`);
    await page.context().close();
    await server.stop();
  });

  await suite.test("the Solar System has names, orbits that can be hidden, and a Sun larger than Pluto", async () => {
    const server = await serve(["view", "solar-system", "--port", "0"]);
    const page = await openPage(browser, server.link, { viewport: { width: 1366, height: 768 } });
    await until("names", async () => (await options(page, "follow")).includes("Pluto"));
    await until("colours by mass", async () => (await page.inputValue("#colour")) === "mass");
    expect((await options(page, "colour")).join() === "speed,mass,id", `colours ${await options(page, "colour")}`);
    await pauseIt(page);
    await untilStill("a still picture", page, 400);
    expect((await inked(page, "#names")) > 500, "no names");
    await shoot(page, "solar-system");
    const all = await skyPixels(page);
    await page.uncheck("#orbits-on");
    await untilChanged("a sky without orbits", page, all, 500);
    const bare = await skyPixels(page);
    await page.uncheck("#names-on");
    await untilChanged("a sky without names", page, bare, 100);
    expect((await inked(page, "#names")) === 0, "names are left");
    // one at a time in the middle of the picture, without its name and mark
    await page.evaluate(() => (document.getElementById("names").hidden = true));
    const lit = async (name) => {
      await page.selectOption("#follow", { label: name });
      await page.fill("#trails", "0");
      await pause(1500);
      await page.evaluate(() => document.activeElement.blur());
      for (let k = 0; k < 20; ++k) await page.keyboard.press("+");
      await untilStill(name, page, 400);
      const shining = bright(await skyPixels(page));
      await page.keyboard.press("h");
      return shining;
    };
    const pluto = await lit("Pluto"), sun = await lit("Sun");
    expect(sun > 3 * pluto, `${sun} pixels of the Sun, ${pluto} of Pluto`);
    expect(page.faults.length === 0, page.faults.join("; "));
    await page.context().close();
    await server.stop();
  });

  await suite.test("the followed body is marked, by list or click, and its name is told", async () => {
    const server = await serve(["view", "pythagorean", "--port", "0"]);
    const page = await openPage(browser, server.link);
    await until("names", async () => (await options(page, "follow")).includes("mass 4"));
    await pauseIt(page);
    await page.uncheck("#names-on");
    await until("no names", async () => (await inked(page, "#names")) === 0);
    await page.selectOption("#follow", { label: "mass 4" });
    await until("a mark", async () => (await inked(page, "#names")) > 100);
    await until("its name", async () => (await text(page, "status")).startsWith("mass 4: mass 4"));
    await page.selectOption("#follow", "none");
    await until("no mark", async () => (await inked(page, "#names")) === 0);
    await page.context().close();
    await server.stop();
  });

  await suite.test("bodies without ellipses leave their trace, and the camera grows with it until a hand moves it", async () => {
    const server = await serve(["view", "figure-eight", "--port", "0"]);
    const page = await openPage(browser, server.link);
    await until("a full trace", async () => (await page.inputValue("#trails")) === "60");
    expect(await page.isHidden("#orbits-row"), "orbits are offered");
    const early = bright(await skyPixels(page));
    await until("half a period", async () => (await timeOf(page)) > 3.2);
    await until("a figure of eight", async () => bright(await skyPixels(page)) > 1.5 * early + 200);
    await shoot(page, "figure-eight");
    await page.mouse.move(400, 320);
    await page.mouse.wheel(0, -800);
    await pause(300);
    const own = await scaleOf(page);
    await pause(1500);
    expect((await scaleOf(page)) === own, "the camera moved out of a hand");
    await page.keyboard.press("h");
    await until("the whole again", async () => (await scaleOf(page)) !== own);
    // the traces are drawn by the pixel
    await pauseIt(page);
    await untilStill("a still picture", page, 400);
    const traced = await skyPixels(page);
    await page.fill("#trails", "0");
    await until("no traces", async () => difference(traced, await skyPixels(page)) > 500);
    await page.context().close();
    await server.stop();
  });

  await suite.test("a heavy body among many has its name, and energies have a chart", async () => {
    const server = await serve(["view", "ring", "--port", "0", "--set", "initial.bodies=500", "--set", "device.name=cpu"]);
    const page = await openPage(browser, server.link, { viewport: { width: 1366, height: 768 } });
    await until("its name", async () => (await options(page, "follow")).includes("centre"));
    await until("its word", async () => (await inked(page, "#names")) > 100);
    expect((await page.inputValue("#colour")) === "speed", "other colours");
    await until("three curves", async () => page.evaluate(() => {
      const canvas = document.querySelector("#chart-energies canvas");
      const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const style = getComputedStyle(document.documentElement), seen = new Set();
      for (const name of ["--kinetic", "--potential", "--total"]) {
        const [r, g, b] = style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((two) => parseInt(two, 16));
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && Math.hypot(data[i] - r, data[i + 1] - g, data[i + 2] - b) < 30) seen.add(name);
      }
      return seen.size === 3;
    }));
    await page.context().close();
    await server.stop();
  });
}
