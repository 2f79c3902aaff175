import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkJava, checkPhp, checkPython, isHere, Missing } from "./check-syntax.ts";
import { unlikeJson, unlikeText } from "./compare.ts";
import { type Block, type Page, ROOT } from "./read-page.ts";
import { runScript } from "./run-script.ts";
import { type Background, openPageEnvironment, type Ran, type PageEnvironment } from "./page-environment.ts";

/** A block, and what is wrong with it, or what is missing here to run it, if anything. */
export interface Played {
  readonly block: Block;
  readonly problem?: string;
  readonly missing?: string;
}

/** Runs every block of a page, one after another, in one folder. */
export async function playPage(page: Page): Promise<Played[]> {
  const missing = await missingOf(page);
  if (missing !== undefined) return page.blocks.map((block) => ({ block, ...whatIsMissing(missing) }));
  await using environment = await openPageEnvironment(page);
  const course: Course = { environment, last: undefined, goesOn: undefined };
  const played: Played[] = [];
  for (const block of page.blocks) played.push({ block, ...(await problemWith(block, course)) });
  return played;
}

/** What a page has come to. */
interface Course {
  readonly environment: PageEnvironment;
  /** What the block before printed, or prints still. */
  last: Ran | Background | undefined;
  /** The last command that goes on. */
  goesOn: Background | undefined;
}

/** `needs="php phpunit"`: the first of them that is not here. */
async function missingOf({ how }: Page): Promise<string | undefined> {
  for (const tool of how.get("needs")?.split(" ") ?? []) if (!(await isHere(tool))) return tool;
  return undefined;
}

/** In CI everything has to be there. */
function whatIsMissing(tool: string): Pick<Played, "problem" | "missing"> {
  return process.env["CI"] === "true" ? { problem: `${tool} is not installed` } : { missing: tool };
}

async function problemWith(block: Block, course: Course): Promise<Pick<Played, "problem" | "missing">> {
  try {
    // `on=Windows`: nothing here can run it.
    const system = block.how.get("on");
    if (system !== undefined) return { missing: system };
    const play = playerOf(block);
    if (play === undefined) return { problem: `nothing runs a block of ${JSON.stringify(block.language)}` };
    await play(block, course);
    return {};
  } catch (fault) {
    if (fault instanceof Missing) return whatIsMissing(fault.tool);
    return { problem: fault instanceof Error ? fault.message : String(fault) };
  }
}

type Play = (block: Block, course: Course) => void | Promise<void>;

function playerOf({ language, how }: Block): Play | undefined {
  if (how.has("region")) return compareRegion;
  if (how.has("elsewhere")) return expectElsewhere;
  if (how.has("callback")) return expectCallback;
  return PLAYERS[language];
}

const PLAYERS: Readonly<Record<string, Play>> = {
  sh: playShell,
  "": compareOutput,
  text: compareOutput,
  json: compareJson,
  yaml: validateYaml,
  ts: playScript,
  js: playScript,
  php: ({ text }) => checkPhp(text),
  java: ({ text }) => checkJava(text),
  python: ({ text }) => checkPython(text),
};

/**
 * `exit=1`; `until="Ready."` for one that goes on, with `as=sandbox` in place of the page's sandbox or `alone` on a port of its own;
 * `instead` of the last one that goes on, which ends; `in=project`; `without="npm ci && "`; `with="test/docs/files/mine.yaml:mine.yaml"`
 * for files that a reader would have; `ports=shop` for a folder that it copies, whose files name the usual ports.
 */
async function playShell({ text, how }: Block, course: Course): Promise<void> {
  const { environment } = course;
  bring(how.get("with"), environment);
  const script = environment.here(text.replace(how.get("without") ?? "", ""));
  const inProject = how.get("in") === "project";
  if (how.get("as") === "sandbox") environment.leaveSandbox();
  else if (!how.has("alone")) await environment.ensureSandbox();
  const wanted = how.get("until");
  if (how.has("instead")) await course.goesOn?.[Symbol.asyncDispose]();
  course.last =
    wanted === undefined
      ? await runToItsEnd(script, how, environment)
      : await runUntil(wanted, environment.start(script, { inProject, alone: how.has("alone") }), how);
  if ("until" in course.last) course.goesOn = course.last;
  if (how.has("ports")) environment.useOwnPorts(how.get("ports") ?? "");
}

