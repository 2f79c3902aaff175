import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { VERSION } from "../../src/version.ts";
import { readJob } from "../support/workflow/read-workflow.ts";
import { runJob } from "../support/workflow/run-job.ts";
import { makeSampleProject, type SampleProject } from "../support/workflow/sample-project.ts";
import { workflowCommands } from "../support/workflow/workflow-commands.ts";
import { run } from "./run.ts";

const version = `file:${await packWithoutPeers()}`;

test("the sample's tests run beside the sandbox that the action started, and it stops", async () => {
  const project = await makeSampleProject();
  const sample = project.read("github-action.yml").replace("port: ", `version: ${version}\n          port: `);

  await using job = await runJob(readJob(sample), project.folder);

  expect(job.printed).toMatch(/Ready\.[^]*Delivered: [\w-]+, charged 95\.[^]*::group::Log of the sandbox/);
  expect(job.succeeded).toBe(true);
  expect(job.artifacts.get("kredo-report.html")).toContain("254712***678");
  expect(job.sandboxes.map((folder) => readFileSync(join(folder, "ended"), "utf8"))).toEqual(["0\n"]);
  expect(job.sandboxes.map((folder) => existsSync(join(folder, "pid")))).toEqual([false]);
});

test("a failing test fails the job, whose report is kept and whose sandbox stops all the same", async () => {
  const project = await makeSampleProject();
  const sample = project.read("github-action.yml").replace("port: ", `version: ${version}\n          port: `);
  const failing = sample.replace("run: npm test", "run: npm test && exit 7");

  await using job = await runJob(readJob(failing), project.folder);

  expect(job.succeeded).toBe(false);
  expect(job.artifacts.has("kredo-report.html")).toBe(true);
  expect(job.sandboxes.map((folder) => readFileSync(join(folder, "ended"), "utf8"))).toEqual(["0\n"]);
});

test("finds the config file by itself, and tells the port and the credentials that stand there, whatever the application's PORT is", async () => {
  const project = await makeConfiguredProject();
  const [port] = project.ports;

  await using job = await runJob(jobOf({ env: { PORT: "1" }, given: {} }), project.folder);

  expect(job.printed).toContain(
    `told http://127.0.0.1:${port} http://127.0.0.1:${port}/api/v2 sandbox-key sandbox-secret\n`,
  );
  expect(job.succeeded).toBe(true);
});

test("takes a config file of another name, and scenarios in place of its own", async () => {
  const project = await makeConfiguredProject();
  renameSync(join(project.folder, "kredo.config.yaml"), join(project.folder, "other.yaml"));
  const given = { config: "other.yaml", scenario: "callback-never,scenarios/weak-network.yaml" };
  const ask = 'curl -s "$URL/__admin/accounts/default/scenarios"';

  await using job = await runJob(jobOf({ given, ask }), project.folder);

  expect(job.printed).toContain("config          other.yaml");
  expect(job.printed).toMatch(/"name":"callback-never"[^]*"name":"weak-network"/);
  expect(job.succeeded).toBe(true);
});

test.each([
  [
    "a setting that is wrong",
    { scenario: "callback-nevr" },
    /"callback-nevr" is not a shipped scenario[^]*::error::The sandbox did not become ready/,
  ],
  [
    "port 0",
    { port: "0" },
    /::error::port: 0 would choose a random free port, which this action cannot wait for; set a fixed port/,
  ],
])("fails with a sentence for %s, and no later step runs", async (_, given, sentence) => {
  const project = await makeSampleProject();

  await using job = await runJob(jobOf({ given }), project.folder);

  expect(job.printed).toMatch(sentence);
  expect(job.printed).not.toContain("told ");
  expect(job.succeeded).toBe(false);
});

