import type { ControlAnswer } from "../../control/client/control-client.ts";
import { quoteText } from "../../gateway/document/describe-value.ts";
import { formatDuration, type Millis, parseInstant, SECOND } from "../../gateway/domain/time.ts";
import { CliError, invalidInput } from "../terminal/cli-error.ts";
import { askControl, clientFor, expectSuccess, printAnswer } from "../client/client.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { readDuration } from "../terminal/flag-values.ts";
import { listAt, numberAt, textAt, valueAt } from "../terminal/json-view.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { formatTable, paint, printable } from "../terminal/output.ts";
import { CONTROL_FLAGS } from "../client/target.ts";
import { printLines } from "../terminal/terminal.ts";

const WITHIN = 30 * SECOND;

export const command: Command = {
  name: "advance",
  about: [
    "Move the account's manual clock, send every callback that becomes due, and print how each one was answered.",
    `It stops after ${formatDuration(WITHIN)} of real time.`,
  ].join(" "),
  arguments: ["[DURATION]"],
  flags: [
    {
      name: "to",
      value: "next|TIME",
      about: "move to the next event that is due, or to a time like 2025-01-06T09:00:00+03:00",
    },
    ...CONTROL_FLAGS,
  ],
  examples: ["kredo advance 10m", "kredo advance --to next"],
  async run(args, terminal) {
    const body = { ...readGoal(args), within: formatDuration(WITHIN) };
    const client = await clientFor(args, terminal);
    // The sandbox knows how far it got, so its own time limit must expire first.
    const answer = await askControl(client, {
      method: "POST",
      path: "clock/advance",
      body,
      limit: WITHIN + 10 * SECOND,
    });
    const fired = listAt(answer.json, "fired");
    const headings = ["TIME", "OPERATION", "REQUEST_ID", "ANSWER"];
    const table = formatTable(headings, fired.map(cellsOf), terminal, (text, row) =>
      paint(text, valueAt(fired[row], "acknowledged") === true ? "green" : "red", terminal),
    );
    if (!client.isRaw) printLines(terminal.stdout, [...table, ...describeSilent(answer)]);
    expectSuccess(client, answer);
    printAnswer(client, answer, [summarize(answer)]);
    return 0;
  },
};

function readGoal({ words: [by], flags }: ParsedArgs): { by: string } | { to: string } {
  const to = flags.get("to");
  if (by !== undefined && to === undefined) return { by: formatDuration(readBy(by)) };
  if (to === undefined || by !== undefined)
    throw new CliError(2, "kredo advance: write either a DURATION, such as 10m, or --to next");
  if (to === "next" || parseInstant(to) !== undefined) return { to };
  throw invalidInput("--to", {
    problem: `${quoteText(to)} is not a time`,
    repair: "write next, or a time with its zone, like 2025-01-06T09:00:00Z",
  });
}

function readBy(text: string): Millis {
  if (text !== "next" && parseInstant(text) === undefined) return readDuration(text, "DURATION");
  throw invalidInput("DURATION", { problem: `${quoteText(text)} is not a duration`, repair: `write --to ${text}` });
}

function cellsOf(attempt: unknown): string[] {
  const parts = ["at", "operation", "request_id"].map((field) => textAt(attempt, field) ?? "?");
  return [...parts, textAt(attempt, "explanation") ?? `answered ${numberAt(attempt, "answered") ?? "nothing"}`];
}

/** Describes the transactions that settled without a callback, and why. */
function describeSilent({ json }: ControlAnswer): string[] {
  const shown = listAt(json, "silent");
  const more = (numberAt(json, "silent_total") ?? 0) - shown.length;
  const lines = shown.map(describeSettled);
  return more > 0 ? [...lines, `${more} more settled without a callback`] : lines;
}

function describeSettled(settled: unknown): string {
  const why = printable(textAt(settled, "why") ?? "?");
  const repair = "; register one with kredo callbacks URL, or run kredo listen";
  const requestId = printable(textAt(settled, "request_id") ?? "?");
  return `${requestId}  settled without a callback: ${why}${why.startsWith("no callback URL") ? repair : ""}`;
}

function summarize({ json }: ControlAnswer): string {
  const next = textAt(json, "pending", "next", 0, "at");
  const pending = numberAt(json, "pending", "total") ?? 0;
  const rest =
    pending === 0 ? "nothing is pending" : `${pending} pending${next === undefined ? "" : `, the next at ${next}`}`;
  const [sent, shown] = [numberAt(json, "fired_total") ?? 0, listAt(json, "fired").length];
  const cut = sent > shown ? ` (the first ${shown.toLocaleString("en")} above; kredo logs shows all)` : "";
  return `Now ${textAt(json, "now") ?? "?"}: ${counted(sent, "callback")} sent${cut}, ${rest}.`;
}
