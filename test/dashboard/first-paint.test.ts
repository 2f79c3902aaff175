import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const built = new URL("../../dist/dashboard/", import.meta.url);
const FIRST_PAINT_KB = 60;

test(`whichever view comes first, its first paint needs at most ${FIRST_PAINT_KB} kB, compressed`, () => {
  const page = needed("index.html")
    .map((file) => readFileSync(new URL(file, built), "utf8"))
    .join("");
  const first = readdirSync(new URL("assets/", built)).filter(
    (name) => /-view-[^/]*\.js$/.test(name) && page.includes(name),
  );

  const paints = first.map((view) => ({ view, kB: weigh(needed(`assets/${view}`, needed("index.html"))) }));

  console.log(paints.map(({ view, kB }) => `${kB.toFixed(1).padStart(6)} kB  ${view}`).join("\n"));
  console.log(everyAsset());
  expect(paints).toHaveLength(4);
  expect(paints.filter(({ kB }) => kB > FIRST_PAINT_KB)).toEqual([]);
});

function everyAsset(): string {
  const names = readdirSync(new URL("assets/", built)).map((name) => `assets/${name}`);
  return ["index.html", ...names].map((file) => `${weigh([file]).toFixed(1).padStart(6)} kB  ${file}`).join("\n");
}

/** Thousands of bytes over the wire, at gzip's own level. */
function weigh(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, built))).length, 0) / 1_000;
}

/** A file, what it names, and what its modules import before they run. */
function needed(file: string, known: readonly string[] = []): string[] {
  if (known.includes(file)) return [...known];
  const text = readFileSync(new URL(file, built), "utf8");
  const named = file.endsWith(".html") ? namedBy(text) : importedBy(text);
  return named.reduce(
    (files, name) => needed(new URL(name, `file:///${file}`).pathname.slice(1), files),
    [...known, file],
  );
}

function namedBy(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = ""]) => name);
}

/** Static imports alone: the others are loaded when they are used. */
function importedBy(code: string): string[] {
  return [...code.matchAll(/(?:^|[;}])(?:import|export)\b[^"'()`]*?["'`](\.[^"'`]+)["'`]/g)].map(
    ([, name = ""]) => name,
  );
}
