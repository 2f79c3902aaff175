import { type ForegroundEnd, runInForeground } from "../../adapters/process/foreground-command.ts";
import { quote } from "../../document/describe-value.ts";
import { bySeverity, describeTally, tally } from "../../verdict/rehearsal/report-text.ts";
import type { Report } from "../../verdict/rehearsal/report.ts";
import { watchAccounts } from "../account-watch.ts";
import { FAIL_ON_FLAG, failOn } from "../fail-on.ts";
import { CliError } from "../cli-error.ts";
import { findingEntry } from "../event-log.ts";
import { type OwnSandbox, startSandboxWith } from "../serve/own-sandbox.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "../report-files.ts";
import { SERVE_FLAGS } from "../serve/serve-flags.ts";
import { expectServeOptions, type GoodOptions } from "../serve/serve-options.ts";
import { warnOfUnused } from "../serve/state-files.ts";
import { printLines, printWarnings, type Terminal } from "../terminal.ts";
import type { Command, Flag, ParsedArgs } from "../command.ts";

/**
 * Flags of serve without a use here: nobody reads a log next to the command's output, and the run is over before a scenario file is edited.
 */
const FOR_SERVE_ONLY = ["log-format", "watch", "data", "import", "export-on-exit"];

const OWN_FLAGS: readonly Flag[] = [
  {
    name: "report",
    value: "FILE",
    about: "write a report afterwards: .json, .xml (JUnit) or .html; repeatable",
    isRepeatable: true,
  },
  FAIL_ON_FLAG,
  {
    name: "port",
    value: "N",
    about: "the sandbox's port (default: any free port; PORT and KREDO_PORT are left to COMMAND)",
  },
];

export const exec: Command = {
  name: "exec",
  about: [
    "Run COMMAND next to a sandbox, and exit with its exit code (128 plus the signal's number if a signal ended it).",
    "COMMAND gets the variables KREDO_URL, KREDO_BASE_URL (with /api/v2), KREDO_CONSUMER_KEY, KREDO_CONSUMER_SECRET and",
    "KREDO_ADMIN_TOKEN, which the control API requires; with HTTPS also KREDO_HTTPS_URL and KREDO_CA_FILE.",
    "Findings are printed on standard error. Exit code 3 if COMMAND cannot be started.",
  ].join(" "),
  usage: "[options] -- COMMAND...",
  arguments: ["<COMMAND...>"],
  flags: [
    ...OWN_FLAGS,
    ...SERVE_FLAGS.filter(({ name }) => !FOR_SERVE_ONLY.includes(name) && OWN_FLAGS.every((own) => own.name !== name)),
  ],
  examples: [
    "kredo exec -- npm test",
    "kredo exec --scenario bad-afternoon --fail-on defect --report report.html -- npm test",
  ],
  docs: "docs/exec.md",
  async run(args, terminal) {
    const [name = "", ...words] = args.words;
    const files = reportFiles(args.repeated.get("report") ?? []);
    await expectWritable(files);
    const options = readOptions(args, terminal);
    await using sandbox = await startSandboxWith(
      { settings: options.settings, scenarios: options.scenarios.map(({ scenario }) => scenario) },
      terminal,
    );
    const { seed } = sandbox.running.world.get("default").state;
    printLines(terminal.stderr, [`kredo: sandbox at ${sandbox.url}, seed ${seed}`]);
    const watch = watchAccounts(sandbox.running);
    const end = await runInForeground({
      words: [name, ...words],
      environment: { ...terminal.env, ...accessTo(sandbox) },
    });
    const code = codeOf(end, name);
    const reports = await watch.report();
    const severity = args.flags.get("fail-on");
    const verdict = {
      code,
      reports,
      wasCalled: watch.wasCalled(),
      severity,
      isMasked: options.settings.log.mask_phone_numbers,
    };
    return await conclude(verdict, files, terminal);
  },
};

function readOptions(args: ParsedArgs, terminal: Terminal): GoodOptions {
  const options = expectServeOptions(serveArgs(args), terminal);
  printWarnings(terminal, warnOfUnused(options.state, "exec"));
  const { https } = options.settings;
  if (https === undefined || args.flags.has("https-port")) return options;
  return { ...options, settings: { ...options.settings, https: { ...https, port: 0 } } };
}

/**
 * Uses any free port unless a flag sets one, because the port in a file or a variable may belong to a running sandbox or to the
 * application.
 */
function serveArgs({ flags, repeated }: ParsedArgs): ParsedArgs {
  return { words: [], flags: new Map([["port", "0"], ...flags]), repeated };
}

function accessTo({ url, secure, adminToken, running }: OwnSandbox): Record<string, string> {
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = running.world.get("default").state.settings;
  return {
    KREDO_URL: url,
    KREDO_BASE_URL: `${url}/api/v2`,
    KREDO_CONSUMER_KEY: consumerKey,
    KREDO_CONSUMER_SECRET: consumerSecret,
    KREDO_ADMIN_TOKEN: adminToken,
    ...(secure && { KREDO_HTTPS_URL: secure.listening.url }),
    ...(secure?.credentials.caFile !== undefined && { KREDO_CA_FILE: secure.credentials.caFile }),
  };
}

function codeOf(end: ForegroundEnd, name: string): number {
  if (end.kind === "ended") return end.code;
  throw new CliError(3, `${quote(name)} cannot be started (${end.reason}); write a command as a shell would find it`);
}

interface Verdict {
  /** The command's own exit code. */
  readonly code: number;
  readonly reports: readonly Report[];
  readonly wasCalled: boolean;
  /** The value of --fail-on. */
  readonly severity: string | undefined;
  readonly isMasked: boolean;
}

/** Prints the findings and writes the reports. The command's own failure takes precedence. */
async function conclude(
  { code, reports, wasCalled, severity, isMasked }: Verdict,
  files: readonly ReportFile[],
  { stderr }: Terminal,
): Promise<number> {
  printLines(stderr, [
    ...reports.flatMap(({ name, findings }) =>
      bySeverity(findings).map((finding) => `${findingEntry(finding, isMasked).text} [${name}]`),
    ),
    ...(wasCalled ? [] : [NEVER_CALLED]),
    `kredo: ${describeTally(tally(reports))}.`,
  ]);
  try {
    await writeReports(files, reports);
  } catch (error) {
    if (code === 0 || !(error instanceof CliError)) throw error;
    printLines(stderr, [error.message]);
  }
  return code === 0 ? failOn(severity, reports, { stderr }) : code;
}

const NEVER_CALLED = "kredo: the command never called the sandbox; let it use KREDO_BASE_URL, or the URL above.";
