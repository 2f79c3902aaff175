import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { ControlAnswer } from "../../control/client/control-client.ts";
import { formatKes } from "../../gateway/domain/kes.ts";
import { formatDuration, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { journalDocument } from "../../control/journal.ts";
import type { Advance, TestedAccount } from "../../verdict/trial/environment.ts";
import { VERSION } from "../../version.ts";
import { CliError } from "../terminal/cli-error.ts";
import { askControl, type Client, callControl, explainOtherServer, expectSuccess } from "../client/client.ts";
import { listAt, numberAt, textAt } from "../terminal/json-view.ts";
import { printable } from "../terminal/output.ts";

/** The wall-time limit of one advance, long enough for a scenario's slowest receiver. */
const ADVANCE_WITHIN: Millis = 60 * SECOND;

/** Long, because a journal may be large. */
const TRANSFER_LIMIT: Millis = 120 * SECOND;

/** Accesses a sandbox's account through its control API. Refusals are thrown as a CliError. */
export function testedAccount(client: Client): TestedAccount {
  let last: ReadJournal | undefined;
  return {
    async journal() {
      last = await readJournal(client, last);
      return last.slice;
    },
    begin: (events) => beginWith(client, events),
    advance: (by) => advanceClock(client, by),
    drain: async (within) => (await askWithin(client, "drain", {}, within)).status === 200,
    topUp: async (amount) => {
      await callControl(client, { method: "POST", path: "wallet/top-ups", body: { amount: formatKes(amount) } });
    },
    untilRequested: async (phoneNumber, within, requests) => {
      const match = { phone_number: phoneNumber };
      await askWithin(client, "requests/verify", { match, count: { gte: requests } }, within);
    },
  };
}

interface ReadJournal {
  readonly text: string;
  readonly slice: JournalSlice;
}

/** Whoever waits reads the same journal many times, and checking its events takes far longer than getting it. */
async function readJournal(client: Client, last: ReadJournal | undefined): Promise<ReadJournal> {
  const answer = await callControl(client, { method: "GET", path: "export?wall_time=keep", limit: TRANSFER_LIMIT });
  if (answer.text === last?.text) return last;
  const { success, data } = journalDocument.safeParse(answer.json);
  if (success) return { text: answer.text, slice: { first: data.number, events: data.events } };
  const { url } = client.target;
  const version = textAt(answer.json, "kredo");
  if (version === undefined) throw new CliError(3, explainOtherServer(url, answer));
  const problem = `The sandbox at ${url} is Kredo ${printable(version)}, and its journal cannot be read by ${VERSION}`;
  throw new CliError(3, `${problem}: run the same version on both sides.`);
}

async function beginWith(client: Client, events: readonly AccountEvent[]): Promise<void> {
  const body = { kredo: VERSION, consumer_key: keyIn(events), number: 1, events };
  await callControl(client, { method: "PUT", path: "import", body, limit: TRANSFER_LIMIT });
}

/** A journal begins with its account's settings. The target may only call the account "default". */
function keyIn([beginning]: readonly AccountEvent[]): string {
  if (beginning?.kind === "opened") return beginning.settings.consumer_key;
  return beginning?.kind === "snapshot" ? beginning.state.settings.consumer_key : "";
}

async function advanceClock(client: Client, by: Millis | "next"): Promise<Advance> {
  const before = await readClock(client);
  const goal = by === "next" ? { to: before.farthest } : { by: formatDuration(by) };
  const { status, json } = await askWithin(client, "clock/advance", goal, ADVANCE_WITHIN);
  const pending = numberAt(json, "pending", "total") ?? 0;
  const hasMoved =
    (numberAt(json, "fired_total") ?? 0) > 0 || textAt(json, "now") !== before.now || pending !== before.pending;
  return { pending, isComplete: status === 200, hasMoved };
}

/** Reads the clock, and the time of the last task that the sandbox lists, because one call per task would take long. */
async function readClock(client: Client): Promise<{ now: string; farthest: string; pending: number }> {
  const { json } = await callControl(client, { method: "GET", path: "clock" });
  const now = textAt(json, "now") ?? "";
  const at = textAt(listAt(json, "pending", "next").at(-1), "at") ?? "";
  return { now, farthest: at > now ? at : "next", pending: numberAt(json, "pending", "total") ?? 0 };
}

/** A timeout of the sandbox is a valid result, so the sandbox must be the first to give up. */
async function askWithin(client: Client, path: string, wanted: object, within: Millis): Promise<ControlAnswer> {
  const body = { ...wanted, within: formatDuration(within) };
  const answer = await askControl(client, { method: "POST", path, body, limit: within + 10 * SECOND });
  if (answer.status !== 406 && answer.status !== 408) expectSuccess(client, answer);
  return answer;
}
