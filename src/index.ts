import { explainIssues } from "./document/explain-issues.ts";
import { formatMistake, formatPath } from "./document/problem.ts";
import { configSchema } from "./config/config-schema.ts";
import { resolveSettings } from "./config/resolve-settings.ts";
import type { SandboxSettings } from "./config/sandbox-settings.ts";
import type { Scenario } from "./domain/scenario.ts";
import { type Listening, type Simulator, startSimulator } from "./simulator.ts";
import { filesOnDisk, loadScenarios } from "./simulator-scenarios.ts";
import { Account, type Credentials } from "./testing/account.ts";
import { ControlClient, type ControlTarget } from "./testing/control-client.ts";
import { openAccount } from "./testing/open-account.ts";
import type { AccountOptions, SandboxOptions } from "./testing/options.ts";
import { reportOnStderr } from "./testing/report.ts";

export { Account, type Credentials, type FindingFilter, type TransactionFilter } from "./testing/account.ts";
export { ControlError } from "./testing/control-client.ts";
export type { AccountOptions, SandboxOptions } from "./testing/options.ts";
export type * from "./testing/shapes.ts";

/** A sandbox in this process, and its default account. `close`, or `await using`, frees the port and cancels every timer. */
export class Sandbox extends Account implements AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly #control: ControlTarget;
  readonly #stop: () => Promise<void>;

  constructor(credentials: Credentials, control: ControlTarget, stop: () => Promise<void>) {
    super(credentials, new ControlClient(control, "/__admin/accounts/default/"));
    this.url = control.url;
    this.#control = control;
    this.#stop = stop;
  }

  /** A fresh account, with credentials and a profile of its own where the options name none. */
  account(options: AccountOptions = {}): Promise<Account> {
    return openAccount(this.#control, options);
  }

  async close(): Promise<void> {
    await this.#stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

/** Starts a sandbox in this process. Throws a TypeError that names every wrong option. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = readOptions(options);
  const simulator = await startSimulator(settings, { overrideGlobals: false, report: reportOnStderr, scenarios: readScenarios(options) });
  const listening = await simulator.listen(settings);
  const { consumerKey, consumerSecret } = simulator.world.get("default").state.settings;
  const { adminToken } = settings;
  const control = {
    url: listening.url,
    send: (request: Request) => simulator.fetch(request),
    ...(adminToken === undefined ? {} : { adminToken }),
  };
  return new Sandbox({ consumerKey, consumerSecret }, control, () => stop(simulator, listening));
}

function readOptions(options: SandboxOptions): SandboxSettings {
  const read = configSchema.safeParse({ port: 0, ...options }, { reportInput: true });
  if (read.success) return resolveSettings(read.data);
  throw new TypeError(
    explainIssues(read.error.issues, configSchema)
      .map((wrong) => formatMistake(formatPath(wrong.path), wrong))
      .join("\n"),
  );
}

/** Paths are counted from the working directory. */
function readScenarios({ scenarios }: SandboxOptions): Scenario[] {
  const wanted = scenarios?.map((reference, index) => ({ reference, place: formatPath(["scenarios", index]) }));
  const { loaded, problems } = loadScenarios(wanted, filesOnDisk);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return loaded.map(({ scenario }) => scenario);
}

async function stop(simulator: Simulator, listening: Listening): Promise<void> {
  await simulator.close();
  await listening.close();
}
