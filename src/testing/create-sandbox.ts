/**
 * Sandboxes for tests: in this process, in another one or in a container, with fixtures for test runners. It may import every room except
 * the dashboard and the command line, and what puts a sandbox together: config.ts and sandbox.ts.
 */

import { randomUUID } from "node:crypto";
import { configSchema, type SandboxSettings } from "../config.ts";
import { describeValue } from "../gateway/document/describe-value.ts";
import { blameCaller } from "../gateway/blame-caller.ts";
import { parseOptions, WrongOptions } from "../gateway/document/parse-options.ts";
import { formatPath } from "../gateway/document/problem.ts";
import type { HttpsCredentials } from "../tls/https.ts";
import { loadScenarios } from "../load-scenarios.ts";
import { type Listening, type RunningSandbox, startSandbox } from "../sandbox.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import { Sandbox } from "./sandbox.ts";
import type { SandboxOptions } from "./sandbox-options.ts";

export { PortInUseError } from "../gateway/adapters/server/node-server.ts";

/** Starts a sandbox in this process. Throws a TypeError that names every wrong option. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  try {
    expectOptions(options);
    return await openSandbox(parseOptions(configSchema, { port: 0, ...options }), options);
  } catch (error) {
    throw blameCaller(error, createSandbox);
  }
}

/** A list, a map or a promise would pass for options that are all left out. */
function expectOptions(options: unknown): void {
  const kind = Object.prototype.toString.call(options).slice("[object ".length, -1);
  if (kind === "Object") return;
  const what = describeValue(options);
  throw new WrongOptions(
    `the options are ${what === "a mapping" ? `a ${kind}` : what}; write them like { clock: "manual" }`,
  );
}

async function openSandbox(settings: SandboxSettings, options: SandboxOptions): Promise<Sandbox> {
  const scenarios = await readScenarios(options);
  const credentials = await prepareCredentials(settings);
  const ca = credentials?.ca;
  const running = await startSandbox(settings, { overrideGlobals: false, report: reportOnStderr, scenarios, ca });
  const [plain, secure] = await openPorts(running, settings, credentials).catch(async (error: unknown) => {
    await running.close();
    throw error;
  });
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  return new Sandbox(
    { consumerKey, consumerSecret },
    { url: plain.url, send: (request) => running.fetch(request), adminToken: settings.admin.token },
    async () => {
      await running.close();
      await Promise.all([plain.close(), secure?.close()]);
    },
    secure && ca !== undefined ? { url: secure.url, ca } : undefined,
  );
}

/** Relative paths start from the working directory. */
async function readScenarios({ scenarios }: SandboxOptions): Promise<Scenario[]> {
  const wanted = scenarios?.map((reference, index) => ({ reference, place: formatPath(["scenarios", index]) }));
  const { loaded, problems } = await loadScenarios(wanted);
  if (problems.length > 0) throw new WrongOptions(problems.join("\n"));
  return loaded.map(({ scenario }) => scenario);
}

/** Loads the library for certificates only for HTTPS. */
async function prepareCredentials(settings: SandboxSettings): Promise<HttpsCredentials | undefined> {
  if (settings.https === undefined) return undefined;
  const { prepareHttps } = await import("../tls/https.ts");
  return prepareHttps(settings.https, settings.host);
}

/** Writes an unexpected error of the sandbox to stderr, where a test run shows it. Returns the report's id. */
function reportOnStderr(fault: unknown): string {
  const report = randomUUID();
  console.error(`kredo: fault ${report}`, fault);
  return report;
}

/** Opens the port, and the one for HTTPS if the settings enable it. If one cannot be opened, nothing stays open. */
async function openPorts(
  running: RunningSandbox,
  { port, host, https }: SandboxSettings,
  credentials: HttpsCredentials | undefined,
): Promise<[Listening, Listening?]> {
  const plain = await running.listen({ port, host });
  if (https === undefined || credentials === undefined) return [plain];
  try {
    return [plain, await running.listen({ port: https.port, host, tls: credentials.server })];
  } catch (error) {
    await plain.close();
    throw error;
  }
}