async function runToItsEnd(script: string, how: Block["how"], environment: PageEnvironment): Promise<Ran> {
  const ran = await environment.run(script, { inProject: how.get("in") === "project" });
  const code = Number(how.get("exit") ?? 0);
  if (ran.code !== code)
    throw new Error(`it ended with ${ran.code}, not ${code}, after printing\n${environment.asWritten(ran.printed)}`);
  return ran;
}

async function runUntil(wanted: string, background: Background, how: Block["how"]): Promise<Background | Ran> {
  await background.until((printed) => printed.includes(wanted));
  if (!how.has("alone")) return background;
  await background[Symbol.asyncDispose]();
  return { code: null, printed: background.printed(), stdout: background.printed() };
}

function bring(files: string | undefined, { folder, here }: PageEnvironment): void {
  for (const pair of files?.split(" ") ?? []) {
    const [from = "", to = ""] = pair.split(":");
    writeFileSync(join(folder, to), here(readFileSync(new URL(from, ROOT), "utf8")));
  }
}

/** `…` stands for whatever is there; of a command that goes on, it may still come. */
async function compareOutput({ text }: Block, { environment, last }: Course): Promise<void> {
  if (last === undefined) throw new Error("no command before it printed anything");
  if ("until" in last) return last.until((printed) => unlikeText(text, environment.asWritten(printed)) === undefined);
  const unlike = unlikeText(text, environment.asWritten(last.printed));
  if (unlike !== undefined) throw new Error(unlike);
}

function compareJson({ text }: Block, { environment, last }: Course): void {
  if (last === undefined || "until" in last) throw new Error("no command before it printed JSON");
  const unlike = unlikeJson(JSON.parse(text), JSON.parse(environment.asWritten(last.stdout)));
  if (unlike !== undefined) throw new Error(unlike);
}

/** `callback` shows a line of JSON that the command which goes on prints, or still will. */
async function expectCallback({ text }: Block, { environment, goesOn }: Course): Promise<void> {
  if (goesOn === undefined) throw new Error("no command before it goes on");
  const shown: unknown = JSON.parse(text);
  const isPrinted = (line: string): boolean =>
    line.startsWith("{") && unlikeJson(shown, JSON.parse(environment.asWritten(line))) === undefined;
  await goesOn.until((printed) => printed.split("\n").slice(0, -1).some(isPrinted));
}

/** `file=mine.yaml` leaves it there for the commands that follow. */
async function validateYaml({ text, how, line }: Block, { environment }: Course): Promise<void> {
  const file = how.get("file") ?? `block-${line}.yaml`;
  mkdirSync(join(environment.folder, dirname(file)), { recursive: true });
  writeFileSync(join(environment.folder, file), `${environment.here(text)}\n`);
  const { code, printed } = await environment.run(`npx kredo validate ${file}`);
  if (code !== 0) throw new Error(printed);
}

async function playScript(block: Block, { environment }: Course): Promise<void> {
  await runScript(block, environment);
}

/** `region=docs/recipes/vitest/top-up.test.ts#one` shows what stands in a file between `region one` and `endregion`. */
function compareRegion({ text, how }: Block): void {
  const [path = "", name] = (how.get("region") ?? "").split("#");
  const whole = readFileSync(new URL(path, ROOT), "utf8");
  const shown = name === undefined ? whole : regionOf(whole, name);
  if (shown === undefined) throw new Error(`${path} has no region ${name}`);
  if (shown.trim() !== text.trim()) throw new Error(`${how.get("region")} is\n${shown}`);
}

function regionOf(whole: string, name: string): string | undefined {
  const lines = whole.split("\n");
  const from = lines.findIndex((line) => line.trim().endsWith(` region ${name}`));
  const to = lines.findIndex((line, index) => index > from && line.trim().endsWith(" endregion"));
  if (from === -1 || to === -1) return undefined;
  const region = lines.slice(from + 1, to);
  const indent = Math.min(
    ...region.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length),
  );
  return region.map((line) => line.slice(indent)).join("\n");
}

/** `elsewhere=test/container/image.test.ts` is run there: each of its commands must be found in that file. */
function expectElsewhere({ text, how }: Block): void {
  const path = how.get("elsewhere") ?? "";
  const words = (how.get("by") ?? text).split(/\s+/);
  const file = readFileSync(new URL(path, ROOT), "utf8");
  const missing = words.filter((word) => !file.includes(word));
  if (missing.length > 0) throw new Error(`${path} has no ${missing.join(", ")}`);
}
