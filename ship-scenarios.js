import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { loadSource } from "./load-source.js";

/** Writes what reading each shipped scenario gives, beside the text that was read, so that a start need not read YAML for it. */
export async function shipScenarios(from, to) {
  const { parseScenario } = await loadSource("./src/scenario/parse-scenario.ts");
  const files = (await readdir(from)).filter((file) => file.endsWith(".yaml"));
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await Promise.all(files.map((file) => shipScenario(new URL(file, from), new URL(file.replace(/yaml$/, "json"), to), parseScenario)));
}

async function shipScenario(file, target, parseScenario) {
  const text = await readFile(file, "utf8");
  const { scenario, problems } = parseScenario(text, fileURLToPath(file));
  if (problems !== undefined) throw new Error(problems.map(({ line, problem }) => `${file.pathname}:${line}  ${problem}`).join("\n"));
  const written = JSON.stringify({ text, scenario });
  if (!isDeepStrictEqual(JSON.parse(written).scenario, scenario)) throw new Error(`${file.pathname} is not the same again out of JSON`);
  await writeFile(target, written);
}
