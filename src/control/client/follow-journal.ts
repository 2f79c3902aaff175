import { EventSourceParserStream } from "eventsource-parser/stream";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { ControlError, type Opener, type Parsed, parseJsonOrUndefined } from "./control-client.ts";

/** A position in the journal of one run: the number of the last event read. */
export interface JournalPosition {
  readonly journal: string;
  readonly number: number;
}

export interface NumberedEvent {
  readonly number: number;
  readonly event: AccountEvent;
}

export interface JournalReader {
  readonly signal: AbortSignal;
  /** Called when the connection is open. `isNew` means that reading starts over and everything read before is void. */
  readonly opened: (isNew: boolean) => void;
  readonly took: (event: NumberedEvent, place: JournalPosition) => void;
  /**
   * By name, called with the content of frames that are not of the journal: `finding` just before the event that led to it; `exploration`
   * with the progress of the account's latest one, on connecting and at each step; `accounts`, in streams that follow no single account,
   * when one may have been opened or dropped.
   */
  readonly alongside: Readonly<Record<string, (content: Parsed) => void>>;
}

/**
 * Reads an account's journal from a position until the connection ends. Rejects when the connection breaks or the signal aborts, and with a
 * `ControlError` if the sandbox refuses: 401 without its token, 404 for an account that no longer exists. The `x-kredo-journal` header
 * identifies the run. If it is a different run, reading starts from the beginning.
 */
export async function followJournal(
  client: Opener,
  from: JournalPosition | undefined,
  reader: JournalReader,
): Promise<void> {
  const answer = await open(client, from, reader.signal);
  const journal = answer.headers.get("x-kredo-journal") ?? "";
  if (from !== undefined && from.journal !== journal) {
    await answer.body?.cancel();
    return followJournal(client, undefined, reader);
  }
  reader.opened(from === undefined);
  if (answer.body === null) return;
  const frames = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, event = "", data } of frames) {
    if (id === undefined) reader.alongside[event]?.(JSON.parse(data));
    else reader.took({ number: Number(id), event: JSON.parse(data) }, { journal, number: Number(id) });
  }
}

async function open(client: Opener, from: JournalPosition | undefined, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = from === undefined ? {} : { "last-event-id": String(from.number) };
  const answer = await client.open("events?after=0", { headers, signal });
  if (!answer.ok) throw new ControlError(answer.status, parseJsonOrUndefined(await answer.text()));
  return answer;
}
