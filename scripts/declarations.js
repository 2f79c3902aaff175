// Writes the type declarations of the packed library: only those that its entry points need.
import { execFileSync } from "node:child_process";
import { readdir, readFile, rm } from "node:fs/promises";
import { LIBRARY_ENTRIES } from "./library-entries.js";

const lib = new URL("../dist/lib/", import.meta.url);

execFileSync("npx", ["tsc", "-p", "scripts/tsconfig.declarations.json"], { stdio: "inherit" });
const reached = await reach(LIBRARY_ENTRIES.map((entry) => new URL(`${entry}.d.ts`, lib).href));
const names = await readdir(lib, { recursive: true });
const unreached = names.map((name) => new URL(name, lib)).filter(({ href }) => href.endsWith(".d.ts") && !reached.has(href));
await Promise.all(unreached.map((file) => rm(file)));

async function reach(files, known = new Set()) {
  const fresh = files.filter((file) => !known.has(file));
  if (fresh.length === 0) return known;
  const named = await Promise.all(fresh.map(declarationsNamedIn));
  return reach(named.flat(), new Set([...known, ...fresh]));
}

async function declarationsNamedIn(file) {
  const text = await readFile(new URL(file), "utf8");
  const specifiers = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, specifier]) => specifier);
  return specifiers.map((specifier) => new URL(specifier.replace(/\.[jt]s$/, ".d.ts"), file).href);
}
