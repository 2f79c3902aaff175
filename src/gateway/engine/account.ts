import { withScriptedPorting, type DecisionContext } from "../account/decide/apply-rules.ts";
import { restartScenarios } from "../account/decide/scenarios.ts";
import { settleTransaction } from "../account/decide/settle.ts";
import { isBeginning, isHanging } from "../account/event-guards.ts";
import type { Accepted, RequestEvent } from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import { type AccountState, settingsInForce } from "../account/state.ts";
import { isUnresolved, type Transaction } from "../account/transaction.ts";
import type { AccountSettings } from "../settings/account-settings.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { withProfileChange } from "../settings/profile-change.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import { type Advanced, Advancer, type ClockTarget } from "./advance.ts";
import type { PendingWork } from "./agenda.ts";
import {
  type JournalStart,
  isClockAhead,
  openingOf,
  resumeClock,
  resumeJournal,
  startOfStored,
  trustedUrls,
} from "./journal-start.ts";
import type { AccountDependencies } from "./account-dependencies.ts";
import { Courier } from "./courier.ts";
import { LiveJournal } from "./live-journal.ts";
import { Timekeeper } from "./timekeeper.ts";
import { finishesWithin, waitUntil } from "./wait-until.ts";
import { PendingCalls } from "./pending-calls.ts";
import { NotTheOwner } from "../ports/journal-store.ts";

/** One running customer of the gateway: commands change its journal, its clock triggers due work, its callbacks are sent. */
export class RunningAccount {
  readonly consumerKey: string;
  readonly journal: LiveJournal;
  readonly #ownersUrls: ReadonlySet<string>;
  readonly #dependencies: AccountDependencies;
  readonly #courier: Courier;
  readonly #timekeeper: Timekeeper;
  readonly #advancer: Advancer;
  readonly #whenClosed = new Set<() => void>();
  readonly pendingCalls: PendingCalls;
  /** Set if an earlier process left the account. Until it is woken, nothing happens by itself. */
  #isAsleep: boolean;

