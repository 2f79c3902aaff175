import { formatPath } from "../../gateway/document/problem.ts";
import { configSchema } from "../../config.ts";
import { ANOTHER_VALUE } from "../../calibration/known-forms.ts";
import { PROFILES } from "../../gateway/settings/profiles.ts";
import { type ComparedGuess, Calibrator, type Calibration, describeCount } from "../../calibration/calibration.ts";
import { type ReadFiles, readExchanges } from "../calibrate/read-files.ts";
import { redactedFile } from "../calibrate/redacted-file.ts";
import { type WrittenSettings, writeSettings } from "../calibrate/write-settings.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { formatTable } from "../terminal/output.ts";
import { INLINE_VARIABLE, SERVE_FLAGS, USUAL_NAMES } from "../config/serve-flags.ts";
import { expectServeOptions, type GoodOptions } from "../serve/serve-options.ts";
import { JSON_FLAG } from "../client/target.ts";
import { printLines, printWarnings, type Terminal } from "../terminal/terminal.ts";

export const command: Command = {
  name: "calibrate",
  about: [
    "Compare captured exchanges with the live gateway with what Kredo guesses about it. Reads HAR files, JSON lines of",
    "{request, status, headers, body, at}, bodies alone, and Kredo's exports; - is standard input. It redacts first and sends nothing.",
    "Exit code 0 if nothing differs, 1 if something does, 2 if a file cannot be read.",
  ].join(" "),
  arguments: ["<FILE...>"],
  flags: [
    ...SERVE_FLAGS.filter(({ name }) => name === "config" || name === "profile"),
    { name: "write", about: "set in the config file what was observed" },
    {
      name: "redacted",
      value: "FILE",
      about: "write the exchanges without secrets, as JSON lines, to attach to an issue",
    },
    JSON_FLAG,
  ],
  examples: [
    "kredo calibrate captured.har",
    "kredo calibrate gateway.jsonl --write",
    "kredo calibrate - --json < gateway.jsonl",
  ],
  docs: "calibrate",
  async run(args, terminal) {
    const options = await settingsOf(args, terminal);
    const config = args.flags.has("write") ? fileToWrite(args, options, terminal) : undefined;
    const calibrator = new Calibrator(options.settings);
    const read = await readAll(args, terminal, calibrator);
    const calibration = calibrator.compare(options.settings);
    const different = calibration.rows.filter(({ verdict }) => verdict === "differs");
    const written = config === undefined ? undefined : await writeSettings(config, different);
    const then = written === undefined ? suggest(calibrator, different) : describeWritten(written);
    const printed = args.flags.has("json")
      ? [JSON.stringify(toJson(read, calibration, written))]
      : [...describe(read, calibration, terminal), ...then];
    printLines(terminal.stdout, printed);
    const isContradictory = calibration.rows.some(({ verdict }) => verdict === "contradictory");
    return isContradictory || (written?.left ?? different).length > 0 ? 1 : 0;
  },
};

async function readAll(args: ParsedArgs, terminal: Terminal, calibrator: Calibrator): Promise<ReadFiles> {
  const redacted = await redactedFile(args.flags.get("redacted"), args.words);
  try {
    const read = await readExchanges(args.words, terminal, async (exchange) => {
      calibrator.add(exchange);
      await redacted?.add(exchange);
    });
    warnOfBroken(read, terminal);
    await redacted?.complete();
    return read;
  } catch (error) {
    await redacted?.discard();
    throw error;
  }
}

/** The settings of `serve`, without the flags that only calibrate has. */
function settingsOf({ flags }: ParsedArgs, terminal: Terminal): Promise<GoodOptions> {
  const own = [...flags].filter(([name]) => name === "config" || name === "profile");
  // PORT is the application's.
  const env = { ...terminal.env, PORT: undefined };
  return expectServeOptions({ words: [], flags: new Map(own), repeated: new Map() }, { ...terminal, env });
}

