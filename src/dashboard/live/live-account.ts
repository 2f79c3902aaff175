import { type Signal, signal } from "@preact/signals";
import { type ControlClient, ControlError } from "../../control-client/control-client.ts";
import { followJournal, type NumberedEvent, type Place } from "../../control-client/follow-journal.ts";
import type { ExplorationProgress } from "../../control-client/shapes.ts";
import { AccountReading } from "./account-reading.ts";

/** How the page stands to the sandbox. */
type Connection =
  | { readonly is: "connecting" }
  | { readonly is: "live" }
  | { readonly is: "lost"; readonly since: number }
  | { readonly is: "refused"; readonly status: number };

/** What began the shown journal anew while it was followed, and when, in wall time. */
interface Restart {
  readonly by: "restart" | "reset";
  readonly at: number;
}

/** Wall time between two tries, in milliseconds; the last one again and again. */
const RETRY_AFTER = [250, 500, 1_000, 2_000] as const;

/** Wall time between two redraws, in milliseconds. */
const REDRAW_AFTER = 100;

/** Follows one account for as long as the page shows it. A hidden page follows nothing and catches up when it is seen again. */
export class LiveAccount {
  readonly consumerKey: string;
  readonly reading = new AccountReading();
  /** Grows whenever the account has changed: read it to be drawn again. */
  readonly revision: Signal<number> = signal(0);
  readonly connection: Signal<Connection> = signal<Connection>({ is: "connecting" });
  /** The last one, until its notice is closed. */
  readonly restart: Signal<Restart | undefined> = signal<Restart | undefined>(undefined);
  /** How far the account's latest exploration has come. */
  readonly exploration: Signal<ExplorationProgress | undefined> = signal<ExplorationProgress | undefined>(undefined);
  /** Grows whenever accounts may have been opened or dropped; only the journal of no account tells. */
  readonly accountsChanged: Signal<number> = signal(0);
  readonly #client: ControlClient;
  readonly #stopped = new AbortController();
  #place: Place | undefined;
  #isDrawing = false;
  #drawnAt = -Infinity;

  constructor(consumerKey: string, client: ControlClient) {
    this.consumerKey = consumerKey;
    this.#client = client;
  }

  /** Follows until `stop`. */
  async follow(): Promise<void> {
    for (let failures = 0; !this.#stopped.signal.aborted; failures += 1) {
      await untilVisible(this.#stopped.signal);
      const hadEvents = await this.#readOnce();
      if (this.connection.value.is === "refused") return;
      if (document.hidden || this.#stopped.signal.aborted) {
        failures = -1;
        continue;
      }
      this.connection.value = { is: "lost", since: Date.now() };
      if (hadEvents) failures = 0;
      await pause(RETRY_AFTER[Math.min(failures, RETRY_AFTER.length - 1)] ?? 0, this.#stopped.signal);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** One connection, from its beginning to its end; whether it stood at all. */
  async #readOnce(): Promise<boolean> {
    const hidden = new AbortController();
    const hide = (): void => {
      if (document.hidden) hidden.abort();
    };
    document.addEventListener("visibilitychange", hide);
    let stood = false;
    const opened = (isNew: boolean): void => {
      stood = true;
      this.#begin(isNew);
    };
    try {
      const signal = AbortSignal.any([this.#stopped.signal, hidden.signal]);
      await followJournal(this.#client, this.#place, {
        signal,
        opened,
        took: (event, place) => this.#take(event, place),
        noticed: (finding) => this.reading.notice(finding),
        explored: (progress) => this.#explored(progress),
        accountsChanged: () => void (this.accountsChanged.value += 1),
      });
    } catch (error) {
      if (error instanceof ControlError && error.status < 500) this.connection.value = { is: "refused", status: error.status };
    } finally {
      document.removeEventListener("visibilitychange", hide);
    }
    return stood;
  }

  #begin(isNew: boolean): void {
    if (isNew && this.reading.version > 0) this.restart.value = { by: "restart", at: Date.now() };
    if (isNew) {
      this.reading.clear();
      this.exploration.value = undefined;
    }
    this.connection.value = { is: "live" };
    this.#draw();
  }

  #take(event: NumberedEvent, place: Place): void {
    const isLive = this.reading.version > 0;
    this.reading.take(event);
    if (isLive && event.event.kind === "opened") this.restart.value = { by: "reset", at: Date.now() };
    this.#place = place;
    this.#draw();
  }

  /** Its runs reset the account and end with a reset: nobody else did. */
  #explored(progress: ExplorationProgress): void {
    this.exploration.value = progress;
    if (this.restart.value?.by === "reset") this.restart.value = undefined;
  }

  /** The first event is drawn with the next frame, those that follow at most ten times a second: lists of 10,000 rows are arranged anew each time. */
  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const draw = (): void => {
      this.#isDrawing = false;
      this.#drawnAt = performance.now();
      this.revision.value += 1;
    };
    setTimeout(() => requestAnimationFrame(draw), Math.max(0, this.#drawnAt + REDRAW_AFTER - performance.now()));
  }
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) await once(document, "visibilitychange", signal);
}

function once(target: EventTarget, type: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    target.addEventListener(type, () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
