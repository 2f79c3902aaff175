// Says how much of gateway, storage and verdict the tests hold: Stryker changes the code in one place after another, and each change that
// no test notices is listed. `npm run mutate -- --sample 40 --seed 7` tries fewer changes than 400, or others.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOLDER = join(ROOT, ".mutate");
const ROOMS = ["gateway", "storage", "verdict"];
/** How many test runs there are at once. The tests of verdict mostly wait for applications. */
const SIDE_BY_SIDE = { gateway: 2, storage: 2, verdict: 6 };
/** Without node:sqlite, the tests of data files would be skipped, and changes there would go unnoticed. */
const NODE = process.env["NODE_WITH_SQLITE"] ?? process.execPath;
/** No dependency of Kredo, because it is rarely run. The last version for every supported Node. */
const PACKAGES = ["@stryker-mutator/core@9.6.1", "@stryker-mutator/vitest-runner@9.6.1"];
const REPORT = join(FOLDER, "report.json");
/** Their tests reach every room in seconds. With those of verdict, each unnoticed change in another room would take minutes. */
const ALL_ROUND = ["control", "sandbox", "cli"];
/** A place with more mutants than this, such as a whole function, would be most of a small sample. */
const MOST_IN_ONE_PLACE = 6;

const { values } = parseArgs({
  options: { sample: { type: "string", default: "400" }, seed: { type: "string", default: "1" } },
});

install();
const sampled = draw(await findMutants(), Number(values.sample), Number(values.seed));
console.log(`Trying ${sampled.count} changes, drawn from seed ${values.seed}.`);
const tried = [];
for (const room of ROOMS) {
  const here = tryOut(room, sampled.places);
  listSurvivors(here);
  tried.push(...here);
}
printScores(tried);

function install() {
  if (existsSync(join(FOLDER, "node_modules/.bin/stryker"))) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify({ private: true }));
  const words = ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", ...PACKAGES];
  execFileSync("npm", words, { cwd: FOLDER, stdio: "inherit" });
}

/** Every mutant of the rooms, with its file and its place. */
async function findMutants() {
  const entry = join(FOLDER, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  const { Instrumenter } = await import(pathToFileURL(entry).href);
  const quiet = { isDebugEnabled: () => false, debug() {}, info() {} };
  const files = ROOMS.flatMap(sourcesOf).map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(ROOT, name), "utf8"),
  }));
  const { mutants } = await new Instrumenter(quiet).instrument(files, {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  return mutants;
}

function sourcesOf(room) {
  // What speaks to PostgreSQL is left out, because `npm run test:replicas` tests it.
  const names = readdirSync(join(ROOT, "src", room), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.includes("postgres"),
  );
  return names.map((name) => `src/${room}/${name}`).toSorted((one, other) => (one < other ? -1 : 1));
}

/** Draws places until they hold as many mutants as wanted. */
function draw(mutants, wanted, seed) {
  const random = seededRandom(seed);
  const shuffled = mutants.map((mutant) => ({ mutant, at: random() })).toSorted((one, other) => one.at - other.at);
  const taken = new Set();
  const places = [];
  for (const { mutant } of shuffled) {
    if (taken.size >= wanted) break;
    const inside = mutants.filter(
      (other) => other.fileName === mutant.fileName && isInside(other.location, mutant.location),
    );
    if (taken.has(mutant) || inside.length > MOST_IN_ONE_PLACE) continue;
    for (const one of inside) taken.add(one);
    places.push(placeOf(mutant));
  }
  return { count: taken.size, places };
}

/** mulberry32: small, and the same everywhere. */
function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function isInside(inner, outer) {
  return compare(outer.start, inner.start) <= 0 && compare(inner.end, outer.end) <= 0;
}

function compare(one, other) {
  return one.line - other.line || one.column - other.column;
}

/** As Stryker writes a range: lines count from 1, columns from 0. */
function placeOf({ fileName, location: { start, end } }) {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/** Tries the changes of one room. */
function tryOut(room, places) {
  const mutate = places.filter((place) => place.startsWith(`src/${room}/`));
  if (mutate.length === 0) return [];
  writeSettings(mutate, [room, ...ALL_ROUND], SIDE_BY_SIDE[room]);
  rmSync(REPORT, { force: true });
  spawnSync(NODE, [join(FOLDER, "node_modules/.bin/stryker"), "run", ".mutate/stryker.json"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (!existsSync(REPORT)) throw new Error("Stryker wrote no report; its output above says why");
  return Object.entries(JSON.parse(readFileSync(REPORT, "utf8")).files).flatMap(([file, { mutants, source }]) =>
    mutants.filter(({ status }) => status !== "Ignored").map((mutant) => ({ file, source, ...mutant })),
  );
}

function writeSettings(mutate, projects, concurrency) {
  const settings = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    // Which tests reach a change is known from the first run; Vitest would follow every import once more for each change.
    vitest: { configFile: ".mutate/vitest.config.js", related: false },
    mutate,
    coverageAnalysis: "perTest",
    // What a module does only once, when it is loaded, would need all tests and a new process for each change.
    ignoreStatic: true,
    disableTypeChecks: false,
    // There is none of this name. Stryker would read the project's with an API that TypeScript 7 does not have.
    tsconfigFile: ".mutate/tsconfig.json",
    tempDirName: ".mutate/tmp",
    // Only a change that never ends may reach a limit, however busy the machine is.
    dryRunTimeoutMinutes: 60,
    timeoutFactor: 5,
    timeoutMS: 60_000,
    concurrency,
    reporters: ["progress-append-only", "json"],
    jsonReporter: { fileName: REPORT },
    checkers: [],
  };
  writeFileSync(join(FOLDER, "stryker.json"), JSON.stringify(settings, undefined, 2));
  // Stryker stops at the first test that fails, so the quick kinds of tests go first.
  const config = `import { BaseSequencer } from "vitest/node";
import config from "../vitest.config.ts";
const names = ${JSON.stringify(projects)};
const projects = config.test.projects.filter(({ test }) => names.includes(test.name));
const rank = ({ moduleId }) => ["unit", "property", "contract", "http", "wire"].findIndex((kind) => moduleId.includes("/" + kind + "/"));
class QuickFirst extends BaseSequencer {
  async sort(files) {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}
// One test at a time, so that what it reaches is not taken for another's.
export default { test: { ...config.test, projects, maxConcurrency: 1, sequence: { sequencer: QuickFirst } } };
`;
  writeFileSync(join(FOLDER, "vitest.config.js"), config);
}

function listSurvivors(tried) {
  console.log("");
  for (const one of tried.filter(isSurvivor)) {
    const { file, source, location, replacement, status } = one;
    const line = source.split("\n")[location.start.line - 1].trim();
    console.log(`${status} ${file}:${location.start.line}:${location.start.column}  ${line}  ->  ${replacement}`);
  }
}

/** Prints the score of each room and of all. */
function printScores(tried) {
  console.log("");
  for (const folder of [...ROOMS.map((room) => `src/${room}/`), "src/"]) {
    const here = tried.filter(({ file }) => file.startsWith(folder));
    const killed = here.filter(({ status }) => status === "Killed" || status === "Timeout").length;
    const counted = killed + here.filter(isSurvivor).length;
    if (counted > 0)
      console.log(`${folder.padEnd(14)} ${killed} of ${counted} noticed, ${Math.round((100 * killed) / counted)} %`);
  }
}

function isSurvivor({ status }) {
  return status === "Survived" || status === "NoCoverage";
}
