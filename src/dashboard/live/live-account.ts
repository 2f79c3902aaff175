import { type Signal, signal } from "@preact/signals";
import { ControlError, type Opener } from "../../control/client/control-client.ts";
import { followJournal, type NumberedEvent, type JournalPosition } from "../../control/client/follow-journal.ts";
import type { ExplorationProgress, FindingJson } from "../../verdict/endpoints/shapes.ts";
import { AccountReading } from "./account-reading.ts";

/** The state of the page's connection to the sandbox. */
type Connection =
  | { readonly is: "connecting" }
  | { readonly is: "live" }
  | { readonly is: "lost"; readonly since: number }
  | { readonly is: "refused"; readonly status: number };

/** What cleared the journal while it was followed, and when (wall time). */
interface Restart {
  readonly by: "restart" | "reset";
  readonly at: number;
}

/** Wall-clock milliseconds before each reconnect. The last one repeats. */
const RETRY_AFTER = [250, 500, 1_000, 2_000] as const;

/** Wall-clock milliseconds between two redraws. */
const REDRAW_AFTER = 100;

/** Follows one account while the page shows it. A hidden page disconnects and catches up when it becomes visible. */
export class LiveAccount {
  readonly consumerKey: string;
  readonly reading: AccountReading;
  /** Increases whenever the account has changed. Read it to be redrawn. */
  readonly revision: Signal<number> = signal(0);
  /** The last event, also one about a request that is no longer kept. Changes with each of them, not only when the page is redrawn. */
  readonly lastEvent: Signal<NumberedEvent | undefined> = signal<NumberedEvent | undefined>(undefined);
  readonly connection: Signal<Connection> = signal<Connection>({ is: "connecting" });
  /** The last restart, until its notice is closed. */
  readonly restart: Signal<Restart | undefined> = signal<Restart | undefined>(undefined);
  /** The progress of the account's latest exploration. */
  readonly exploration: Signal<ExplorationProgress | undefined> = signal<ExplorationProgress | undefined>(undefined);
  /** Increases whenever accounts may have been opened or dropped. Only the journal of requests without an account reports this. */
  readonly accountsChanged: Signal<number> = signal(0);
  readonly #client: Opener;
  readonly #stopped = new AbortController();
  #place: JournalPosition | undefined;
  #isDrawing = false;
  #drawnAt = -Infinity;

  /** `mostRows` is how many requests are kept. */
  constructor(consumerKey: string, client: Opener, mostRows?: number) {
    this.reading = new AccountReading(mostRows);
    this.consumerKey = consumerKey;
    this.#client = client;
  }

  /** Follows the account until `stop` is called. */
  async follow(): Promise<void> {
    for (let failures = 0; !this.#stopped.signal.aborted; failures += 1) {
      await untilVisible(this.#stopped.signal);
      const hadEvents = await this.#readOnce();
      if (this.connection.value.is === "refused") return;
      if (document.hidden || this.#stopped.signal.aborted) {
        failures = -1;
        continue;
      }
      if (this.connection.value.is !== "lost") this.connection.value = { is: "lost", since: Date.now() };
      if (hadEvents) failures = 0;
      await pause(RETRY_AFTER[Math.min(failures, RETRY_AFTER.length - 1)] ?? 0, this.#stopped.signal);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Reads from one connection until it ends. Returns whether the connection was established. */
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
        alongside: {
          finding: (finding: FindingJson) => this.reading.notice(finding),
          exploration: (progress: ExplorationProgress) => this.#explored(progress),
          accounts: () => void (this.accountsChanged.value += 1),
        },
      });
    } catch (error) {
      if (error instanceof ControlError && error.status < 500)
        this.connection.value = { is: "refused", status: error.status };
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

  #take(event: NumberedEvent, place: JournalPosition): void {
    const isLive = this.reading.version > 0;
    this.reading.take(event);
    if (isLive && event.event.kind === "opened") this.restart.value = { by: "reset", at: Date.now() };
    this.#place = place;
    this.lastEvent.value = event;
    this.#draw();
  }

  /** Shows the progress and hides the notice about a reset, because an exploration resets the account itself. */
  #explored(progress: ExplorationProgress): void {
    this.exploration.value = progress;
    if (this.restart.value?.by === "reset") this.restart.value = undefined;
  }

  /** Draws the first event with the next frame and later ones at most ten times a second, because every redraw reads all rows. */
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
  return once(AbortSignal.timeout(millis), "abort", signal);
}
