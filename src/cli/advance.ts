import { quote } from "../document/describe-value.ts";
import { formatMistake } from "../document/problem.ts";
import { formatDuration, parseInstant, SECOND } from "../domain/time.ts";
import { askControl, clientFor, type JsonAnswer, refuseUnlessWell, report } from "./client.ts";
import { durationFlag, readDuration } from "./flag-values.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { listAt, numberAt, textAt, valueAt } from "./json-view.ts";
import { expectWords } from "./read-said.ts";
import { CONTROL_FLAGS } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { count, paint, printable } from "./wording.ts";

const WITHIN = 30 * SECOND;

export const advance: Verb = {
  usage: ["advance DURATION [flags]", "advance --to next|TIME [flags]"],
  about: "Moves the account's manual clock on, delivers every callback that falls due on the way, and prints how each was answered.",
  flags: [
    { name: "to", value: "next|TIME", about: "to the next thing that is due, or to a time like 2025-01-06T09:00:00+03:00" },
    { name: "within", value: "DURATION", about: `how long it may take by the wall clock; ${formatDuration(WITHIN)} if not said` },
    ...CONTROL_FLAGS,
  ],
  run: moveClock,
};

async function moveClock(said: Said, terminal: Terminal): Promise<ExitCode> {
  const target = readTarget(said);
  const within = durationFlag(said, "within", WITHIN);
  const client = await clientFor(said, terminal);
  const body = { ...target, within: formatDuration(within) };
  // The sandbox knows how far it got, so it must be the first to give up.
  const answer = await askControl(client, { method: "POST", path: "/clock/advance", body, limit: within + 10 * SECOND });
  if (!client.isRaw)
    printLines(
      terminal.stdout,
      listAt(answer.json, "fired").map((attempt) => describeAttempt(attempt, terminal)),
    );
  refuseUnlessWell(client, answer);
  report(client, answer, [summarize(answer)]);
  return 0;
}

function readTarget({ words, flags }: Said): { by: string } | { to: string } {
  const to = flags.get("to");
  if (to === undefined) {
    const [by] = expectWords(words, ["DURATION"], "advance DURATION");
    return { by: formatDuration(readDuration(by, "DURATION")) };
  }
  expectWords(words, [], "advance --to next");
  if (to === "next" || parseInstant(to) !== undefined) return { to };
  throw new Halt(
    2,
    formatMistake("--to", {
      problem: `${quote(to)} is not a time`,
      repair: "write next, or a time with its zone, like 2025-01-06T09:00:00Z",
    }),
  );
}

function describeAttempt(attempt: unknown, terminal: Terminal): string {
  const parts = [textAt(attempt, "at"), textAt(attempt, "operation"), textAt(attempt, "request_id")].map((text) => printable(text ?? "?"));
  const explanation = printable(textAt(attempt, "explanation") ?? `answered ${numberAt(attempt, "answered") ?? "nothing"}`);
  return [...parts, paint(explanation, valueAt(attempt, "acknowledged") === true, terminal)].join("  ");
}

function summarize({ json }: JsonAnswer): string {
  const fired = listAt(json, "fired").length;
  const next = textAt(json, "pending", "next", 0, "at");
  const pending = numberAt(json, "pending", "total") ?? 0;
  const rest = pending === 0 ? "nothing is pending" : `${pending} pending${next === undefined ? "" : `, the next at ${next}`}`;
  return `Now ${textAt(json, "now") ?? "?"}: ${count(fired, "callback")} sent, ${rest}.`;
}
