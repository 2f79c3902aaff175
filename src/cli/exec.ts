import { type ForegroundEnd, runInForeground } from "../adapters/foreground-command.ts";
import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import type { Finding, Severity } from "../findings/finding.ts";
import { byGravity, sayTally, SEVERITIES, tally } from "../rehearsal/report-words.ts";
import type { Report } from "../rehearsal/report.ts";
import { watchAccounts } from "./account-watch.ts";
import { Halt } from "./halt.ts";
import { findingEntry } from "./log-finding.ts";
import { type OwnSandbox, startSandboxWith } from "./own-sandbox.ts";
import { readSaid } from "./read-said.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "./report-files.ts";
import { SCENARIO_FLAG } from "./serve-flags.ts";
import { serveManual } from "./serve-manual.ts";
import { readServeOptions, type ServeOptions } from "./serve-options.ts";
import { warnOfUnused } from "./state-files.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Flag, Said, Wrapper } from "./verb.ts";

const USAGE = "exec [flags] -- COMMAND...";

const OWN_FLAGS: readonly Flag[] = [
  { name: "report", value: "FILE", about: "writes a report afterwards: .json, .xml (JUnit) or .html; may be given again" },
  {
    name: "fail-on",
    value: "SEVERITY",
    about: `exit code 1 where the command ended well, for findings as grave or graver: ${SEVERITIES.join(", ")}`,
  },
  { name: "port", value: "N", about: "the sandbox's port; a free one if not said" },
];

/** Nobody reads a log beside the command's own output, and it is over before a scenario file is edited. */
const FOR_SERVE_ALONE = ["log-format", "watch", "data", "import", "export-on-exit"];

export const exec: Wrapper = {
  usage: [USAGE],
  about: [
    "Runs COMMAND with a sandbox beside it, and ends with its exit code (128 and the signal's number where a signal ended it). Its",
    "environment has KREDO_URL, KREDO_BASE_URL (with /api/v2), KREDO_CONSUMER_KEY, KREDO_CONSUMER_SECRET and KREDO_ADMIN_TOKEN, which",
    "the control API asks for; with HTTPS also KREDO_HTTPS_URL and KREDO_CA_FILE. Findings are told on standard error. Exit code 3 where COMMAND cannot be started.",
  ].join("\n"),
  flags: [
    ...OWN_FLAGS,
    ...serveManual.flags.filter(({ name }) => !FOR_SERVE_ALONE.includes(name) && OWN_FLAGS.every((own) => own.name !== name)),
  ],
  wrap: runBesideSandbox,
};

async function runBesideSandbox(words: readonly string[], terminal: Terminal): Promise<number> {
  const { said, command } = readWords(words);
  const files = reportFiles(said.repeated.get("report") ?? []);
  await expectWritable(files);
  const grave = readFailOn(said);
  const options = readOptions(said, terminal);
  await using sandbox = await startSandboxWith(
    { settings: options.settings, scenarios: options.scenarios.map(({ scenario }) => scenario) },
    terminal,
  );
  const { seed } = sandbox.simulator.world.get("default").state;
  printLines(terminal.stderr, [`kredo: sandbox at ${sandbox.url}, seed ${seed}`]);
  const watch = watchAccounts(sandbox.simulator);
  const end = await runInForeground({ words: command, environment: { ...terminal.env, ...accessTo(sandbox) } });
  const code = codeOf(end, command[0]);
  const reports = await watch.report();
  const verdict = { code, reports, grave, isMasked: options.settings.maskPhoneNumbers };
  return await conclude(verdict, files, terminal);
}

/** Where the command begins is said by --, so that flags behind it are its own. */
function readWords(words: readonly string[]): { said: Said; command: [string, ...string[]] } {
  const end = words.indexOf("--");
  const said = readSaid(end === -1 ? words : words.slice(0, end), exec);
  const [stray] = said.words;
  if (stray !== undefined) throw new Halt(2, `${quote(stray)} stands before --; write kredo ${USAGE}`);
  const [name, ...rest] = end === -1 ? [] : words.slice(end + 1);
  if (name === undefined) throw new Halt(2, `COMMAND is missing; write kredo ${USAGE}`);
  return { said, command: [name, ...rest] };
}

function readFailOn({ flags }: Said): readonly Severity[] {
  const text = flags.get("fail-on");
  if (text === undefined) return [];
  const index = SEVERITIES.findIndex((severity) => severity === text);
  if (index !== -1) return SEVERITIES.slice(0, index + 1);
  throw new Halt(2, formatMistake("--fail-on", { problem: `${quote(text)} is no severity`, repair: `write ${SEVERITIES.join(", ")}` }));
}

type Usable = Extract<ServeOptions, { settings: unknown }>;

function readOptions(said: Said, { env, files, stderr }: Terminal): Usable {
  const options = readServeOptions(serveWords(said), env, files);
  printLines(
    stderr,
    options.warnings.map((warning) => `warning: ${warning}`),
  );
  if ("problems" in options) throw new Halt(2, options.problems.join("\n"));
  printLines(
    stderr,
    warnOfUnused(options.state, "exec").map((warning) => `warning: ${warning}`),
  );
  const { https } = options.settings;
  if (https === undefined || said.flags.has("https-port")) return options;
  return { ...options, settings: { ...options.settings, https: { ...https, port: 0 } } };
}

/** The port is free unless a flag says which: that of a file or a variable may be taken by a sandbox that runs, or by the application. */
function serveWords({ flags, repeated }: Said): string[] {
  const other = [...flags].filter(([name]) => !["report", "fail-on", SCENARIO_FLAG].includes(name));
  return [
    "--port=0",
    ...other.map(([name, text]) => (text === "" ? `--${name}` : `--${name}=${text}`)),
    ...(repeated.get(SCENARIO_FLAG) ?? []).map((reference) => `--${SCENARIO_FLAG}=${reference}`),
  ];
}

function accessTo({ url, secure, adminToken, simulator }: OwnSandbox): Record<string, string> {
  const { consumerKey, consumerSecret } = simulator.world.get("default").state.settings;
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
  throw new Halt(3, `${quote(name)} cannot be started (${end.reason}); write a command as a shell would find it`);
}

interface Verdict {
  /** The command's own exit code. */
  readonly code: number;
  readonly reports: readonly Report[];
  /** Severities that are failures. */
  readonly grave: readonly Severity[];
  readonly isMasked: boolean;
}

/** Tells what was noticed and writes it down; the command's own failure comes before any other. */
async function conclude({ code, reports, grave, isMasked }: Verdict, files: readonly ReportFile[], { stderr }: Terminal): Promise<number> {
  printLines(stderr, [
    ...reports.flatMap(({ name, findings }) => byGravity(findings).map((finding) => sayFinding(finding, name, isMasked))),
    `kredo: ${sayTally(tally(reports))}.`,
  ]);
  try {
    await writeReports(files, reports);
  } catch (error) {
    if (code === 0 || !(error instanceof Halt)) throw error;
    printLines(stderr, [error.message]);
  }
  const isFailed = reports.some(({ findings }) => findings.some(({ severity }) => grave.includes(severity)));
  if (code !== 0 || !isFailed) return code;
  printLines(stderr, [`kredo: exit code 1, because of findings that --fail-on ${grave.at(-1) ?? ""} counts.`]);
  return 1;
}

function sayFinding(finding: Finding, name: string, isMasked: boolean): string {
  return `${findingEntry(finding, isMasked).text} [${name}]`;
}
