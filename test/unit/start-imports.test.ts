import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const src = new URL("../../src/", import.meta.url);

// zod and yaml took more than half of a start; a start in which nothing is wrong needs neither.
test("a start loads no package but the heap of its timers", () => {
  const packages = [...reach("cli/main.ts")].filter((name) => !name.startsWith("node:") && !name.endsWith(".ts"));

  expect(packages).toEqual(["tinyqueue"]);
});

test("it is seen what a file imports for its values alone", () => {
  const source =
    'import type * as z from "zod";\nimport { type A, type B } from "a";\nimport { type C, d } from "b";\nexport { e } from "c";\n';

  expect(valuesFrom(source)).toEqual(["b", "c"]);
});

/** All that a source file imports before it runs, by the paths within src, and what those import. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const named = file.endsWith(".ts") ? valuesFrom(readFileSync(new URL(file, src), "utf8")) : [];
  named.forEach((name) => reach(name.startsWith(".") ? new URL(name, new URL(file, src)).href.slice(src.href.length) : name, seen));
  return seen;
}

function valuesFrom(source: string): string[] {
  const imports = [...source.matchAll(/^(?:import|export) (?!type )(?:([^"';]*?) from )?"([^"]+)";/gms)];
  return imports.flatMap(([, names = "", from = ""]) => (/^\{(?:\s*type [^,}]+,?)+\s*\}$/.test(names) ? [] : [from]));
}
