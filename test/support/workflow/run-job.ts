import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Contexts, evaluate } from "./evaluate.ts";
import { type Job, readAction, type Step } from "./read-workflow.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** What a job did, on this machine as on one of GitHub's; disposed of, nothing that it began goes on. */
export interface JobRun extends AsyncDisposable {
  readonly succeeded: boolean;
  readonly printed: string;
  /** What `upload-artifact` would have kept, by path. */
  readonly artifacts: ReadonlyMap<string, string>;
  /** The folders of the sandboxes that its steps started. */
  readonly sandboxes: readonly string[];
}

/**
 * Runs a job's steps in a folder, one after another. What GitHub's runner does of it here: the files of GITHUB_ENV, GITHUB_PATH and
 * GITHUB_OUTPUT, composite actions, `always()`, and bash as docs.github.com has it under jobs.<job_id>.steps[*].shell. Actions that
 * fetch the repository or install Node find both here.
 */
export async function runJob({ steps, env = {} }: Job, workspace: string): Promise<JobRun> {
  const temp = mkdtempSync(join(tmpdir(), "kredo-runner-"));
  const run: Run = {
    workspace,
    temp,
    succeeded: true,
    printed: "",
    artifacts: new Map(),
    variables: new Map(),
    paths: [],
  };
  await runSteps(steps, { run, env, contexts: { env }, outputs: {} });
  const sandboxes = readdirSync(temp).flatMap((name) => (name.startsWith("kredo-") ? [join(temp, name)] : []));
  return { ...run, sandboxes, [Symbol.asyncDispose]: async () => sandboxes.forEach(endSandbox) };
}

interface Run {
  readonly workspace: string;
  readonly temp: string;
  succeeded: boolean;
  printed: string;
  readonly artifacts: Map<string, string>;
  /** What steps wrote into GITHUB_ENV and GITHUB_PATH. */
  readonly variables: Map<string, string>;
  readonly paths: string[];
}

/** The steps of a job or of a composite action. */
interface Scope {
  readonly run: Run;
  readonly env: Readonly<Record<string, string>>;
  readonly contexts: Contexts;
  /** Of each step that has an id. */
  readonly outputs: Record<string, { outputs: Record<string, string> }>;
  /** Where the action is whose steps these are. */
  readonly actionPath?: string;
}

async function runSteps(steps: readonly Step[], scope: Scope): Promise<void> {
  for (const step of steps) {
    if (!scope.run.succeeded && step.if !== "always()") continue;
    const outputs = await runStep(step, scope);
    if (step.id !== undefined) scope.outputs[step.id] = { outputs };
  }
}

async function runStep(step: Step, scope: Scope): Promise<Record<string, string>> {
  const env = evaluateAll(step.env, scope);
  if (step.run !== undefined)
    return runScript(step.shell, evaluateIn(step.run, scope), { ...scope, env: { ...scope.env, ...env } });
  return useAction((step.uses ?? "").replace(/@.*/, ""), evaluateAll(step.with, scope), scope);
}

function evaluateAll(texts: Readonly<Record<string, string>> = {}, scope: Scope): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluateIn(text, scope)]));
}

function evaluateIn(text: string, { contexts, outputs }: Scope): string {
  return evaluate(text, { ...contexts, steps: outputs });
}

async function runScript(
  shell: "bash" | undefined,
  script: string,
  { run, env, actionPath }: Scope,
): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(run.temp, "step-"));
  const files = {
    GITHUB_ENV: join(folder, "env"),
    GITHUB_PATH: join(folder, "path"),
    GITHUB_OUTPUT: join(folder, "output"),
  };
  for (const file of Object.values(files)) writeFileSync(file, "");
  writeFileSync(join(folder, "script.sh"), script);
  const flags = shell === undefined ? ["-e"] : ["--noprofile", "--norc", "-eo", "pipefail"];
  const child = spawn("bash", [...flags, join(folder, "script.sh")], {
    cwd: run.workspace,
    env: {
      ...machine(run),
      ...Object.fromEntries(run.variables),
      ...env,
      ...files,
      ...(actionPath !== undefined && { GITHUB_ACTION_PATH: actionPath }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (run.printed += chunk.toString()));
  const [code] = await once(child, "close");
  if (code !== 0) run.succeeded = false;
  for (const [name, value] of assignments(files.GITHUB_ENV)) run.variables.set(name, value);
  run.paths.unshift(...linesOf(files.GITHUB_PATH));
  return Object.fromEntries(assignments(files.GITHUB_OUTPUT));
}

/** What such a machine's own environment has. */
function machine({ temp, workspace, paths }: Run): Record<string, string> {
  const { PATH = "", HOME = temp } = process.env;
  const path = [...paths, PATH].join(":");
  return {
    PATH: path,
    HOME,
    LANG: "C.UTF-8",
    CI: "true",
    RUNNER_TEMP: temp,
    GITHUB_WORKSPACE: workspace,
    GITHUB_ACTIONS: "true",
  };
}

function assignments(file: string): [string, string][] {
  return linesOf(file).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

async function useAction(name: string, given: Record<string, string>, scope: Scope): Promise<Record<string, string>> {
  if (name === "actions/checkout" || name === "actions/setup-node") return {};
  if (name === "actions/upload-artifact") return keepArtifact(given["path"] ?? "", scope.run);
  const path = /^\S+?\/kredo((?:\/[\w-]+)*)(?:@v\S+)?$/.exec(name)?.[1];
  if (path === undefined) throw new Error(`No action ${name} is here.`);
  return runComposite(join(ROOT, path), given, scope);
}

function keepArtifact(path: string, run: Run): Record<string, string> {
  const file = join(run.workspace, path);
  if (existsSync(file)) run.artifacts.set(path, readFileSync(file, "utf8"));
  return {};
}

async function runComposite(
  actionPath: string,
  given: Record<string, string>,
  { run, env }: Scope,
): Promise<Record<string, string>> {
  const { inputs, outputs, runs } = readAction(readFileSync(join(actionPath, "action.yml"), "utf8"));
  const unknown = Object.keys(given).filter((name) => !(name in inputs));
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join(", ")}.`);
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default]));
  const scope: Scope = { run, env, contexts: { inputs: { ...defaults, ...given } }, outputs: {}, actionPath };
  await runSteps(runs.steps, scope);
  return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, evaluateIn(value, scope)]));
}

/** What GitHub's runner does with whatever still runs when its job is over. */
function endSandbox(folder: string): void {
  const pid = join(folder, "pid");
  if (existsSync(pid) && !existsSync(join(folder, "ended"))) process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
}
