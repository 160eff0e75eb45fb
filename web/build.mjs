// SPDX-License-Identifier: MIT
// Bundles the page: node build.mjs WEB BUILD, where BUILD has node_modules and gets files/.
import { createRequire } from "node:module";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [web, build] = process.argv.slice(2);
const require = createRequire(join(build, "package.json"));
const { buildSync } = require("esbuild");
const files = join(build, "files");
mkdirSync(files, { recursive: true });
buildSync({
  entryPoints: [join(web, "src", "main.ts")],
  outfile: join(files, "page.js"),
  nodePaths: [join(build, "node_modules")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2021",
  charset: "ascii",
  legalComments: "none",
  logLevel: "warning",
});
const charts = readFileSync(join(build, "node_modules", "uplot", "dist", "uPlot.min.css"), "utf8");
writeFileSync(join(files, "page.css"), charts + "\n" + readFileSync(join(web, "page.css"), "utf8"));
for (const name of ["index.html", "icon.svg"]) cpSync(join(web, name), join(files, name));
