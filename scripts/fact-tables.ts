import { isShown, kredoValue } from "../src/calibration/calibration.ts";
import type { Guess } from "../src/calibration/guess.ts";
import { GUESSES } from "../src/calibration/guesses.ts";
import type { InLogs } from "../src/calibration/in-logs.ts";
import { configSchema } from "../src/config.ts";
import { code } from "./markdown.ts";
import { profileDefaults, withTable } from "./page-tables.ts";

const DEFAULTS = configSchema.parse({});

/** Fills the tables of facts in the page about the gateway: those that logs answer, and all. */
export function withFacts(page: string): string {
  const asked = GUESSES.flatMap((guess) =>
    isShown(guess) && guess.inLogs ? [questionRow(guess.id, guess.inLogs)] : [],
  );
  const all = GUESSES.map(factRow);
  return withTable(
    withTable(page, ["fact", "look for", "line for `calibrate`"], asked),
    ["fact", "in words", "certainty", "Kredo's value", "setting"],
    all,
  );
}

function questionRow(id: string, { lookFor, sample }: InLogs): string[] {
  return [code(id), lookFor, code(JSON.stringify(sample))];
}

function factRow(guess: Guess): string[] {
  const { id, guessed, setting } = guess;
  return [code(id), guessed, certaintyOf(guess), valueOf(guess), setting === undefined ? "" : code(setting)];
}

/** How sure a fact is, and where it is from: the page says once what most of those that are known are from. */
function certaintyOf({ certainty, source, date }: Guess): string {
  const from = `${source === undefined ? "" : `: ${source}`}${date === undefined ? "" : `, ${date}`}`;
  return `${certainty ?? "guess"}${from}`.replace(`known: ${USUAL_SOURCE}`, "known");
}

const USUAL_SOURCE = "public pages and SDKs, 2026-11-24";

/** The value in each profile. */
function valueOf(guess: Guess): string {
  const byProfile = guess.setting && profileDefaults(guess.setting);
  if (byProfile) return byProfile;
  if (guess.kredo === undefined && guess.setting === undefined) return "";
  return String(kredoValue(guess, DEFAULTS));
}
