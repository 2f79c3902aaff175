import { join } from "node:path";
import { findObstacle, type NewFile, type Obstacle, writeTogether } from "../adapters/write-together.ts";
import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import { VERSION } from "../version.ts";
import { USUAL_NAMES } from "./serve-flags.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { COMPOSE_PATH, CONFIG_PATH, initFiles, SCENARIO_PATH } from "./init-files.ts";
import { expectWords } from "./read-said.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { messageOf } from "../domain/message-of.ts";

const USAGE = "init";

/** What `docker build -t` makes of this version; where it is published, its users say. */
const IMAGE = `kredo:${VERSION}`;

export const init: Verb = {
  usage: [`${USAGE} [flags]`],
  about: [
    "Writes a config file, a scenario, a Compose file and a workflow of GitHub Actions, all with comments, to begin with. Writes",
    "nothing at all where one of them is there already, or cannot be written: exit code 2.",
  ].join("\n"),
  flags: [
    { name: "dir", value: "DIR", about: "the project's folder; this one if not said" },
    { name: "image", value: "IMAGE", about: `the container image that the files name; ${IMAGE} if not said` },
    { name: "force", about: "replaces files that are there" },
  ],
  run: initProject,
};

async function initProject({ words, flags }: Said, { stdout }: Terminal): Promise<ExitCode> {
  expectWords(words, [], USAGE);
  const folder = flags.get("dir") ?? ".";
  const image = readImage(flags.get("image") ?? IMAGE);
  const files = [...initFiles(image)].map(([path, text]) => ({ path: join(folder, path), text }));
  await refuseObstacles(files, folder, flags.has("force"));
  await writeTogether(files).catch((error: unknown) => {
    throw new Halt(2, `Nothing was written: ${messageOf(error)}; mend that and try again`);
  });
  printLines(stdout, [...files.map(({ path }) => `wrote ${path}`), "", ...sayNext(folder, image)]);
  return 0;
}

/** A reference as registries have them, which is plain YAML as well (github.com/distribution/reference). */
function readImage(text: string): string {
  if (/^[a-z0-9][\w.-]*(?::\d+)?(?:\/[a-z0-9][\w.-]*)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/i.test(text)) return text;
  throw new Halt(2, formatMistake("--image", { problem: `${quote(text)} is no image`, repair: "write one like registry.example/kredo:1" }));
}

async function refuseObstacles(files: readonly NewFile[], folder: string, isForced: boolean): Promise<void> {
  const found = await Promise.all(files.map(async ({ path }) => ({ path, obstacle: await findObstacle(path) })));
  const complaints = [
    ...found.flatMap(({ path, obstacle }) => (obstacle === undefined ? [] : complain(path, obstacle, isForced))),
    ...(isForced ? [] : await complainOfOtherConfigs(folder)),
  ];
  if (complaints.length > 0) throw new Halt(2, [...complaints, "Nothing was written."].join("\n"));
}

function complain(path: string, obstacle: Obstacle, isForced: boolean): string[] {
  if (obstacle.kind === "impossible") return [`${path} cannot be written (${obstacle.reason}); choose another folder with --dir`];
  return isForced ? [] : [`${path} is there already; move it away, choose another folder with --dir, or say --force`];
}

/** They would no longer be found by themselves, once the new one is there. */
async function complainOfOtherConfigs(folder: string): Promise<string[]> {
  const others = USUAL_NAMES.filter((name) => name !== CONFIG_PATH).map((name) => join(folder, name));
  const found = await Promise.all(others.map(async (path) => ({ path, obstacle: await findObstacle(path) })));
  return found
    .filter(({ obstacle }) => obstacle?.kind === "there already")
    .map(
      ({ path }) => `${path} would no longer be read beside ${CONFIG_PATH}; move it away, choose another folder with --dir, or say --force`,
    );
}

function sayNext(folder: string, image: string): string[] {
  return [
    "Next:",
    ...(folder === "." ? [] : [`  cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}`]),
    `  npx kredo validate ${CONFIG_PATH} ${SCENARIO_PATH}`,
    "  npx kredo serve                               # the sandbox, on this machine",
    "  npx kredo send airtime 254712345678 100       # in another shell; 254711000003 has its callback twice",
    "  npx kredo exec -- npm test                    # your tests beside a sandbox of their own",
    `  docker compose -f ${COMPOSE_PATH} up       # the same as a container; its image is ${image}`,
  ];
}
