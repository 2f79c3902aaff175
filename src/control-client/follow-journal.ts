import { EventSourceParserStream } from "eventsource-parser/stream";
import type { AccountEvent } from "../account/events.ts";
import { type ControlClient, ControlError, readJson } from "./control-client.ts";
import type { ExplorationProgress, Finding } from "./shapes.ts";

/** Where a reader has got to: the last event's number in the journal of one run. */
export interface Place {
  readonly journal: string;
  readonly number: number;
}

export interface NumberedEvent {
  readonly number: number;
  readonly event: AccountEvent;
}

export interface JournalReader {
  readonly signal: AbortSignal;
  /** The connection stands. `isNew` when it reads from the beginning: what was read before is void. */
  readonly opened: (isNew: boolean) => void;
  readonly took: (event: NumberedEvent, place: Place) => void;
  /** Comes just before the event that showed it. */
  readonly noticed: (finding: Finding) => void;
  /** How far the account's latest exploration has come: at the beginning, where there is one, and as it goes on. */
  readonly explored?: (progress: ExplorationProgress) => void;
  /** Accounts may have been opened or dropped; only the journal of no account tells. */
  readonly accountsChanged?: () => void;
}

/**
 * Reads an account's journal from a place on, until the connection ends; rejects when it breaks or the signal aborts, and with a
 * `ControlError` when the sandbox lets nobody in: 401 without its token, 404 for an account that is gone.
 * The server says by `x-kredo-journal` whose numbers they are: those of another run are read from the beginning.
 */
export async function followJournal(client: ControlClient, from: Place | undefined, reader: JournalReader): Promise<void> {
  const answer = await open(client, from, reader.signal);
  const journal = answer.headers.get("x-kredo-journal") ?? "";
  if (from !== undefined && from.journal !== journal) {
    await answer.body?.cancel();
    return followJournal(client, undefined, reader);
  }
  reader.opened(from === undefined);
  if (answer.body === null) return;
  const frames = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const { noticed, explored, accountsChanged } = reader;
  const unnumbered = new Map(Object.entries({ finding: noticed, exploration: explored, accounts: accountsChanged }));
  for await (const { id, event = "", data } of frames) {
    if (id === undefined) unnumbered.get(event)?.(JSON.parse(data));
    else reader.took({ number: Number(id), event: JSON.parse(data) }, { journal, number: Number(id) });
  }
}

async function open(client: ControlClient, from: Place | undefined, signal: AbortSignal): Promise<Response> {
  const headers = from === undefined ? {} : { "last-event-id": String(from.number) };
  const answer = await client.open("events?after=0", { headers, signal });
  if (!answer.ok) throw new ControlError(answer.status, readJson(await answer.text()));
  return answer;
}