test("commands the runner with nothing that stands in the sandbox's log", async () => {
  const project = await makeConfiguredProject();
  const job = jobOf({ given: {}, ask: INJECT });

  await using run = await runJob({ ...job, steps: [...job.steps, { uses: "./kredo/action/stop" }] }, project.folder);

  expect(run.printed).toMatch(/the Content-Type is text\/##\[error\]injected[^]*^::error::injected$/m);
  expect(workflowCommands(run.printed)).toEqual(["group Log of the sandbox", "endgroup"]);
  expect(new Set(stopTokens(run.printed)).size).toBe(2);
  expect(run.succeeded).toBe(true);
});

test("commands the runner with nothing that a sandbox printed which did not start", async () => {
  const project = await makeSampleProject();

  await using run = await runJob(jobOf({ given: { scenario: "##[error]injected" } }), project.folder);

  expect(run.printed).toContain("##[error]injected");
  expect(workflowCommands(run.printed)).toEqual(["error The sandbox did not become ready; see its output above."]);
});

test("prints credentials although its log is to be quiet", async () => {
  const project = await makeConfiguredProject();

  await using job = await runJob(jobOf({ env: { KREDO_LOG_LEVEL: "error" }, given: {} }), project.folder);

  expect(job.printed).toContain(" sandbox-key sandbox-secret\n");
  expect(job.succeeded).toBe(true);
});

test("fails where somebody else is on the port, also when it is a sandbox", async () => {
  const project = await makeConfiguredProject();
  const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
  await once(other.listen(project.ports[0], "127.0.0.1"), "listening");

  await using job = await runJob(jobOf({ given: {} }), project.folder);
  other.close();

  expect(job.printed).toMatch(/EADDRINUSE|is taken|in use/);
  expect(job.succeeded).toBe(false);
});

test("installs the version of the action itself unless told", async () => {
  const project = await makeSampleProject();
  const standIn = `mkdir bin && printf '#!/bin/sh\\necho "npm $*"\\nexit 1\\n' > bin/npm && chmod +x bin/npm && echo "$PWD/bin" >> "$GITHUB_PATH"`;

  await using job = await runJob(jobOf({ first: standIn, given: { version: "" } }), project.folder);

  expect(job.printed).toMatch(new RegExp(`^npm install .* kredo@${VERSION.replaceAll(".", "[.]")}\n`));
  expect(job.succeeded).toBe(false);
});

/** An order that its line quotes, and a last line that does not end. After another response, the order's line is in the file. */
const INJECT = `
curl -s -o order -d x -u sandbox-key:sandbox-secret -H 'content-type: text/##[error]injected' "$URL/api/v2/airtime"
curl -s -o live "$URL/livez"
cd "$RUNNER_TEMP"/kredo-*
{ cat log; printf '::error::injected'; } > copy
mv copy log`;

function stopTokens(printed: string): string[] {
  return [...printed.matchAll(/^::stop-commands::([0-9a-f]{32})$/gm)].map(([, token = ""]) => token);
}

/** Packs the installed package again. About peers, npm would ask its registry, which the jobs here do not reach. */
async function packWithoutPeers(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "kredo-packed-")), "kredo");
  cpSync(join(inject("installed"), "node_modules/kredo"), folder, { recursive: true });
  const whole: Record<string, unknown> = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, type, bin, files } = whole;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, type, bin, files }));
  return join(folder, await run(folder, "npm", "pack", "--silent"));
}

/** One whose config file says the port. */
async function makeConfiguredProject(): Promise<SampleProject> {
  const project = await makeSampleProject();
  appendFileSync(join(project.folder, "kredo.config.yaml"), `port: ${project.ports[0]}\n`);
  return project;
}

interface RecordedRequest {
  readonly given: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly ask?: string;
  /** What an earlier step does. */
  readonly first?: string;
}

/** A job that starts the packed sandbox and tells the action's outputs. */
function jobOf({ given, env = {}, ask = "true", first = "true" }: RecordedRequest): ReturnType<typeof readJob> {
  const outputs = ["url", "base-url", "consumer-key", "consumer-secret"].map(
    (name) => `\${{ steps.kredo.outputs.${name} }}`,
  );
  const steps = [
    { run: first },
    { id: "kredo", uses: "./kredo", with: { version, ...given } },
    { run: `echo told ${outputs.join(" ")}\n${ask}`, env: { URL: outputs[0] } },
  ];
  const job = { "runs-on": "ubuntu-latest", env, steps };
  return readJob(
    JSON.stringify({ name: "kredo", on: ["push"], permissions: { contents: "read" }, jobs: { test: job } }),
  );
}
