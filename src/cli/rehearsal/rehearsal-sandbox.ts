import { foldJournal } from "../../gateway/account/apply.ts";
import type { SandboxSettings } from "../../config.ts";
import { stackOf } from "../../gateway/domain/message-of.ts";
import {
  AccountBusy,
  AccountTakenOver,
  NotRestored,
  NoVerdict,
  type TrialEnvironment,
} from "../../verdict/trial/environment.ts";
import { HOST, PORT } from "../../gateway/settings/defaults.ts";
import { type ProfileSettings, PROFILES } from "../../gateway/settings/profiles.ts";
import { CliError } from "../terminal/cli-error.ts";
import { type Client, clientFor, isSandboxRunning } from "../client/client.ts";
import type { Flag, ParsedArgs } from "../terminal/command.ts";
import { printable } from "../terminal/output.ts";
import { APP_MAP } from "./rehearsal-files.ts";
import { REPORT_FLAG } from "./report-files.ts";
import { type OwnSandbox, startOwnSandbox } from "../serve/own-sandbox.ts";
import { expectServeOptions } from "../serve/serve-options.ts";
import { warnOfUnused } from "../serve/state-files.ts";
import { checkUrl, CONTROL_FLAGS, reachable } from "../client/target.ts";
import { printWarnings, type Terminal } from "../terminal/terminal.ts";
import { testedAccount } from "./tested-account.ts";

const URL_ABOUT =
  "a running sandbox to use; resets the wallet and journal of its account, which gets its settings back afterwards";

/** The flags of commands that start their own sandbox unless one is named. */
export const TEST_FLAGS: readonly Flag[] = [
  {
    name: "app",
    value: "URL",
    about: "the application's URL, instead of the one in a file",
    variables: ["KREDO_APP"],
  },
  { name: "map", value: "FILE", about: `the app map (default: ${APP_MAP})` },
  REPORT_FLAG,
  { name: "all", about: "print every exchange, every failure and the whole matrix; otherwise at most 60 lines" },
  {
    name: "port",
    value: "N",
    about: `the port of its own sandbox (default: the config's or ${PORT}; 0 for any free port)`,
  },
  { name: "host", value: "ADDRESS", about: `the address of its own sandbox (default: ${HOST})` },
  {
    name: "profile",
    value: PROFILES.join("|"),
    about: "the profile of the gateway in its own sandbox (default: the config's)",
    variables: ["KREDO_PROFILE"],
  },
  ...CONTROL_FLAGS.map((flag) => (flag.name === "url" ? { ...flag, about: URL_ABOUT } : flag)),
];

/** The flags of its own sandbox. */
const OWN_FLAGS = ["port", "host", "profile"];

/** The application's URL from the command line or the environment, if given. */
function applicationOf({ flags }: ParsedArgs, { env }: Terminal): string | undefined {
  const flag = flags.get("app");
  if (flag !== undefined) return checkUrl(flag, "--app");
  return env["KREDO_APP"] ? checkUrl(env["KREDO_APP"], "KREDO_APP") : undefined;
}

/** Starts a sandbox configured as for `serve`; undefined if the command line names one. Throws a CliError for mistakes in the options. */
export async function ownSandbox(args: ParsedArgs, terminal: Terminal): Promise<OwnSandbox | undefined> {
  const running = args.flags.has("url") ? "--url" : terminal.env["KREDO_URL"] ? "KREDO_URL" : undefined;
  const own = [...args.flags].filter(([name]) => ["config", ...OWN_FLAGS].includes(name));
  if (running !== undefined) return refuseOwnFlags(args, running);
  const serveArgs = { words: [], flags: new Map(own), repeated: new Map() };
  // PORT is the application's.
  const { settings, state } = await expectServeOptions(serveArgs, {
    ...terminal,
    env: { ...terminal.env, PORT: undefined },
  });
  printWarnings(terminal, warnOfUnused(state, "rehearse"));
  try {
    // Rehearsals bring their own scenarios.
    return await startOwnSandbox({ ...settings, journal: wholeJournal(settings.journal) }, [], terminal);
  } catch (error) {
    throw (await findRunning(error, settings)) ?? error;
  }
}

