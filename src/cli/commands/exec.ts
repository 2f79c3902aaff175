import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RunningAccount } from "../../gateway/engine/account.ts";
import { openedEventOf } from "../../verdict/checks/live-findings.ts";
import type { Finding } from "../../verdict/checks/finding.ts";
import { reportOnAccounts, type WatchedAccount } from "../../verdict/report/account-report.ts";
import { SEVERITIES } from "../../verdict/severities.ts";
import { exitCodeOf, type Report } from "../../verdict/report/report.ts";
import type { RunningSandbox } from "../../sandbox.ts";
import { CliError } from "../terminal/cli-error.ts";
import type { Command, Flag, ParsedArgs } from "../terminal/command.ts";
import { findingEntry } from "../log/event-log.ts";
import { exitCodeFor, FAIL_ON_FLAG } from "../rehearsal/fail-on.ts";
import { REPORT_FLAG, reportFiles, writeReport } from "../rehearsal/report-files.ts";
import { environmentOf, startOwnSandbox } from "../serve/own-sandbox.ts";
import { SERVE_FLAGS } from "../config/serve-flags.ts";
import { expectServeOptions, type GoodOptions } from "../serve/serve-options.ts";
import { warnOfUnused } from "../serve/state-files.ts";
import { runInForeground } from "../terminal/foreground-command.ts";
import { printLines, printWarnings, type Terminal } from "../terminal/terminal.ts";

/**
 * Flags of serve without a use here: nobody reads a log next to the command's output, and the run is over before a scenario file is edited.
 */
const FOR_SERVE_ONLY = ["log-format", "log-level", "watch", "data", "import", "export-on-exit", "port"];

const PORT_FLAG: Flag = {
  name: "port",
  value: "N",
  about: "the sandbox's port (default: any free port; PORT and KREDO_PORT are left to COMMAND)",
};

export const command: Command = {
  name: "exec",
  about: [
    "Run COMMAND next to a sandbox, and exit with its exit code (128 plus the signal's number if a signal ended it). Write options before",
    "COMMAND: everything after its name belongs to it.",
    "COMMAND gets the variables KREDO_URL, KREDO_BASE_URL (with /api/v2), KREDO_CONSUMER_KEY, KREDO_CONSUMER_SECRET and",
    "KREDO_ADMIN_TOKEN, which the control API requires; with HTTPS also KREDO_HTTPS_URL and KREDO_CA_FILE.",
    "Findings are printed on standard error; a defect turns success into exit code 1. As in a shell, the exit code is 127 if there is no",
    "such command, 126 if it cannot be started. It is 3 if COMMAND never called the sandbox.",
  ].join(" "),
  usage: "[options] -- COMMAND...",
  arguments: ["<COMMAND...>"],
  runsCommand: true,
  flags: [REPORT_FLAG, FAIL_ON_FLAG, PORT_FLAG, ...SERVE_FLAGS.filter(({ name }) => !FOR_SERVE_ONLY.includes(name))],
  examples: ["kredo exec -- npm test", "kredo exec --fail-on risk --report report.html -- npm test"],
  docs: "ci",
  async run(args, terminal) {
    const [name = "", ...words] = args.words;
    const files = await reportFiles(args.repeated.get("report") ?? []);
    const { settings, scenarios } = await readOptions(args, terminal);
    const all = scenarios.map(({ scenario }) => scenario);
    await using sandbox = await startOwnSandbox(settings, all, terminal);
    const { seed } = sandbox.running.world.get("default").state;
    printLines(terminal.stderr, [`kredo: sandbox at ${sandbox.url}, seed ${seed}`]);
    const watch = watchAccounts(sandbox.running);
    const end = await runInForeground({
      words: [name, ...words],
      environment: { ...terminal.env, ...environmentOf(sandbox) },
    });
    if (end.kind === "not begun") {
      printLines(terminal.stderr, [end.problem]);
      return end.code;
    }
    const report = watch.report();
    printProblems(report, watch.wasCalled(), settings.log.mask_phone_numbers, terminal);
    try {
      await writeReport(files, report);
    } catch (error) {
      // The command's own failure takes precedence.
      if (end.code === 0 || !(error instanceof CliError)) throw error;
      printLines(terminal.stderr, [error.message]);
    }
    if (end.code !== 0) return end.code;
    if (exitCodeOf(report) === 1) printLines(terminal.stderr, ["kredo: exit code 1, because of a defect."]);
    return exitCodeFor(report, args, terminal);
  },
};

