import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerImport } from "vite";

/** Converts the shipped scenarios to JSON: their text, as written and as read. That loads much faster than YAML, and is all the package has. Returns their names. */
export async function shipScenarios(from, to) {
  const [{ parseScenario }, { readScenario }] = await Promise.all([load("parse-scenario"), load("read-scenario")]);
  const files = (await readdir(from)).filter((file) => file.endsWith(".yaml"));
  await mkdir(to, { recursive: true });
  const gone = (await readdir(to)).filter((file) => !files.includes(file.replace(/json$/, "yaml")));
  await Promise.all(gone.map((file) => rm(join(to, file))));
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(from, file), "utf8");
      const { scenario, problems } = parseScenario(text, file);
      if (problems !== undefined)
        throw new Error(problems.map(({ line, problem }) => `${file}:${line}  ${problem}`).join("\n"));
      const name = file.replace(/yaml$/, "json");
      await writeFile(join(to, name), JSON.stringify({ text, scenario, parsed: readScenario(scenario) }));
      return name;
    }),
  );
}

async function load(name) {
  return (await runnerImport(`./src/gateway/scenario/${name}.ts`, { configFile: false, logLevel: "error" })).module;
}
