import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerImport } from "vite";

/** Converts the shipped scenarios to JSON, as written and as read, which loads much faster than YAML. */
export async function shipScenarios(from, to) {
  const [{ parseScenario }, { readScenario }] = await Promise.all([load("parse-scenario"), load("read-scenario")]);
  const files = (await readdir(from)).filter((file) => file.endsWith(".yaml"));
  await mkdir(to, { recursive: true });
  await Promise.all(
    files.map(async (file) => {
      const { scenario, problems } = parseScenario(await readFile(join(from, file), "utf8"), file);
      if (problems !== undefined)
        throw new Error(problems.map(({ line, problem }) => `${file}:${line}  ${problem}`).join("\n"));
      await writeFile(
        join(to, file.replace(/yaml$/, "json")),
        JSON.stringify({ scenario, parsed: readScenario(scenario) }),
      );
    }),
  );
}

async function load(name) {
  return (await runnerImport(`./src/gateway/scenario/${name}.ts`, { configFile: false, logLevel: "error" })).module;
}
