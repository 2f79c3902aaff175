import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const descriptions = ["docs", "examples"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("package.json") && !path.includes("node_modules"))
    .map((path) => `${folder}/${path}`),
);

// npm runs scripts in cmd.exe there, which takes `VARIABLE=value command` for the name of a program.
test("no npm script that people copy sets a variable in front of its command, which Windows refuses", () => {
  const scripts = descriptions.flatMap((path) => {
    const { scripts: own = {} }: { scripts?: Record<string, string> } = JSON.parse(readFileSync(path, "utf8"));
    return Object.entries(own).map(([name, script]) => `${path} ${name}: ${script}`);
  });

  expect(scripts.filter((line) => line.startsWith("docs/recipes/jest/package.json test:"))).toHaveLength(1);
  expect(scripts.filter((line) => /(?:: |&& |; )\w+=\S* /.test(line))).toEqual([]);
});
