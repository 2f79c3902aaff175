import { quote } from "../../document/describe-value.ts";
import { formatDuration, parseInstant, SECOND } from "../../domain/time.ts";
import type { ControlAnswer } from "../../control-client/control-client.ts";
import { askControl, clientFor, expectSuccess, report } from "../client.ts";
import { durationFlag, readDuration } from "../flag-values.ts";
import { CliError, invalidInput } from "../cli-error.ts";
import { listAt, numberAt, textAt, valueAt } from "../json-view.ts";
import { CONTROL_FLAGS } from "../target.ts";
import { printLines, type Terminal } from "../terminal.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { count, paint, printable } from "../output.ts";

const WITHIN = 30 * SECOND;

export const advance: Command = {
  name: "advance",
  about: "Move the account's manual clock, send every callback that becomes due, and print how each one was answered.",
  arguments: ["[DURATION]"],
  flags: [
    {
      name: "to",
      value: "next|TIME",
      about: "move to the next event that is due, or to a time like 2025-01-06T09:00:00+03:00",
    },
    { name: "within", value: "DURATION", about: `stop after this much real time (default: ${formatDuration(WITHIN)})` },
    ...CONTROL_FLAGS,
  ],
  examples: ["kredo advance 10m", "kredo advance --to next"],
  docs: "docs/quick-start.md",
  async run(args, terminal) {
    const target = readTarget(args);
    const within = durationFlag(args, "within", WITHIN);
    const client = await clientFor(args, terminal);
    const body = { ...target, within: formatDuration(within) };
    // The sandbox knows how far it got, so its own time limit must expire first.
    const answer = await askControl(client, {
      method: "POST",
      path: "clock/advance",
      body,
      limit: within + 10 * SECOND,
    });
    const fired = listAt(answer.json, "fired").map((attempt) => describeAttempt(attempt, terminal));
    if (!client.isRaw) printLines(terminal.stdout, [...fired, ...listAt(answer.json, "silent").map(describeSilent)]);
    expectSuccess(client, answer);
    report(client, answer, [summarize(answer)]);
    return 0;
  },
};

function readTarget({ words, flags }: ParsedArgs): { by: string } | { to: string } {
  const to = flags.get("to");
  const [by] = words;
  if (by !== undefined && to === undefined) return { by: formatDuration(readDuration(by, "DURATION")) };
  if (to === undefined || by !== undefined)
    throw new CliError(2, "kredo advance: write either a DURATION, such as 10m, or --to next");
  if (to === "next" || parseInstant(to) !== undefined) return { to };
  throw invalidInput("--to", {
    problem: `${quote(to)} is not a time`,
    repair: "write next, or a time with its zone, like 2025-01-06T09:00:00Z",
  });
}

function describeAttempt(attempt: unknown, terminal: Terminal): string {
  const parts = [textAt(attempt, "at"), textAt(attempt, "operation"), textAt(attempt, "request_id")].map((text) =>
    printable(text ?? "?"),
  );
  const explanation = printable(
    textAt(attempt, "explanation") ?? `answered ${numberAt(attempt, "answered") ?? "nothing"}`,
  );
  return [...parts, paint(explanation, valueAt(attempt, "acknowledged") === true ? "green" : "red", terminal)].join(
    "  ",
  );
}

/** Describes a transaction that settled without a callback, and why. */
function describeSilent(settled: unknown): string {
  const why = printable(textAt(settled, "why") ?? "?");
  const repair = why.startsWith("no callback URL")
    ? "; register one with kredo callbacks URL, or run kredo listen"
    : "";
  return `${printable(textAt(settled, "request_id") ?? "?")}  settled without a callback: ${why}${repair}`;
}

function summarize({ json }: ControlAnswer): string {
  const fired = listAt(json, "fired").length;
  const next = textAt(json, "pending", "next", 0, "at");
  const pending = numberAt(json, "pending", "total") ?? 0;
  const rest =
    pending === 0 ? "nothing is pending" : `${pending} pending${next === undefined ? "" : `, the next at ${next}`}`;
  return `Now ${textAt(json, "now") ?? "?"}: ${count(fired, "callback")} sent, ${rest}.`;
}
