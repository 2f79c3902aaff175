import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findObstacle, type Obstacle } from "../terminal/find-obstacle.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { IMAGE } from "../../version.ts";
import { USUAL_NAMES } from "../config/serve-flags.ts";
import { CliError, type ExitCode, invalidInput } from "../terminal/cli-error.ts";
import { APP_MAP } from "../rehearsal/rehearsal-files.ts";
import { appMapText, COMPOSE_PATH, CONFIG_PATH, initFiles, SCENARIO_PATH } from "../init/init-files.ts";
import { probe } from "../init/probe.ts";
import { JSON_FLAG, readTarget } from "../client/target.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";

export const command: Command = {
  name: "init",
  about: [
    "Write a commented config file, a scenario, a Compose file and a GitHub Actions workflow to start from.",
    "If any of them exists already or cannot be written, nothing is written and the exit code is 2.",
  ].join(" "),
  flags: [
    { name: "dir", value: "DIR", about: "the project's folder (default: the working directory)" },
    { name: "image", value: "IMAGE", about: `the container image to use in the files (default: ${IMAGE})` },
    { name: "force", about: "replace existing files" },
    { name: "app", about: `write ${APP_MAP} instead, which describes your application for kredo explore and rehearse` },
    {
      name: "probe",
      about: `with --app: place one order as ${APP_MAP} says, and propose the paths of its id and status; exit code 1 if the application refuses`,
    },
    JSON_FLAG,
  ],
  examples: [
    "kredo init",
    "kredo init --app",
    "kredo init --app --probe",
    "kredo init --dir my-shop --image registry.example/kredo:1",
  ],
  async run(args, terminal) {
    const { flags } = args;
    if (flags.has("probe") && !flags.has("app"))
      throw invalidInput("--probe", { problem: "needs --app", repair: "write kredo init --app --probe" });
    const folder = flags.get("dir") ?? ".";
    if (flags.has("app")) {
      const path = join(folder, APP_MAP);
      if (flags.has("probe")) return probe(path, args, terminal);
      const baseUrl = `${(await readTarget(args, terminal)).url}/api/v2`;
      await refuseObstacles([path], [], flags.has("force"));
      return writeAll([{ path, text: appMapText(baseUrl) }], describeNextWithApp(baseUrl), flags, terminal);
    }
    const image = readImage(flags.get("image") ?? IMAGE);
    const files = [...initFiles(image)].map(([path, text]) => ({ path: join(folder, path), text }));
    const others = USUAL_NAMES.filter((name) => name !== CONFIG_PATH).map((name) => join(folder, name));
    const paths = files.map(({ path }) => path);
    await refuseObstacles(paths, others, flags.has("force"));
    return writeAll(files, describeNextSteps(folder, image), flags, terminal);
  },
};

async function writeAll(
  files: readonly { readonly path: string; readonly text: string }[],
  next: readonly string[],
  flags: ParsedArgs["flags"],
  { stdout }: Terminal,
): Promise<ExitCode> {
  for (const { path, text } of files) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } catch (error) {
      throw new CliError(2, `${path} cannot be written (${messageOf(error)}); correct that and add --force`);
    }
  }
  const paths = files.map(({ path }) => path);
  const lines = [...paths.map((path) => `wrote ${path}`), "", ...next];
  printLines(stdout, flags.has("json") ? [JSON.stringify({ files: paths })] : lines);
  return 0;
}

function describeNextWithApp(baseUrl: string): string[] {
  return [
    `Next, replace the values in ${APP_MAP} with your application's. With it running, and its gateway URL set to`,
    `${baseUrl}:`,
    "  npx kredo explore        # every failure at every step of an order, judged",
    "  npx kredo rehearse       # the shipped rehearsals",
  ];
}

/** Accepts an image reference, which is then also plain YAML (github.com/distribution/reference). */
function readImage(text: string): string {
  if (/^[a-z0-9][\w.-]*(?::\d+)?(?:\/[a-z0-9][\w.-]*)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/i.test(text)) return text;
  throw invalidInput("--image", {
    problem: `${quoteText(text)} is not an image name`,
    repair: "write a name like registry.example/kredo:1",
  });
}

/** Throws a CliError if a file exists or cannot be written, or if another config would no longer be found automatically. */
async function refuseObstacles(paths: readonly string[], configs: readonly string[], isForced: boolean): Promise<void> {
  const elsewhere = "choose another folder with --dir";
  const repair = `move it away, ${elsewhere}, or add --force`;
  const [found, others] = await Promise.all([findObstacles(paths), findObstacles(isForced ? [] : configs)]);
  const problems = [
    ...found.flatMap(({ path, obstacle }) => {
      if (obstacle.kind === "impossible") return [`${path} cannot be written (${obstacle.reason}); ${elsewhere}`];
      return isForced ? [] : [`${path} already exists; ${repair}`];
    }),
    ...others
      .filter(({ obstacle }) => obstacle.kind === "there already")
      .map(({ path }) => `${path} would no longer be read next to ${CONFIG_PATH}; ${repair}`),
  ];
  if (problems.length > 0) throw new CliError(2, [...problems, "Nothing was written."].join("\n"));
}

async function findObstacles(paths: readonly string[]): Promise<{ path: string; obstacle: Obstacle }[]> {
  const found = await Promise.all(paths.map(async (path) => ({ path, obstacle: await findObstacle(path) })));
  return found.flatMap(({ path, obstacle }) => (obstacle === undefined ? [] : [{ path, obstacle }]));
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
