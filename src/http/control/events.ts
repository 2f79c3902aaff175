import * as z from "zod";
import type { AccountEvent } from "../../account/events.ts";
import { numbered } from "../../account/readings/kept-events.ts";
import { SECOND } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import type { World } from "../../engine/world.ts";
import { HttpProblem } from "../problem.ts";
import { type AccountCall, accountEndpoint } from "./account-endpoint.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { wholeNumber } from "./values.ts";

/** Proxies and browsers give up on a silent stream after half a minute or more. */
const HEARTBEAT = 15 * SECOND;

/** Events that are written at once; the journal holds the rest until the reader has taken these. */
const AT_ONCE = 256;

const query = z.strictObject({
  after: wholeNumber
    .describe("Where to begin, for a first connection: later events only; 0 for all that is kept. Default: new events.")
    .exactOptional(),
});

export function eventEndpoints(world: World, stopping: AbortSignal): Endpoint[] {
  return [
    accountEndpoint(
      world,
      {
        method: "get",
        path: "/accounts/{account}/events",
        summary: "Follow the journal as server-sent events: id is the event's number, event its kind. Last-Event-ID resumes",
        query,
        body: NOTHING,
        answers: {
          200: { description: "A stream; a snapshot comes first where the events asked for were evicted", mediaType: "text/event-stream" },
        },
      },
      (call) => streamEvents(call, { world, stopping }),
    ),
  ];
}

type EventsCall = AccountCall<z.output<typeof query>, unknown>;

function streamEvents(call: EventsCall, { world, stopping }: { world: World; stopping: AbortSignal }): Response {
  const after = beginning(call);
  const isGone = (): boolean => world.find(call.account.consumerKey) !== call.account;
  const reader = new EventReader(call.account, after, { isGone, signals: [stopping, call.request.signal] });
  const stream = new ReadableStream<Uint8Array>({
    start: (to) => reader.start(to),
    pull: () => reader.pull(),
    cancel: () => reader.stop(),
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" } });
}

/** A number beyond the last event's was given by an earlier run of the sandbox: its listener has seen nothing of this journal. */
function beginning({ account, request, query: { after } }: EventsCall): number {
  const last = request.headers.get("last-event-id");
  if (last === null || last === "") return Math.min(after ?? account.version, account.version);
  if (/^\d{1,15}$/.test(last)) return Number(last) > account.version ? 0 : Number(last);
  throw new HttpProblem(422, [`Last-Event-ID: ${JSON.stringify(last)} is not an event's number`, "send the last id that came, or none"]);
}

interface Endings {
  /** Whether the account was dropped. */
  readonly isGone: () => boolean;
  readonly signals: readonly AbortSignal[];
}

/**
 * Reads a journal for one listener, no faster than the listener takes it: nothing but one batch waits in memory, and one
 * who takes nothing from one heartbeat to the next while there is something to take is dropped, to come back later.
 */
class EventReader {
  readonly #account: Account;
  readonly #endings: Endings;
  readonly #encoder = new TextEncoder();
  #seen: number;
  #to: ReadableStreamDefaultController<Uint8Array> | undefined;
  #hasTaken = true;
  /** Lets a `pull` that found nothing go on. */
  #wake: () => void = nothing;
  #stopObserving: () => void = nothing;
  #stopBeating: () => void = nothing;

  constructor(account: Account, after: number, endings: Endings) {
    this.#account = account;
    this.#seen = after;
    this.#endings = endings;
  }

  start(to: ReadableStreamDefaultController<Uint8Array>): void {
    this.#to = to;
    const { signals } = this.#endings;
    if (signals.some(({ aborted }) => aborted)) return this.#end();
    for (const signal of signals) signal.addEventListener("abort", this.#end);
    this.#stopObserving = this.#account.observe(() => this.#wake());
    this.#beat();
    this.#write(": ready\n\n");
  }

  async pull(): Promise<void> {
    this.#hasTaken = true;
    while (this.#to !== undefined && this.#account.version <= this.#seen) await this.#somethingNew();
    if (this.#to === undefined) return;
    const kept = await this.#account.read(this.#seen);
    const batch = numbered(kept).slice(0, AT_ONCE);
    this.#seen = batch.at(-1)?.number ?? this.#seen;
    this.#write(batch.map(({ number, event }) => frame(number, event)).join(""));
  }

  /** Keeps nothing of a listener that has left. */
  stop(): void {
    this.#to = undefined;
    for (const signal of this.#endings.signals) signal.removeEventListener("abort", this.#end);
    this.#stopObserving();
    this.#stopBeating();
    this.#wake();
  }

  readonly #end = (): void => {
    const to = this.#to;
    this.stop();
    to?.close();
  };

  #somethingNew(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #beat(): void {
    const timer = this.#account.wall.after(HEARTBEAT, () => {
      if (this.#endings.isGone() || (!this.#hasTaken && this.#account.version > this.#seen)) return this.#end();
      this.#hasTaken = (this.#to?.desiredSize ?? 0) > 0;
      if (this.#hasTaken) this.#write(": still here\n\n");
      this.#beat();
    });
    this.#stopBeating = () => timer.cancel();
  }

  #write(text: string): void {
    if (text !== "") this.#to?.enqueue(this.#encoder.encode(text));
  }
}

function frame(number: number, event: AccountEvent): string {
  return `id: ${number}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
}

function nothing(): void {}
