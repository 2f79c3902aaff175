import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerImport } from "vite";

/** Converts the shipped scenarios to JSON, which loads much faster than YAML. */
export async function shipScenarios(from, to) {
  const { module: language } = await runnerImport("./src/scenario/parse-scenario.ts", {
    configFile: false,
    logLevel: "error",
  });
  const files = (await readdir(from)).filter((file) => file.endsWith(".yaml"));
  await mkdir(to, { recursive: true });
  await Promise.all(
    files.map((file) => shipScenario(join(from, file), join(to, file.replace(/yaml$/, "json")), language)),
  );
}

async function shipScenario(file, target, { parseScenario }) {
  const { scenario, problems } = parseScenario(await readFile(file, "utf8"), file);
  if (problems !== undefined)
    throw new Error(problems.map(({ line, problem }) => `${file}:${line}  ${problem}`).join("\n"));
  await writeFile(target, JSON.stringify(scenario));
}
