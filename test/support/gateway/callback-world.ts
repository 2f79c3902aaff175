import fc from "fast-check";
import type { Accepted, Attempted } from "../../../src/gateway/account/events.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { resend, setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { type OpenCallback, type WaitingReceivers, waitingReceivers } from "./receivers.ts";
import { retrying } from "./steps.ts";
import { allReady } from "./turns.ts";
import { buyAirtime, testWorld, type TestWorld } from "./world.ts";
import { isUnresolved } from "../../../src/gateway/account/transaction.ts";

/** Something that happens around callbacks. */
export type Action =
  | { readonly do: "buy"; readonly isAckHeld: boolean }
  | { readonly do: "release ack"; readonly which: number }
  | { readonly do: "answer"; readonly which: number; readonly isTaken: boolean }
  | { readonly do: "wait"; readonly by: number }
  | { readonly do: "resend"; readonly which: number }
  | { readonly do: "allow at once"; readonly callbacks: number };

const which = fc.nat({ max: 10 });

/** How many callbacks are allowed at a time. */
export const atOnce = fc.integer({ min: 1, max: 4 });

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("buy" as const), isAckHeld: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("release ack" as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("answer" as const), which, isTaken: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), by: fc.integer({ min: 0, max: 1_500 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("allow at once" as const), callbacks: atOnce }) },
);

export const actionOrResend: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: action },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resend" as const), which }) },
);

/** An account on a real clock, with receivers that answer when an action says so; watches what begins. */
export class CallbackWorld {
  readonly receivers: WaitingReceivers = waitingReceivers();
  readonly world: TestWorld;
  readonly attempted: Attempted[] = [];
  readonly faults: unknown[] = [];
  readonly #held = new Map<string, Accepted>();
  readonly #everHeld = new Set<string>();
  #allowed: number;
  #looked = 0;

  constructor(allowed: number) {
    const { carriers } = gatewayOptions.parse({}).gateway;
    this.#allowed = allowed;
    this.world = testWorld({
      gateway: { carriers },
      transport: this.receivers.transport,
      account: { clock: { mode: "real" }, callbacks: { ...retrying(3), concurrency: allowed } },
    });
    this.world.account.journal.observe((event) => event.kind === "attempted" && this.attempted.push(event));
  }

  async play(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      await this.#do(action);
      await allReady();
      this.#look();
    }
  }

  /** Lets all acknowledgments go, answers all callbacks, and waits for what that brings. */
  async finish(): Promise<void> {
    for (const requestId of this.#held.keys()) this.#release(requestId);
    while (this.world.account.state.pending > 0) {
      await this.play([{ do: "wait", by: 100_000 }]);
      for (const callback of this.receivers.open.slice()) callback.answer(TAKEN);
      await allReady();
    }
  }

  /** The moments, in the order of beginning, at which the callbacks were due that had not to wait for an acknowledgment. */
  dueMoments(): number[] {
    return this.receivers.begun
      .filter(({ requestId }) => !this.#everHeld.has(requestId))
      .map((callback) => this.#dueAt(callback));
  }

  async #do(action: Action): Promise<unknown> {
    const { account, wall } = this.world;
    switch (action.do) {
      case "buy":
        return this.#buy(action.isAckHeld);
      case "release ack":
        return this.#release([...this.#held.keys()][action.which % Math.max(1, this.#held.size)] ?? "");
      case "answer":
        return this.receivers.open[action.which % Math.max(1, this.receivers.open.length)]?.answer(
          action.isTaken ? TAKEN : { kind: "timed_out" },
        );
      case "wait":
        return wall.advance(action.by);
      case "resend": {
        const settled = [...account.state.transactions.values()].filter(({ progress }) => progress.state !== "queued");
        const id = settled[action.which % Math.max(1, settled.length)]?.accepted.requestId;
        return id === undefined ? undefined : resend(account, [id]);
      }
      case "allow at once":
        this.#allowed = action.callbacks;
        return setCallbacks(account, { ...retrying(3), concurrency: action.callbacks });
    }
  }

  #buy(isAckHeld: boolean): void {
    const { account } = this.world;
    const accepted = buyAirtime(account, 5 + account.state.requests);
    const { requestId } = accepted;
    if (!isAckHeld) return;
    account.holdCallbacks(accepted);
    this.#held.set(requestId, accepted);
    this.#everHeld.add(requestId);
  }

  #release(requestId: string): void {
    const accepted = this.#held.get(requestId);
    this.#held.delete(requestId);
    if (accepted !== undefined) this.world.account.releaseCallbacks(accepted);
  }

  #look(): void {
    const { begun, open } = this.receivers;
    const fresh = begun.slice(this.#looked);
    this.#looked = begun.length;
    for (const { requestId } of fresh)
      if (this.#held.has(requestId)) this.faults.push({ beforeItsAcknowledgment: requestId });
    if (fresh.length > 0 && open.length > this.#allowed)
      this.faults.push({ atOnce: open.length, allowed: this.#allowed });
    this.faults.push(...this.world.faults.splice(0));
  }

  #dueAt(callback: OpenCallback): number {
    const { begun } = this.receivers;
    const tries = begun
      .slice(0, begun.indexOf(callback))
      .filter(({ requestId }) => requestId === callback.requestId).length;
    const progress = this.world.account.state.transactions.get(callback.requestId)?.progress;
    if (progress === undefined || isUnresolved(progress)) throw new Error("it was called back before it was settled");
    return (tries === 0 ? progress.settled.at : progress.attempts[tries - 1]?.retryAt) ?? Number.NaN;
  }
}

const TAKEN: CallbackOutcome = { kind: "answered", status: 200, body: "" };
