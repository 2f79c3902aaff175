import { readdirSync, readFileSync } from "node:fs";
import { COMMANDS } from "../src/cli/commands.ts";
import { initFiles } from "../src/cli/init/init-files.ts";
import { configJsonSchema } from "../src/config.ts";
import { appMapJsonSchema } from "../src/verdict/application/app-map.ts";
import { controlCalls } from "../src/control/calls.ts";
import { describedRoutes } from "../src/control/describe-route.ts";
import { createSandbox } from "../src/index.ts";
import { verdictCalls } from "../src/verdict/endpoints/routes.ts";
import { LiveFindings } from "../src/verdict/checks/live-findings.ts";
import { rehearsalJsonSchema } from "../src/verdict/rehearsal/rehearsal-schema.ts";
import { reportJsonSchema } from "../src/verdict/report/report.ts";
import { scenarioJsonSchema } from "../src/gateway/scenario/schema.ts";
import { IMAGE, NAME, REPOSITORY, VERSION } from "../src/version.ts";
import { recordExamples, type RecordedCall, withExamples } from "./api-examples.ts";
import { writeCommandReference } from "./write-command-reference.ts";
import { withFacts } from "./fact-tables.ts";
import { withGuesses, withGuessMarks } from "./guess-marks.ts";
import { withPackageName, withRelease, withReleaseNames } from "./release-names.ts";
import { type ApiDescription, describeApi, type JsonSchema } from "./openapi.ts";
import { type Documented, documentedOn } from "./list-fields.ts";
import { withChecks, withFailures, withPrefixes, withProfiles, withRehearsals } from "./page-tables.ts";
import { shopPages } from "./shop-pages.ts";
import { writeApiReference } from "./write-api-reference.ts";
import { writeCollection } from "./write-collection.ts";
import { writeFileReference } from "./write-file-reference.ts";

const RELEASE = { name: NAME, repository: REPOSITORY, version: VERSION };

const packageJson = readFileSync(new URL("../package.json", import.meta.url), "utf8");

const { description, recorded } = await recordApi();

/** What the pages about files document, so that no other page repeats it. */
const documented: Documented = new Map([
  ...documentedOn("[config file](config-reference.md)", configJsonSchema()),
  ...documentedOn("[scenario file](scenario-reference.md)", scenarioJsonSchema()),
]);

/** Every file that `npm run generate` writes, by its path in the project. */
export const generatedFiles: ReadonlyMap<string, string> = new Map([
  // First, because later entries overwrite pages that are generated as a whole.
  ...namePages(),
  ["schema/config.schema.json", formatLines(withGuesses(configJsonSchema()), 2)],
  ["schema/scenario.schema.json", formatLines(scenarioJsonSchema(), 2)],
  ["schema/rehearsal.schema.json", formatLines(rehearsalJsonSchema(), 2)],
  ["schema/app.schema.json", formatLines(appMapJsonSchema(), 2)],
  ["schema/report.schema.json", formatLines(reportJsonSchema(), 2)],
  ["schema/openapi.json", formatLines(withExamples(description, recorded), 3)],
  ["schema/postman.json", formatLines(writeCollection(description, recorded), 2)],
  ["docs/config-reference.md", writeConfigReference(withGuesses(configJsonSchema()))],
  ["docs/scenario-reference.md", writeScenarioReference(scenarioJsonSchema())],
  ["docs/rehearsal-reference.md", writeRehearsalReference(rehearsalJsonSchema())],
  ["docs/gateway.md", withGuessMarks(withFacts(withProfiles(withPrefixes(readPage("gateway")))))],
  ["docs/failures.md", await withFailures(readPage("failures"))],
  ["docs/checks.md", withRehearsals(withChecks(readPage("checks")))],
  ["docs/commands.md", await writeCommandReference(COMMANDS)],
  ["docs/control-api.md", writeApiReference(description, recorded)],
  ...shopPages(),
  // Both recipes are whole projects, but what they test is written by hand in one of them.
  ...["receiver.js", "top-ups.js"].map((name): [string, string] => [`docs/recipes/jest/${name}`, readRecipe(name)]),
  ["package.json", withRelease(packageJson, RELEASE)],
  ...["clients/java/pom.xml", "clients/php/composer.json", "clients/python/pyproject.toml"].map(withVersion),
  ["docs/samples/github-service.yml", initFiles(IMAGE).get(".github/workflows/kredo.yml") ?? ""],
]);

