import type { JournalSettings, SandboxSettings } from "../config/sandbox-settings.ts";
import { isUsing } from "../rehearsal/is-using.ts";
import { Displaced, Interrupted, Occupied, Unreachable } from "../rehearsal/stage.ts";
import { type Client, clientFor } from "./client.ts";
import { type OwnSandbox, startSandboxWith } from "./own-sandbox.ts";
import { Halt } from "./halt.ts";
import type { LoadedRehearsal } from "./rehearsal-files.ts";
import { type Ground, groundOn } from "./rehearse-stage.ts";
import { readServeOptions } from "./serve-options.ts";
import { warnOfUnused } from "./state-files.ts";
import { checkUrl, reachable } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said } from "./verb.ts";

/** Where the application is, as far as the command line or the environment says. */
export function applicationOf({ flags }: Said, { env }: Terminal): string | undefined {
  const flag = flags.get("app");
  if (flag !== undefined) return checkUrl(flag, "--app");
  return env["KREDO_APP"] ? checkUrl(env["KREDO_APP"], "KREDO_APP") : undefined;
}

/** The sandbox that the command starts for itself, configured as `serve` is; none where another one is named. Halts at a mistake. */
export async function ownSandbox(said: Said, terminal: Terminal): Promise<OwnSandbox | undefined> {
  if (said.flags.has("url") || terminal.env["KREDO_URL"]) return undefined;
  const options = readServeOptions(serveWords(said), { ...terminal.env, PORT: undefined }, terminal.files);
  printLines(
    terminal.stderr,
    options.warnings.map((warning) => `warning: ${warning}`),
  );
  if ("problems" in options) throw new Halt(2, options.problems.join("\n"));
  printLines(
    terminal.stderr,
    warnOfUnused(options.state, "rehearse").map((warning) => `warning: ${warning}`),
  );
  const { settings } = options;
  try {
    // What goes wrong is for the rehearsals to say.
    return await startSandboxWith({ settings: { ...settings, journal: wholeJournal(settings.journal) }, scenarios: [] }, terminal);
  } catch (error) {
    throw (await findRunning(error, settings)) ?? error;
  }
}

/** PORT, which serve reads as well, is more likely the application's here. */
function serveWords({ flags }: Said): string[] {
  return ["config", "port", "host"].flatMap((name) => (flags.has(name) ? [`--${name}=${flags.get(name)}`] : []));
}

/** A sandbox that has the port already, which most often is one to rehearse with. */
async function findRunning(error: unknown, { host, port }: SandboxSettings): Promise<Halt | undefined> {
  if (!(error instanceof Halt) || error.exitCode !== 3) return undefined;
  const { isSandboxThere } = await import("./consult.ts");
  const url = `http://${reachable(host)}:${port}`;
  if (!(await isSandboxThere({ url }))) return undefined;
  return new Halt(
    3,
    `A sandbox runs at ${url} already: stop it, rehearse with it by --url ${url}, or choose another port with --port (0 takes a free one).`,
  );
}

/** A long rehearsal is judged by its whole journal. */
function wholeJournal(written: JournalSettings): JournalSettings {
  return {
    ...written,
    maxTransactions: Math.max(written.maxTransactions, 100_000),
    maxBytes: Math.max(written.maxBytes, 256 * 1024 * 1024),
  };
}

/** The ground to rehearse on: the command's own sandbox, or the one that is named. */
export async function groundFor(sandbox: OwnSandbox | undefined, said: Said, terminal: Terminal): Promise<Ground> {
  const client = sandbox === undefined ? await clientFor(said, terminal) : clientOf(sandbox, terminal);
  return await groundOn(client, terminal, applicationOf(said, terminal));
}

function clientOf({ url, adminToken, simulator }: OwnSandbox, terminal: Terminal): Client {
  const { consumerKey, consumerSecret } = simulator.world.get("default").state.settings;
  return { target: { url, adminToken, account: "default", consumerKey, consumerSecret }, terminal, isRaw: false };
}

/** Complains of a rehearsal that needs an application which nobody named. */
export function withoutApplication({ rehearsal, file }: LoadedRehearsal, application: string | undefined): string[] {
  if (application !== undefined || rehearsal.application !== undefined || !isUsing(rehearsal, "app")) return [];
  return [`${file}: nothing says where {app} is; add application, or say --app URL`];
}

/** Why a rehearsal had no end. */
export function explain(error: unknown, file: string): unknown {
  if (error instanceof Unreachable) return new Halt(3, `${file}: ${error.message}`);
  if (error instanceof Occupied) return new Halt(3, `${file}: ${sayOccupied(error.message)}`);
  if (error instanceof Displaced) return new Halt(1, `${file}: ${sayDisplaced(error)}; there is no verdict.`);
  return error instanceof Interrupted ? new Halt(1, `${file}: stopped before its end; there is no verdict.`) : error;
}

function sayOccupied(other: string): string {
  return `the account is in the rehearsal ${other}: wait for its end, or say another account with --account KEY. If that one was killed, \`kredo reset\` gives the account back what it had before.`;
}

function sayDisplaced({ by }: Displaced): string {
  return by === undefined
    ? "somebody reset the account or imported another in mid-run, so that what was before is gone; leave that out"
    : `the rehearsal ${by} took the account in mid-run; run them one after the other, or on two accounts`;
}

export function styleFor({ stdout, env }: Terminal): { color: boolean } {
  return { color: stdout.isTTY && !env["NO_COLOR"] };
}