/**
 * Reads the options of the sandbox. It uses any free port unless a flag sets one, because the port in a file or a variable may belong to a
 * running sandbox or to the application.
 */
async function readOptions({ flags, repeated }: ParsedArgs, terminal: Terminal): Promise<GoodOptions> {
  const serveArgs = { words: [], flags: new Map([["port", "0"], ...flags]), repeated };
  const options = await expectServeOptions(serveArgs, terminal);
  printWarnings(terminal, warnOfUnused(options.state, "exec"));
  const { https } = options.settings;
  if (https === undefined || flags.has("https-port")) return options;
  return { ...options, settings: { ...options.settings, https: { ...https, port: 0 } } };
}

function printProblems(report: Report, wasCalled: boolean, isMasked: boolean, { stderr }: Terminal): void {
  const neverCalled = "kredo: the command never called the sandbox; let it use KREDO_BASE_URL, or the URL above.";
  const problems = report.trials.flatMap(({ id, verdicts }) =>
    verdicts.flatMap((verdict) => {
      const severity = SEVERITIES.find((one) => one === verdict.is);
      if (severity === undefined) return [];
      const { why = "", repair = "" } = verdict;
      return [`${findingEntry({ ...verdict, severity, why, repair, subject: "" }, isMasked).text()} [account ${id}]`];
    }),
  );
  printLines(stderr, [...problems, ...(wasCalled ? [] : [neverCalled]), `kredo: ${report.summary}.`]);
}

/** Collects the findings of a sandbox's accounts, and counts their requests. */
interface AccountWatch {
  /** Reports on each account that had requests, or on the first account if none had. */
  report(): Report;
  /** Returns whether any request arrived, including for accounts that were reset or dropped since. */
  wasCalled(): boolean;
}

/** Also keeps the findings of accounts that a test resets or drops. */
function watchAccounts({ world, findings }: RunningSandbox): AccountWatch {
  const noticed = new Map<RunningAccount, Map<string, Finding>>();
  findings.observe((account, finding) => {
    noticed.set(account, (noticed.get(account) ?? new Map()).set(keyOf(finding), finding));
  });
  const requests = new Map<RunningAccount, number>();
  world.observe((account, event) => {
    if (!isRequestEvent(event)) return;
    requests.set(account, (requests.get(account) ?? 0) + 1);
  });
  return {
    wasCalled: () => requests.size > 0,
    report() {
      const reported = requests.size > 0 ? [...requests.keys()] : [world.list()[0] ?? world.sandbox];
      const accounts = reported.map((account) =>
        watched(account, { world, findings }, noticed.get(account), requests.get(account)),
      );
      return reportOnAccounts(accounts, world.sandbox.wall.now());
    },
  };
}

function watched(
  account: RunningAccount,
  { world, findings }: Pick<RunningSandbox, "world" | "findings">,
  noticed: ReadonlyMap<string, Finding> = new Map(),
  requests = 0,
): WatchedAccount {
  const current = findings.of(account).list();
  const known = new Set(current.map(keyOf));
  const forgotten = [...noticed].flatMap(([key, finding]) => (known.has(key) ? [] : [finding]));
  const isUnknownKeys = account === world.sandbox;
  const isDropped = !isUnknownKeys && world.find(account.consumerKey) !== account;
  // Of a dropped account's journal, only the opening remains.
  const kept = isDropped ? { first: 1, events: [openedEventOf(account.state)] } : account.journal.read();
  return {
    name: isUnknownKeys ? "of unknown consumer keys" : `${account.consumerKey}${isDropped ? " (dropped)" : ""}`,
    kept,
    findings: [...forgotten, ...current],
    // What a reset or the deletion forgot is missing as evicted requests are.
    evicted: requests - kept.events.filter(isRequestEvent).length,
  };
}

function keyOf({ id, subject }: Finding): string {
  return `${id} ${subject}`;
}
