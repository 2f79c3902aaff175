import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";

/** Writes what reading each shipped scenario gives, beside the text that was read, so that a start need not read YAML for it. */
export async function shipScenarios(from, to) {
  const { parseScenario } = await loadParser();
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

/** The reader is TypeScript, which Node 20 does not read. */
async function loadParser() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./src/scenario/parse-scenario.ts", import.meta.url))],
    bundle: true,
    write: false,
    platform: "neutral",
    format: "esm",
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