  /** Opens an account, or resumes a stored one. Due work of a stored account waits until it is woken. */
  constructor(start: AccountSettings | StoredAccount, dependencies: AccountDependencies) {
    const { store, bounds, wall, transport } = dependencies;
    const report = (fault: unknown): void => {
      // Work in progress continues on the replica that now owns the account.
      if (!(fault instanceof NotTheOwner)) dependencies.report(fault);
    };
    this.consumerKey = "journal" in start ? start.consumerKey : start.consumer_key;
    this.pendingCalls = new PendingCalls(this.consumerKey);
    this.#dependencies = dependencies;
    this.#isAsleep = "journal" in start;
    const journalStart = this.#startOf(start);
    this.journal = new LiveJournal(journalStart, { account: this.consumerKey, store, bounds, wall, report });
    const { event } = journalStart;
    const setup = event.kind === "opened" ? { ...event, scenarios: [] } : event.state;
    this.#ownersUrls = new Set([...trustedUrls(setup), ...trustedUrls(this.state)]);
    const { journal, pendingCalls } = this;
    const courier = (this.#courier = new Courier(journal, transport, () => this.gateway, report));
    const timekeeper = (this.#timekeeper = new Timekeeper(journal, courier, wall, report));
    this.#advancer = new Advancer({ journal, courier, timekeeper, wall, pendingCalls });
    this.journal.observe((event, _number, state) => this.#follow(event, state));
  }

  get state(): AccountState {
    return this.journal.state;
  }

  /** Returns whether this machine's owner gave the account this callback URL, so that it may name a public host. */
  isOwnersUrl(url: string): boolean {
    return this.#ownersUrls.has(url) || trustedUrls(this.state).includes(url);
  }

  now(): Instant {
    return this.journal.now();
  }

  get wall(): WallClock {
    return this.#dependencies.wall;
  }

  get gateway(): GatewaySettings {
    return withProfileChange(this.#dependencies.gateway, this.state.settings.profile_change);
  }

  /** The most rules in its active scenarios. */
  get maxRules(): number {
    return this.#dependencies.maxRules;
  }

  moment(at: Instant): DecisionContext {
    return {
      at,
      gateway: withScriptedPorting(this.gateway, this.state),
      random: this.#dependencies.random,
    };
  }

  /**
   * Resumes the work that an earlier process left. Its clock resumes too, unless replicas share the account: then it never stopped. If the
   * earlier process had a clock that was ahead, its whole journal moves back.
   */
  wake(isShared = false): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    const now = this.wall.now();
    if (isClockAhead(this.state, now)) {
      const { event, later } = startOfStored(this.journal.read());
      return this.import([event, ...later]);
    }
    if (!isShared) this.journal.append((state) => resumeClock(state, now));
    this.#timekeeper.resume();
  }

  /** Holds a transaction's callbacks until its acknowledgment is sent or abandoned, if any can be due before. One that hangs is never sent. */
  holdCallbacks(accepted: Accepted): void {
    const { order, rules } = accepted;
    const hasUrl = settingsInForce(this.state).callbacks.urls[order.operation] !== undefined;
    if (!isHanging(rules) && (hasUrl || rules !== undefined || this.journal.isLasting)) this.#courier.hold(accepted);
  }

  releaseCallbacks(request: RequestEvent): void {
    this.#courier.release(request);
  }

  /** Returns whether the client of an accepted request is still waiting for its acknowledgment. */
  clientWaits(requestId: string): boolean {
    if (this.#courier.isHeld(requestId)) return true;
    const transaction = this.state.transactions.get(requestId);
    if (isHanging(transaction?.accepted.rules)) return transaction?.left === undefined;
    return transaction?.accepted.plan.callback?.before_ack === true && isCallbackDue(transaction, this.now());
  }

  /** Settles a transaction at once, and waits until its receiver has answered or 3 s of wall time have passed; not after a reset. */
  async deliverBeforeAck(accepted: Accepted): Promise<void> {
    const { requestId } = accepted;
    const find = (): Transaction | undefined => {
      const found = this.state.transactions.get(requestId);
      return found?.accepted === accepted ? found : undefined;
    };
    if (find() === undefined) return;
    this.journal.append((state, at) => [settleTransaction(state, requestId, at)]);
    this.#timekeeper.sendDue(requestId, true);
    await waitUntil(this.journal, () => !isCallbackDue(find(), this.now()), this.wall, RECEIVER_MILLIS);
  }

  /** Starts the callbacks of a transaction that are already due; on a manual clock, nothing else would. */
  sendDue(requestId: string): void {
    this.#timekeeper.sendDue(requestId);
  }

  /** All pending work, soonest first. */
  pending(): PendingWork[] {
    return this.#timekeeper.list();
  }

  /** The number of callbacks in flight. */
  get callbacksUnderWay(): number {
    return this.#courier.busy;
  }

  advance(target: ClockTarget, within: Millis): Promise<Advanced> {
    return this.#advancer.advance(target, within);
  }

  /** Waits until every transaction is resolved; on a manual clock, only until nothing is in flight. Resolves to false if any is left. */
  drain(within: Millis): Promise<boolean> {
    if (this.state.clock.mode !== "manual") return this.until(() => this.state.pending === 0, within);
    return this.pendingCalls.run(async () => {
      await finishesWithin(this.#courier.idle(), this.wall, within);
      return this.state.pending === 0;
    });
  }

  /** Waits until a condition holds, checking again after each event. Resolves to false if the wall time runs out first. */
  until(holds: () => boolean, within: Millis): Promise<boolean> {
    return this.pendingCalls.run(() => waitUntil(this.journal, holds, this.wall, within));
  }

  /** Resets the account to its initial state and abandons all work in progress. Draws a new seed unless the settings fix one. */
  reset(): void {
    this.journal.append((state) => {
      const { settings, scenarios } = state.before ?? state;
      const opened = openingOf(settings, this.wall.now(), () => this.#dependencies.random.freshSeed());
      return [opened, ...restartScenarios(opened, scenarios)];
    });
  }

  /** Starts over with another journal, whose clock continues. */
  import(events: readonly AccountEvent[]): void {
    const resumed = resumeJournal(events, this.wall.now());
    this.journal.append(() => resumed);
  }

  /** Whether a call waits for scheduled work, or a client for an acknowledgment that takes long. */
  get isWaitedFor(): boolean {
    return this.pendingCalls.hasAny || this.#courier.isHoldingLong;
  }

  /** Lets an advance finish and stops the clock. Then waits until clients have their responses and no callback is in flight. */
  async stopWork(within: Millis): Promise<void> {
    await finishesWithin(this.#advancer.idle(), this.wall, within);
    this.pendingCalls.rejectAll();
    this.#timekeeper.close();
    await finishesWithin(this.#courier.quiet(), this.wall, within);
  }

  /** Goes on after `stopWork` if a client still waits for its acknowledgment. Returns whether one does. */
  resumeIfAwaited(): boolean {
    if (!this.#courier.noteLong()) return false;
    this.pendingCalls.reopen();
    this.#timekeeper.reopen();
    return true;
  }

  /** Stops the clock for good and abandons all work in progress. Resolves when all clients have their responses. */
  close(): Promise<void> {
    this.#timekeeper.close();
    const answered = this.#courier.close();
    for (const job of this.#whenClosed) job();
    this.#whenClosed.clear();
    return answered;
  }

  /** Runs a job when the account is dropped, or continued by another replica. Returns a function that cancels the job. */
  whenClosed(job: () => void): () => void {
    this.#whenClosed.add(job);
    return () => void this.#whenClosed.delete(job);
  }

  /** Closes the account and deletes its journal. Later commands are refused. */
  drop(): void {
    void this.close();
    this.journal.drop();
  }

  #follow(event: AccountEvent, state: AccountState): void {
    if (isBeginning(event)) this.#courier.abandon();
    this.#timekeeper.note(event, state);
  }

  #startOf(start: AccountSettings | StoredAccount): JournalStart {
    if ("journal" in start) return startOfStored(start.journal);
    return { kind: "opened", event: openingOf(start, this.wall.now(), () => this.#dependencies.random.freshSeed()) };
  }
}

/** The receiver's time limit for an answer (document 6). */
const RECEIVER_MILLIS: Millis = 3 * SECOND;

/** Returns whether a callback of a transaction is due that was never tried. */
function isCallbackDue(transaction: Transaction | undefined, now: Instant): boolean {
  if (transaction === undefined || isUnresolved(transaction.progress)) return false;
  return transaction.progress.deliveries.some(({ tries, next }) => tries === 0 && next !== "none" && next.dueAt <= now);
}

/** The journal of an account that an earlier process ran. */
export interface StoredAccount {
  readonly consumerKey: string;
  readonly journal: JournalSlice;
}
