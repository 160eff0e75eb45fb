// SPDX-License-Identifier: MIT
// What the page of the live view does under software GL: time to the first frame, frames a second
// with 20,000 points, and the stream and response of a million bodies.
//   (cd tests/web && npm ci) && node bench/view_page.mjs [FOLDER with two snapshots of 10^6 bodies]
import { openBrowser, openPage, pause, serve, text } from "../tests/web/browser.mjs";

const browser = await openBrowser();
// The page's own count of the frames it draws.
const framesPerSecond = async (page, seconds) => {
  await pause(1000 * seconds);
  return Number(await text(page, "f-frames"));
};

async function measure(name, args) {
  const server = await serve(args);
  await pause(3000); // the run is under way before the page comes, as usual
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  let bytes = 0, shown = 0;
  page.on("websocket", (socket) => socket.on("framereceived", (frame) => (bytes += frame.payload.length)));
  await page.goto(server.link);
  await page.waitForFunction(() => performance.getEntriesByName("first-frame").length > 0);
  const first = await page.evaluate(() => performance.getEntriesByName("first-frame")[0]?.startTime ?? NaN);
  await pause(3000);
  const start = bytes, since = Date.now();
  const rate = await framesPerSecond(page, 5);
  const stream = (bytes - start) / (Date.now() - since) / 1e3;
  shown = await text(page, "f-shown");
  const click = Date.now();
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.body.classList.contains("wide"));
  console.log(`${name}: first frame ${first.toFixed(0)} ms after the page was opened, ${rate.toFixed(1)} frames/s drawn, ${shown} points shown, stream ${stream.toFixed(2)} MB/s, a key answered in ${Date.now() - click} ms`);
  await context.close();
  await server.stop();
}

await measure("20,000 bodies", ["view", "--set", "initial.model=plummer", "--set", "initial.bodies=20000", "--set", "force.solver=direct", "--set", "device.name=cpu", "--set", "device.threads=1", "--port", "0"]);
if (process.argv[2]) await measure("a million bodies, replayed", ["view", process.argv[2], "--port", "0"]);
await browser.close();
