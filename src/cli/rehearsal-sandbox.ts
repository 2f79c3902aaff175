import { foldJournal } from "../account/apply.ts";
import { callOverHttp } from "../adapters/http-exchange.ts";
import { runInShell } from "../adapters/process/shell.ts";
import { CliError } from "./cli-error.ts";
import { type Client, clientFor } from "./client.ts";
import { checkUrl, controlFlagsWhere, reachable } from "./target.ts";
import type { Flag, ParsedArgs } from "./command.ts";
import { MAP_FLAG } from "./app-map-file.ts";
import type { LoadedRehearsal } from "./rehearsal-files.ts";
import { testedAccount } from "./tested-account.ts";
import { type OwnSandbox, startSandboxWith } from "./serve/own-sandbox.ts";
import { expectServeOptions } from "./serve/serve-options.ts";
import { warnOfUnused } from "./serve/state-files.ts";
import { hasColors } from "./output.ts";
import { printWarnings, type Terminal } from "./terminal.ts";
import { stackOf } from "../domain/message-of.ts";
import type { SandboxSettings } from "../config/config-schema.ts";
import { HOST, PORT } from "../settings/defaults.ts";
import { placeholdersIn } from "../verdict/application/placeholders.ts";
import type { GatewayAccess } from "../verdict/application/ask.ts";
import {
  AccountTakenOver,
  NotRestored,
  Interrupted,
  AccountBusy,
  ApplicationUnreachable,
  type RehearsalEnvironment,
} from "../verdict/rehearsal/rehearsal-environment.ts";

/** The flags of commands that start their own sandbox unless one is named. */
export function testFlags(jsonAbout: string): readonly Flag[] {
  return [
    {
      name: "app",
      value: "URL",
      about: "the application's URL, instead of the one in a file",
      variables: ["KREDO_APP"],
    },
    MAP_FLAG,
    {
      name: "report",
      value: "FILE",
      about: "also write a report: .json, .xml (JUnit) or .html; repeatable",
      isRepeatable: true,
    },
    {
      name: "port",
      value: "N",
      about: `the port of its own sandbox (default: the config's or ${PORT}; 0 for any free port)`,
    },
    { name: "host", value: "ADDRESS", about: `the address of its own sandbox (default: ${HOST})` },
    ...controlFlagsWhere(jsonAbout).map((flag) => (flag.name === "url" ? { ...flag, about: URL_ABOUT } : flag)),
  ];
}

const URL_ABOUT =
  "a running sandbox to use; resets the wallet and journal of its account, which gets its settings back afterwards";

/** The application's URL from the command line or the environment, if given. */
export function applicationOf({ flags }: ParsedArgs, { env }: Terminal): string | undefined {
  const flag = flags.get("app");
  if (flag !== undefined) return checkUrl(flag, "--app");
  return env["KREDO_APP"] ? checkUrl(env["KREDO_APP"], "KREDO_APP") : undefined;
}

/** Starts a sandbox configured as for `serve`; undefined if the command line names one. Throws a CliError for mistakes in the options. */
export async function ownSandbox(args: ParsedArgs, terminal: Terminal): Promise<OwnSandbox | undefined> {
  const running = args.flags.has("url") ? "--url" : terminal.env["KREDO_URL"] ? "KREDO_URL" : undefined;
  if (running !== undefined) return refuseOwnFlags(args, running);
  const { settings, state } = expectServeOptions(serveArgs(args), terminal);
  printWarnings(terminal, warnOfUnused(state, "rehearse"));
  try {
    // Rehearsals bring their own scenarios.
    return await startSandboxWith(
      { settings: { ...settings, journal: wholeJournal(settings.journal) }, scenarios: [] },
      terminal,
    );
  } catch (error) {
    throw (await findRunning(error, settings)) ?? error;
  }
}

/** Refuses flags for the command's own sandbox, which would silently have no effect. */
function refuseOwnFlags({ flags }: ParsedArgs, running: string): undefined {
  const flag = ["port", "host"].find((name) => flags.has(name));
  if (flag === undefined) return undefined;
  throw new CliError(
    2,
    `--${flag}: not allowed together with ${running}, which names a running sandbox; omit one of the two`,
  );
}

function serveArgs({ flags }: ParsedArgs): ParsedArgs {
  const own = [...flags].filter(([name]) => ["config", "port", "host"].includes(name));
  return { words: [], flags: new Map(own), repeated: new Map() };
}