function fileToWrite({ flags }: ParsedArgs, { configFile }: GoodOptions, { env }: Terminal): string {
  const profile = flags.has("profile") ? "--profile" : env["KREDO_PROFILE"] ? "KREDO_PROFILE" : undefined;
  if (profile !== undefined)
    throw invalidInput("--write", {
      problem: `is not allowed together with ${profile}`,
      repair: "set profile in the config file",
    });
  if (configFile === INLINE_VARIABLE)
    throw invalidInput("--write", { problem: `cannot change ${INLINE_VARIABLE}`, repair: "name a file with --config" });
  return configFile ?? USUAL_NAMES[0] ?? "";
}

/** Throws a CliError if nothing was read. */
function warnOfBroken({ exchanges, others, broken, problems }: ReadFiles, terminal: Terminal): void {
  const more = broken - problems.length;
  const lines = [...problems, ...(more > 0 ? [`and ${more} more`] : [])];
  if (exchanges > 0) return printWarnings(terminal, lines);
  const why = others > 0 ? `, only ${counted(others, "other value")}` : broken === 0 ? ": no JSON object is in it" : "";
  const repair = "write a HAR, JSON lines or bodies, as `kredo docs calibrate` shows";
  throw new CliError(2, [...lines, `There is no exchange with the gateway${why}; ${repair}`].join("\n"));
}

function describe(read: ReadFiles, { rows, notSeen, unfittedPairs }: Calibration, terminal: Terminal): string[] {
  const table = rows.map(({ id, verdict, kredo, observed }) => [
    id,
    verdict,
    String(kredo),
    observed.map((one) => `${String(one.value)} (${describeCount(one)})`).join("; "),
  ]);
  const differences = rows.filter(({ verdict }) => verdict === "differs").length;
  const contradictory = rows.filter(({ verdict }) => verdict === "contradictory").length;
  return [
    ...formatTable(["GUESS", "VERDICT", "KREDO", "OBSERVED"], table, terminal),
    [
      `${counted(read.exchanges, "exchange")}: ${counted(differences, "difference")}`,
      ...(contradictory > 0 ? [`${contradictory} contradictory`] : []),
      `${counted(notSeen.length, "guess", "guesses")} not seen.`,
    ].join(", "),
    ...(read.others > 0 ? [`Left out, as no exchange with the gateway: ${counted(read.others, "value")}.`] : []),
    ...(unfittedPairs > 0
      ? [`latency: ${counted(unfittedPairs, "pair")} of an acknowledgment and its callback; a carrier needs 20.`]
      : []),
  ];
}

/** Names a profile of the gateway that agrees with everything, or how to set what differs. */
function suggest(calibrator: Calibrator, different: readonly ComparedGuess[]): string[] {
  const settable = different.filter(({ setting }) => setting !== undefined);
  const others = describeLeft(different.filter(({ setting }) => setting === undefined));
  if (settable.length === 0) return others;
  const agreeing = PROFILES.find((profile) =>
    calibrator.compare(configSchema.parse({ profile })).rows.every(({ verdict }) => verdict === "agrees"),
  );
  const profile = agreeing && `profile: ${agreeing} in the config agrees with everything that was seen; or `;
  return [`${profile ?? ""}add --write to set ${settable.length === 1 ? "it" : "each"} in the config file.`, ...others];
}

function describeWritten({ file, written, left }: WrittenSettings): string[] {
  const names = written.map(({ setting }) => formatPath(setting?.path ?? []));
  return [...(names.length > 0 ? [`${file}: set ${names.join(", ")}.`] : []), ...describeLeft(left)];
}

function describeLeft(left: readonly ComparedGuess[]): string[] {
  return left.map(({ id, guessed, observed }) =>
    observed.some(({ value }) => value === ANOTHER_VALUE)
      ? `${id}: the value was redacted, because its form is not known; set it by hand (${guessed}).`
      : `${id} has no setting that takes what was observed (${guessed}).`,
  );
}

function toJson(read: ReadFiles, { rows, notSeen }: Calibration, written: WrittenSettings | undefined): object {
  return {
    ...read,
    rows: rows.map(({ setting, ...row }) => ({
      ...row,
      ...(setting && { setting: formatPath(setting.path) }),
      ...(written && { written: written.written.some(({ id }) => id === row.id) }),
    })),
    not_seen: notSeen,
  };
}
