/** Sandboxes for tests: in this process, in another one or in a container, with fixtures for test runners. */

import { randomUUID } from "node:crypto";
import { configSchema, type SandboxSettings } from "../config.ts";
import { describeValue } from "../gateway/document/describe-value.ts";
import { startStackAtCall } from "../gateway/trim-stack.ts";
import { parseOptions, WrongOptions } from "../gateway/document/parse-options.ts";
import { formatPath } from "../gateway/document/problem.ts";
import { loadScenarios } from "../load-scenarios.ts";
import { openSandbox } from "../open-sandbox.ts";
import type { Scenario } from "../gateway/scenario/schema.ts";
import { Sandbox } from "./sandbox.ts";
import type { SandboxOptions } from "./sandbox-options.ts";

export { PortInUseError } from "../gateway/adapters/server/node-server.ts";

/** Starts a sandbox in this process. Throws a TypeError that names every wrong option. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  try {
    expectOptions(options);
    return await startListening(parseOptions(configSchema, { port: 0, ...options }), options);
  } catch (error) {
    throw startStackAtCall(error, createSandbox);
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

async function startListening(settings: SandboxSettings, options: SandboxOptions): Promise<Sandbox> {
  const scenarios = await readScenarios(options);
  const { running, ports, secure, close } = await openSandbox(settings, { report: reportOnStderr, scenarios });
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  return new Sandbox(
    { consumerKey, consumerSecret },
    { url: ports[0].url, send: (request) => running.fetch(request), adminToken: settings.admin.token },
    close,
    secure && { url: secure.listening.url, ca: secure.credentials.ca },
  );
}

/** Relative paths start from the working directory. */
async function readScenarios({ scenarios }: SandboxOptions): Promise<Scenario[]> {
  const wanted = scenarios?.map((reference, index) => ({ reference, place: formatPath(["scenarios", index]) }));
  const { loaded, problems } = await loadScenarios(wanted);
  if (problems.length > 0) throw new WrongOptions(problems.join("\n"));
  return loaded.map(({ scenario }) => scenario);
}

/** Writes an unexpected error of the sandbox to stderr, where a test run shows it. Returns the report's id. */
function reportOnStderr(fault: unknown): string {
  const report = randomUUID();
  console.error(`kredo: fault ${report}`, fault);
  return report;
}