/** Explains that the port belongs to a running sandbox, which the user probably wants to rehearse with. */
async function findRunning(error: unknown, { host, port }: SandboxSettings): Promise<CliError | undefined> {
  if (!(error instanceof CliError) || error.exitCode !== 3) return undefined;
  const { isSandboxThere } = await import("./examine-callback.ts");
  const url = `http://${reachable(host)}:${port}`;
  if (!(await isSandboxThere({ url }))) return undefined;
  return new CliError(
    3,
    `A sandbox is already running at ${url}: stop it, use it with --url ${url}, or choose another port with --port (0 takes a free one).`,
  );
}

/** Keeps the whole journal of a long rehearsal, because the verdict needs it. */
function wholeJournal(written: SandboxSettings["journal"]): SandboxSettings["journal"] {
  return {
    ...written,
    max_transactions: Math.max(written.max_transactions, 100_000),
    max_bytes: Math.max(written.max_bytes, 256 * 1024 * 1024),
  };
}

/** Connects to the command's own sandbox, or to the one that the command line names. Throws a CliError if it does not answer. */
export async function connect(
  sandbox: OwnSandbox | undefined,
  args: ParsedArgs,
  terminal: Terminal,
): Promise<SharedEnvironment> {
  const client = sandbox === undefined ? await clientFor(args, terminal) : clientOf(sandbox, terminal);
  const application = applicationOf(args, terminal);
  const account = testedAccount(client);
  return {
    client,
    account,
    gateway: accessTo(client.target.url, foldJournal((await account.journal()).events)),
    call: callOverHttp,
    shell: runInShell,
    clock: terminal.clock,
    pause: terminal.pause,
    report: (fault) => terminal.stderr.write(`${stackOf(fault)}\n`),
    ...(application !== undefined && { application }),
  };
}

function clientOf({ url, adminToken, running }: OwnSandbox, terminal: Terminal): Client {
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  return { target: { url, adminToken, account: "default", consumerKey, consumerSecret }, terminal, isRaw: false };
}

/** The problem of a rehearsal that needs an application when no URL is given. */
export function withoutApplication({ rehearsal, file }: LoadedRehearsal, application: string | undefined): string[] {
  if (application !== undefined || rehearsal.application !== undefined || !usesApplication(rehearsal)) return [];
  return [`${file}: the URL of {app} is missing; add application to the file, or pass --app URL`];
}

function usesApplication({ account, drive, expect }: LoadedRehearsal["rehearsal"]): boolean {
  return placeholdersIn([account, drive, expect]).includes("app");
}

/** Explains why a rehearsal ended early. */
export function explain(error: unknown, file: string): unknown {
  if (error instanceof ApplicationUnreachable) return new CliError(3, `${file}: ${error.message}`);
  if (error instanceof AccountBusy) return new CliError(3, `${file}: ${describeBusy(error.message)}`);
  if (error instanceof NotRestored) return new CliError(3, `${file}: ${error.message} ${NOT_RESTORED}`);
  if (error instanceof AccountTakenOver)
    return new CliError(1, `${file}: ${describeTakeover(error)}; there is no verdict.`);
  return error instanceof Interrupted
    ? new CliError(1, `${file}: stopped before its end; there is no verdict.`)
    : error;
}

const NOT_RESTORED = "The account may still be in the rehearsal: `kredo reset` gives it back what it had before.";

function describeBusy(other: string): string {
  return `the account is in the rehearsal ${other}: wait for its end, or pass another account with --account KEY. If that rehearsal was killed, \`kredo reset\` restores the account.`;
}

function describeTakeover({ by }: AccountTakenOver): string {
  return by === undefined
    ? "the account was reset or replaced by an import during the run, so its earlier state is lost; avoid that"
    : `the rehearsal ${by} took over the account during the run; run them one after the other, or on two accounts`;
}

export function styleFor(terminal: Terminal): { color: boolean } {
  return { color: hasColors(terminal) };
}

/** What all rehearsals of one command share. */
export interface SharedEnvironment extends Pick<
  RehearsalEnvironment,
  "account" | "gateway" | "call" | "shell" | "clock" | "pause" | "report"
> {
  readonly client: Client;
  /** The application's URL from the command line or the environment, if given. */
  readonly application?: string;
}

function accessTo(url: string, state: ReturnType<typeof foldJournal>): GatewayAccess {
  if (state === undefined) throw new CliError(1, `The sandbox at ${url} gave an empty journal.`);
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = state.settings;
  return { url, consumerKey, consumerSecret };
}
