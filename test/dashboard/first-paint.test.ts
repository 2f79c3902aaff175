import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const built = new URL("../../dist/dashboard/", import.meta.url);
const FIRST_PAINT_KB = 60;

test(`what the first paint needs is at most ${FIRST_PAINT_KB} kB, compressed`, () => {
  const files = neededFirst("index.html");

  const sizes = files.map((file) => ({ file, kB: gzipSync(readFileSync(new URL(file, built))).length / 1_000 }));
  const total = sizes.reduce((sum, { kB }) => sum + kB, 0);

  console.log([...sizes, { file: "altogether", kB: total }].map(({ file, kB }) => `${kB.toFixed(1).padStart(6)} kB  ${file}`).join("\n"));
  expect(files.length).toBeGreaterThan(2);
  expect(total).toBeLessThanOrEqual(FIRST_PAINT_KB);
});

/** The page, what it names, and what its modules import before they run. */
function neededFirst(file: string, known: readonly string[] = []): string[] {
  if (known.includes(file)) return [...known];
  const text = readFileSync(new URL(file, built), "utf8");
  const named = file.endsWith(".html") ? namedBy(text) : imported(text);
  return named.reduce((files, name) => neededFirst(new URL(name, `file:///${file}`).pathname.slice(1), files), [...known, file]);
}

function namedBy(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = ""]) => name);
}

/** Static imports alone: the others are loaded when they are used. */
function imported(code: string): string[] {
  return [...code.matchAll(/(?:^|[;}])(?:import|export)\b[^"'()]*?["'](\.[^"']+)["']/g)].map(([, name = ""]) => name);
}