/** Refuses flags for the command's own sandbox, which would silently have no effect. */
function refuseOwnFlags({ flags }: ParsedArgs, running: string): undefined {
  const flag = OWN_FLAGS.find((name) => flags.has(name));
  if (flag === undefined) return undefined;
  const problem = `not allowed together with ${running}, which names a running sandbox`;
  throw new CliError(2, `--${flag}: ${problem}; omit one of the two`);
}

/** Keeps the whole journal of a long rehearsal, because the verdict needs it. */
function wholeJournal(written: SandboxSettings["journal"]): SandboxSettings["journal"] {
  return {
    ...written,
    max_transactions: Math.max(written.max_transactions, 100_000),
    max_bytes: Math.max(written.max_bytes, 256 * 1024 * 1024),
  };
}

/** Explains that the port belongs to a running sandbox, which the user probably wants to rehearse with. */
async function findRunning(error: unknown, { host, port }: SandboxSettings): Promise<CliError | undefined> {
  if (!(error instanceof CliError) || error.exitCode !== 3) return undefined;
  const url = `http://${reachable(host)}:${port}`;
  if (!(await isSandboxRunning(url))) return undefined;
  const repair = `stop it, use it with --url ${url}, or choose another port with --port (0 takes a free one).`;
  return new CliError(3, `A sandbox is already running at ${url}: ${repair}`);
}

/** What all rehearsals of one command share. */
export interface SharedEnvironment extends Pick<
  TrialEnvironment,
  "account" | "gateway" | "clock" | "pause" | "report"
> {
  readonly client: Client;
  /** The application's URL from the command line or the environment, if given. */
  readonly application?: string;
  /** How its own sandbox reads the gateway; that of a running one is not known. */
  readonly profile?: ProfileSettings;
}

/** Connects to the command's own sandbox, or to the one that the command line names. Throws a CliError if it does not answer. */
export async function connect(
  sandbox: OwnSandbox | undefined,
  args: ParsedArgs,
  terminal: Terminal,
): Promise<SharedEnvironment> {
  const client = sandbox === undefined ? await clientFor(args, terminal) : clientOf(sandbox, terminal);
  const { url } = client.target;
  const application = applicationOf(args, terminal);
  const account = testedAccount(client);
  const state = foldJournal((await account.journal()).events);
  if (state === undefined) throw new CliError(1, `The sandbox at ${url} gave an empty journal.`);
  return {
    client,
    account,
    gateway: { url, consumerKey: state.settings.consumer_key },
    clock: terminal.clock,
    pause: terminal.pause,
    report: (fault) => terminal.stderr.write(`${stackOf(fault)}\n`),
    application,
    profile: sandbox?.running.world.sandbox.gateway,
  };
}

function clientOf({ url, adminToken, running }: OwnSandbox, terminal: Terminal): Client {
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  return { target: { url, adminToken, account: "default", consumerKey, consumerSecret }, terminal, isRaw: false };
}

/** The exit code of a command that was stopped with Ctrl-C, as of a process that the signal ended (128 and its number). */
export const INTERRUPTED = 130;

/** Explains why a rehearsal or an exploration ended without a verdict. */
export function explainEnd(error: unknown, file: string, { aborted }: AbortSignal): unknown {
  // What the interruption stopped, such as a command of the app map, says nothing else.
  if (error instanceof NoVerdict && !aborted) return new CliError(3, printable(error.message), error.report);
  if (error instanceof AccountBusy) {
    const repair = `wait for its end, or pass another account with --account KEY. If that rehearsal was killed, \`kredo reset\` restores the account.`;
    return new CliError(3, `${file}: the account is in the rehearsal ${error.message}: ${repair}`);
  }
  if (error instanceof NotRestored) {
    const repair = "The account may still be in the rehearsal: `kredo reset` gives it back what it had before.";
    return new CliError(3, `${file}: ${error.message} ${repair}`);
  }
  if (error instanceof AccountTakenOver)
    return new CliError(3, `${file}: ${describeTakeover(error)}; there is no verdict.`);
  return aborted ? new CliError(INTERRUPTED, `${file}: interrupted before it began; there is no verdict.`) : error;
}

function describeTakeover({ by }: AccountTakenOver): string {
  return by === undefined
    ? "the account was reset or replaced by an import during the run, so its earlier state is lost; avoid that"
    : `the rehearsal ${by} took over the account during the run; run them one after the other, or on two accounts`;
}
