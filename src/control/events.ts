import { Hono } from "hono";
import * as z from "zod";
import { type Numbered, numbered } from "../gateway/account/readings/journal-slice.ts";
import { SECOND } from "../gateway/domain/time.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { SANDBOX_JOURNAL } from "../gateway/engine/world.ts";
import type { EventStreamAddition, StreamNotice } from "./event-stream-addition.ts";
import { HttpProblem } from "./problem.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv, ControlEnv, ControlServices } from "./env.ts";
import { validQuery } from "./validate.ts";
import { wholeNumber } from "./values.ts";

/** Proxies and browsers give up on a silent stream after half a minute or more. */
const HEARTBEAT = 15 * SECOND;

/** The most events written at once. The rest stays in the journal until the reader has consumed these. */
const AT_ONCE = 256;

/** The most characters written at once, unless a single event is longer. Limits the memory used by a reader that consumes nothing. */
const MAX_UNSENT = 1_048_576;

const query = z.strictObject({
  after: wholeNumber
    .describe(
      "Where a first connection starts: only events after this number; 0 for everything stored. Default: only new events.",
    )
    .exactOptional(),
});

export const eventCalls = new Hono<ControlEnv>().get(
  "/events",
  describeRoute(
    "Follow the requests that belong to no account, because their consumer key is unknown, like an account's journal. Frames without an id: accounts, with their number, whenever one is opened or dropped",
    undefined,
    { mediaTypes: ["text/event-stream"] },
  ),
  validQuery(query),
  (c) => {
    const { services } = c.var;
    const streamed = { account: services.world.sandbox, notice: noticeOfAccounts(services) };
    return streamEvents(c.req.raw, c.req.valid("query"), streamed, services);
  },
);

export const accountEventCalls = new Hono<AccountEnv>().get(
  "/events",
  describeRoute(
    "Follow the journal as server-sent events: id is the event's number, event its kind. It starts with a snapshot if the requested events were evicted. Frames without an id: finding, just before the event that led to it; and exploration, the progress of the latest one. Last-Event-ID resumes",
    undefined,
    { mediaTypes: ["text/event-stream"] },
  ),
  validQuery(query),
  (c) => {
    const { account, services } = c.var;
    const streamed = { account, notice: services.alongside.notice(account) };
    return streamEvents(c.req.raw, c.req.valid("query"), streamed, services);
  },
);

function noticeOfAccounts(services: ControlServices): StreamNotice {
  return {
    event: "accounts",
    observe: (changed) => (services.ownership ?? services.world).observeAccounts(changed),
    read: () => ({ total: countAccounts(services) }),
  };
}

/** Counts the accounts of the whole sandbox, as far as this replica knows them. */
function countAccounts({ world, ownership }: ControlServices): number {
  if (ownership === undefined) return world.list().length;
  const known = [
    ...ownership.replicas().flatMap(({ accounts }) => accounts),
    ...ownership.waiting().map(({ account }) => account),
  ];
  return known.filter((account) => account !== SANDBOX_JOURNAL).length;
}

interface Streamed {
  readonly account: RunningAccount;
  readonly frames: EventStreamAddition["frames"];
  readonly notice: StreamNotice;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

function streamEvents(
  { headers, signal }: Request,
  { after }: z.output<typeof query>,
  { account, notice }: Pick<Streamed, "account" | "notice">,
  { alongside, stopping }: ControlServices,
): Response {
  const begin = beginning(headers.get("last-event-id"), after, account.journal.version);
  const end = AbortSignal.any([stopping, signal]);
  const source = new EventSource({ account, frames: alongside.frames, notice, signal: end }, begin);
  return new Response(new ReadableStream(source), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      [JOURNAL_HEADER]: account.journal.id,
    },
  });
}

/** The header that identifies the journal: event numbers of another journal do not apply. */
const JOURNAL_HEADER = "x-kredo-journal";

/** A number beyond the last event belongs to another journal, so reading starts from the beginning. */
function beginning(last: string | null, after: number | undefined, version: number): number {
  if (last === null || last === "") return Math.min(after ?? version, version);
  if (/^\d{1,15}$/.test(last)) return Number(last) > version ? 0 : Number(last);
  throw new HttpProblem(422, [
    `Last-Event-ID: ${JSON.stringify(last)} is not an event's number`,
    "send the last id that came, or none",
  ]);
}

