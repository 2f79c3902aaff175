import { readFileSync } from "node:fs";
import { NAME } from "../src/version.ts";

const FRAMEWORKS = { express: "Express", laravel: "Laravel", django: "Django", spring: "Spring", php: "plain PHP" };

/** Returns a page for each framework: the lines that all of them share, and those below `<!-- only express -->` up to the next such line. */
export function shopPages(): [path: string, text: string][] {
  const template = readFileSync(new URL("shop-page.txt", import.meta.url), "utf8");
  return Object.entries(FRAMEWORKS).map(([name, title]) => [
    `docs/shop-${name}.md`,
    linesFor(name, template.split("\n")).join("\n").replace("FRAMEWORK", title).replace("PACKAGE", NAME),
  ]);
}

function linesFor(name: string, lines: readonly string[]): string[] {
  let isWanted = true;
  return lines.filter((line) => {
    const [, all, only] = /^<!-- (?:(all)|only (.*)) -->$/.exec(line) ?? [];
    if (all === undefined && only === undefined) return isWanted;
    isWanted = all !== undefined || only?.split(" ").includes(name) === true;
    return false;
  });
}