function readPage(name: string): string {
  return withNames(readFileSync(new URL(`../docs/${name}.md`, import.meta.url), "utf8"));
}

function withNames(text: string, release = RELEASE): string {
  const { name: before }: { name: string } = JSON.parse(packageJson);
  return withReleaseNames(withPackageName(text, before, release), { ...release, before });
}

function readRecipe(name: string): string {
  return readFileSync(new URL(`../docs/recipes/vitest/${name}`, import.meta.url), "utf8");
}

/** Returns the manifest of a client, which has the version of the package. */
function withVersion(path: string): [path: string, text: string] {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  return [path, text.replace(/(version\W+)\d+\.\d+\.\d+/, `$1${VERSION}`)];
}

/** Returns every handwritten page, sample and template that names the package, or the release's image, action or repository. */
function namePages(): [path: string, text: string][] {
  const root = new URL("../", import.meta.url);
  const below = ["docs", "examples", "src/cli/init/files"].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const paths = below.filter(
    (name) => /\.(md|ya?ml|c?js|json|java|py|go|cs)$/.test(name) && !name.includes("node_modules/"),
  );
  return ["README.md", "action.yml", ...paths].flatMap((path) => {
    const text = readFileSync(new URL(path, root), "utf8");
    // Any text that changes with another owner and another package names the release.
    const another = { name: "another", repository: "another-owner/kredo", version: "999.0.0" };
    return withNames(text, another) === text ? [] : [[path, withNames(text)]];
  });
}

/** Formats JSON with one line for each value down to a depth, and everything below that depth on a single line. */
function formatLines(value: object, depth: number): string {
  const lines = (inner: unknown, left: number): string => {
    if (left === 0 || typeof inner !== "object" || inner === null) return JSON.stringify(inner);
    const below = Object.entries(inner).flatMap(([key, each]) =>
      each === undefined ? [] : [`${Array.isArray(inner) ? "" : `${JSON.stringify(key)}: `}${lines(each, left - 1)}`],
    );
    const [open, close] = Array.isArray(inner) ? "[]" : "{}";
    return `${open}\n${below.join(",\n")}\n${close}`;
  };
  return `${lines(value, depth)}\n`;
}

function writeConfigReference(schema: JsonSchema): string {
  const about = [
    "Kredo reads `kredo.config.yaml` in the working directory. To use another file, pass `--config FILE`, or put its text in",
    "`KREDO_CONFIG_INLINE`. A flag overrides a variable, and a variable overrides the file. `${NAME}` in a value is not replaced, and refused.",
    "Every key is optional.",
  ];
  return writeFileReference({ title: "Config file", about, path: "schema/config.schema.json" }, schema);
}

function writeScenarioReference(schema: JsonSchema): string {
  const about = [
    "Every key of a scenario file. [Scenarios](scenarios.md) shows how to write and load one. `npx kredo validate FILE` reports each mistake",
    "with its line and column.",
  ];
  return writeFileReference({ title: "Scenario file", about, path: "schema/scenario.schema.json" }, schema);
}

function writeRehearsalReference(schema: JsonSchema): string {
  const about = [
    "Every key of a rehearsal file: what goes wrong, and which orders are placed meanwhile. Kredo judges what becomes of them.",
    "[What a verdict means](checks.md#rehearsals) shows how to write and run one.",
  ];
  return writeFileReference(
    { title: "Rehearsal file", about, path: "schema/rehearsal.schema.json", elsewhere: documented },
    schema,
  );
}

/** Returns the API description with a recorded example of each call. */
async function recordApi(): Promise<{ description: ApiDescription; recorded: RecordedCall[] }> {
  const findings = new LiveFindings({ watchers: [], settings: {}, report: () => {} });
  const { routes } = controlCalls(verdictCalls(findings));
  const description = describeApi(describedRoutes(routes), VERSION);
  const sandbox = await createSandbox({ seed: 7, clock: "manual" });
  try {
    return { description, recorded: await recordExamples(sandbox.url, description) };
  } finally {
    await sandbox.close();
  }
}