/**
 * Reads a journal for one client, no faster than the client consumes it. Only one batch waits in memory. A client that consumes nothing
 * between two heartbeats although there is something to read is disconnected, and may reconnect.
 */
class EventSource {
  readonly #account: RunningAccount;
  readonly #streamed: Streamed;
  readonly #encoder = new TextEncoder();
  #seen: number;
  #to: ReadableStreamDefaultController<Uint8Array> | undefined;
  #hasTaken = true;
  #isNoticeDue = true;
  /** Resumes a `pull` that found nothing. */
  #wake = nothing;
  #stopObserving = nothing;
  #stopBeating = nothing;

  constructor(streamed: Streamed, after: number) {
    this.#account = streamed.account;
    this.#streamed = streamed;
    this.#seen = after;
  }

  start(to: ReadableStreamDefaultController<Uint8Array>): void {
    const { signal, notice } = this.#streamed;
    this.#to = to;
    if (signal.aborted) return this.#end();
    signal.addEventListener("abort", this.#end);
    const observers = [
      () => signal.removeEventListener("abort", this.#end),
      this.#account.journal.observe(() => this.#wake()),
      // The account was dropped, or another replica continues it; a client that reconnects is sent there.
      this.#account.whenClosed(this.#end),
      notice.observe(() => {
        this.#isNoticeDue = true;
        this.#wake();
      }),
    ];
    this.#stopObserving = () => observers.forEach((stop) => stop());
    this.#beat();
    this.#write(`: ready\n\n${this.#dueNotice()}`);
  }

  async pull(): Promise<void> {
    this.#hasTaken = true;
    while (this.#to !== undefined && this.#account.journal.version <= this.#seen && !this.#isNoticeDue)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#to === undefined) return;
    await this.#account.journal.secured();
    const before = this.#seen;
    const batch = firstOf(numbered(this.#account.journal.read(before)));
    this.#seen = batch.at(-1)?.number ?? before;
    this.#write(this.#withAlongside(batch, before) + this.#dueNotice());
  }

  /** Releases everything when the client has disconnected. */
  cancel(): void {
    this.#to = undefined;
    this.#stopObserving();
    this.#stopBeating();
    this.#wake();
  }

  readonly #end = (): void => {
    const to = this.#to;
    this.cancel();
    to?.close();
  };

  /** Sends the latest notice once, however often it has changed since the last time. */
  #dueNotice(): string {
    const { event, read } = this.#streamed.notice;
    const content = this.#isNoticeDue ? read() : undefined;
    this.#isNoticeDue = false;
    return content === undefined ? "" : frameText(event, content);
  }

  /** Puts frames just before their event, so that a client with the event's id has received both. */
  #withAlongside(batch: readonly Frame[], before: number): string {
    const alongside = this.#streamed.frames(this.#account, before, this.#seen);
    const frames = batch.flatMap((frame, place) => {
      const shown = alongside.filter(({ number }) => (place === 0 ? number <= frame.number : number === frame.number));
      return [...shown.map(({ event, data }) => frameText(event, data)), frame.text];
    });
    return frames.join("");
  }

  #beat(): void {
    const timer = this.#account.wall.after(HEARTBEAT, () => {
      if (!this.#hasTaken && this.#account.journal.version > this.#seen) return this.#end();
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

interface Frame {
  readonly number: number;
  readonly text: string;
}

/** Returns as many events as are written at once, and at least one. */
function firstOf(events: readonly Numbered[]): Frame[] {
  const frames: Frame[] = [];
  let length = 0;
  for (const { number, event } of events.slice(0, AT_ONCE)) {
    const streamed = event.kind === "snapshot" ? { ...event, earlier: undefined } : event;
    const text = `id: ${number}\nevent: ${event.kind}\ndata: ${JSON.stringify(streamed)}\n\n`;
    length += text.length;
    if (length > MAX_UNSENT && frames.length > 0) break;
    frames.push({ number, text });
  }
  return frames;
}

function frameText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function nothing(): void {}
