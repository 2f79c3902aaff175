import { join } from "node:path";
import { findObstacle, type NewFile, type Obstacle, writeTogether } from "../../adapters/files/write-together.ts";
import { quote } from "../../document/describe-value.ts";
import { IMAGE } from "../../version.ts";
import { USUAL_NAMES } from "../serve/serve-flags.ts";
import { CliError, type ExitCode, invalidInput } from "../cli-error.ts";
import { APP_MAP_FLAGS, writeAppMap } from "../app-map-answers.ts";
import { APP_MAP } from "../app-map-file.ts";
import { COMPOSE_PATH, CONFIG_PATH, initFiles, SCENARIO_PATH } from "../init/init-files.ts";
import { JSON_FLAG } from "../target.ts";
import { printLines, type Terminal } from "../terminal.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { messageOf } from "../../domain/message-of.ts";

export const init: Command = {
  name: "init",
  about: [
    "Write a commented config file, a scenario, a Compose file and a GitHub Actions workflow to start from.",
    "If any of them exists already or cannot be written, nothing is written and the exit code is 2. With --app, it describes your",
    "application for `kredo rehearse` and `kredo explore` instead.",
  ].join(" "),
  flags: [
    { name: "dir", value: "DIR", about: "the project's folder (default: the working directory)" },
    { name: "image", value: "IMAGE", about: `the container image to use in the files (default: ${IMAGE})` },
    { name: "force", about: "replace existing files" },
    { ...JSON_FLAG, about: "print the paths of the files as JSON" },
    ...APP_MAP_FLAGS,
  ],
  examples: ["kredo init", "kredo init --app", "kredo init --dir my-shop --image registry.example/kredo:1"],
  docs: "docs/quick-start.md",
  async run(args, terminal) {
    const { flags } = args;
    const folder = flags.get("dir") ?? ".";
    if (flags.has("app")) return initAppMap(folder, args, terminal);
    refuseAppMapFlags(flags);
    const image = readImage(flags.get("image") ?? IMAGE);
    const files = [...initFiles(image)].map(([path, text]) => ({ path: join(folder, path), text }));
    await refuseObstacles(files, folder, flags.has("force"));
    await writeAll(files);
    return report(files, describeNextSteps(folder, image), args, terminal);
  },
};

async function writeAll(files: readonly NewFile[]): Promise<void> {
  await writeTogether(files).catch((error: unknown) => {
    throw new CliError(2, `Nothing was written: ${messageOf(error)}; correct that and try again`);
  });
}

function report(
  files: readonly NewFile[],
  next: readonly string[],
  { flags }: ParsedArgs,
  { stdout }: Terminal,
): ExitCode {
  const paths = files.map(({ path }) => path);
  printLines(
    stdout,
    flags.has("json") ? [JSON.stringify({ files: paths })] : [...paths.map((path) => `wrote ${path}`), "", ...next],
  );
  return 0;
}

/** Writes only an app map, and touches nothing else of the project. */
async function initAppMap(folder: string, args: ParsedArgs, terminal: Terminal): Promise<ExitCode> {
  const path = join(folder, APP_MAP);
  const obstacle = await findObstacle(path);
  const problems = obstacle === undefined ? [] : describeObstacle(path, obstacle, args.flags.has("force"));
  if (problems.length > 0) throw new CliError(2, [...problems, "Nothing was written."].join("\n"));
  const text = await writeAppMap(args, terminal);
  await writeAll([{ path, text }]);
  return report([{ path, text }], NEXT_WITH_APP, args, terminal);
}

const NEXT_WITH_APP = [
  "Next, with your application running and its gateway URL set to http://127.0.0.1:8254/api/v2:",
  "  npx kredo explore        # every failure at every step of an order, judged",
  "  npx kredo rehearse       # the shipped rehearsals",
];

/** Refuses flags that would silently have no effect. */
function refuseAppMapFlags(flags: ParsedArgs["flags"]): void {
  const stray = APP_MAP_FLAGS.find(({ name }) => flags.has(name));
  if (stray !== undefined) throw new CliError(2, `--${stray.name} is for the app map; add --app`);
}

/** Accepts an image reference, which is then also plain YAML (github.com/distribution/reference). */
function readImage(text: string): string {
  if (/^[a-z0-9][\w.-]*(?::\d+)?(?:\/[a-z0-9][\w.-]*)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/i.test(text)) return text;
  throw invalidInput("--image", {
    problem: `${quote(text)} is not an image name`,
    repair: "write a name like registry.example/kredo:1",
  });
}

async function refuseObstacles(files: readonly NewFile[], folder: string, isForced: boolean): Promise<void> {
  const found = await Promise.all(files.map(async ({ path }) => ({ path, obstacle: await findObstacle(path) })));
  const problems = [
    ...found.flatMap(({ path, obstacle }) =>
      obstacle === undefined ? [] : describeObstacle(path, obstacle, isForced),
    ),
    ...(isForced ? [] : await describeOtherConfigs(folder)),
  ];
  if (problems.length > 0) throw new CliError(2, [...problems, "Nothing was written."].join("\n"));
}

function describeObstacle(path: string, obstacle: Obstacle, isForced: boolean): string[] {
  if (obstacle.kind === "impossible")
    return [`${path} cannot be written (${obstacle.reason}); choose another folder with --dir`];
  return isForced ? [] : [`${path} already exists; move it away, choose another folder with --dir, or add --force`];
}

/** Once the new config exists, these would no longer be found automatically. */
async function describeOtherConfigs(folder: string): Promise<string[]> {
  const others = USUAL_NAMES.filter((name) => name !== CONFIG_PATH).map((name) => join(folder, name));
  const found = await Promise.all(others.map(async (path) => ({ path, obstacle: await findObstacle(path) })));
  return found
    .filter(({ obstacle }) => obstacle?.kind === "there already")
    .map(
      ({ path }) =>
        `${path} would no longer be read next to ${CONFIG_PATH}; move it away, choose another folder with --dir, or add --force`,
    );
}

function describeNextSteps(folder: string, image: string): string[] {
  return [
    "Next:",
    ...(folder === "." ? [] : [`  cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`]),
    `  npx kredo validate ${CONFIG_PATH} ${SCENARIO_PATH}`,
    "  npx kredo serve                               # the sandbox, on this machine",
    "  npx kredo send airtime 254712345678 100       # in another shell; 254711000003 gets its callback twice",
    "  npx kredo exec -- npm test                    # your tests with their own sandbox",
    `  docker compose -f ${COMPOSE_PATH} up       # the same as a container; its image is ${image}`,
  ];
}
