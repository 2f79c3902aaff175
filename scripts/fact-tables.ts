import { isShown } from "../src/calibration/calibration.ts";
import type { Guess } from "../src/calibration/guess.ts";
import { GUESSES } from "../src/calibration/guesses.ts";
import type { InLogs } from "../src/calibration/in-logs.ts";
import { code } from "./markdown.ts";
import { withTable } from "./page-tables.ts";

/** Fills the tables of facts in the page about the gateway: those that logs answer, and all of which the other tables do not say enough. */
export function withFacts(page: string): string {
  const asked = GUESSES.flatMap((guess) =>
    isShown(guess) && guess.inLogs ? [questionRow(guess.id, guess.inLogs)] : [],
  );
  const inTables = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .join("\n");
  const all = GUESSES.filter((guess) => hasSource(guess) || !isMarked(guess, inTables)).map(factRow);
  return withTable(
    withTable(page, ["fact", "look for", "line for `calibrate`"], asked),
    ["fact", "in words", "certainty"],
    all,
  );
}

function questionRow(id: string, { lookFor, sample }: InLogs): string[] {
  return [code(id), lookFor, code(JSON.stringify(sample))];
}

function factRow(guess: Guess): string[] {
  return [code(guess.id), guess.guessed, certaintyOf(guess)];
}

function hasSource({ source }: Guess): boolean {
  return source !== undefined && source !== "public pages and SDKs";
}

function isMarked({ id }: Guess, text: string): boolean {
  return [...text.matchAll(/<!--([a-z0-9 -]+)-->/g)].some(([, ids = ""]) => ids.split(" ").includes(id));
}

/** How sure a fact is, and where it is from: the page says once what most of those that are known are from. */
function certaintyOf({ certainty, source, date }: Guess): string {
  const from = `${source === undefined ? "" : `: ${source}`}${date === undefined ? "" : `, ${date}`}`;
  return `${certainty ?? "guess"}${from}`.replace(`known: ${USUAL_SOURCE}`, "known");
}

const USUAL_SOURCE = "public pages and SDKs, 2026-11-24";
