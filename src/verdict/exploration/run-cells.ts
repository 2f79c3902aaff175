import type { AccountState } from "../../gateway/account/state.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { type Kes, parseKes, subtractKes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { findInJournal } from "../checks/findings.ts";
import {
  type Application,
  type ApplicationOrder,
  orderNumber,
  type PlacedOrder,
  type Shown,
} from "../application/application.ts";
import { describeDebit, possibleDebits } from "../orders/possible-debits.ts";
import { Punctuality } from "./punctuality.ts";
import { Pace } from "./pace.ts";
import { type OrderToPlace, whenRight } from "./when-right.ts";
import { untilQuiet } from "../rehearsal/until-quiet.ts";
import { rehearsalJournal } from "../rehearsal/rehearsal-journal.ts";
import type { RehearsalEnvironment } from "../rehearsal/rehearsal-environment.ts";
import { readTimeline } from "../rehearsal/timeline.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { isSlow } from "./bundles.ts";
import { BETWEEN_ORDERS, type Cell, cellOf, isBetweenOrders, scenarioOf } from "./cell.ts";
import { type CellResult, type OrderOfCell, resultOf, unclear, withEarlier } from "./cell-result.ts";
import { type FollowedOrder, judgeFollowed, type SeenDefect } from "../orders/followed-order.ts";
import { type DefectKind, DEFECTS } from "../orders/verdicts.ts";
import { readOrderTruth } from "../orders/order-truth.ts";

/** Enough for every order of an exploration. */
export const WALLET = "1000000.00";

/** The whole shillings of an airtime order. Its charge includes cents, to expose books that drop them. */
export const AMOUNT = 105;

const MESSAGE = "Your order is on its way.";

/** The time limit (wall time) for the first request of the baseline's order. */
const FIRST_REQUEST: Millis = 5 * SECOND;

/** The results of the orders of one run. */
export interface CellRun {
  readonly results: readonly CellResult[];
  /** An error in the run's balance that cannot be attributed to a single order. */
  readonly imbalance?: SeenDefect;
  /** Whether its orders share one balance. */
  readonly isBalanceShared: boolean;
  readonly scenario: Scenario;
  /** In the order in which they were placed. */
  readonly orders: readonly ApplicationOrder[];
}

/** Returns the result of a run of one cell. */
export function onlyResult({ results: [result] }: CellRun): CellResult {
  if (result === undefined) throw new Error("a run has a result for each cell");
  return result;
}

export interface RunnerOptions {
  readonly application: Application;
  readonly environment: RehearsalEnvironment;
  /** The account before the exploration. */
  readonly before: AccountState;
  readonly runId: string;
}

/** Runs cells, each on a fresh account and with its own order. */
export class CellRunner {
  readonly #options: RunnerOptions;
  #orders = 0;
  #firstWithin = FIRST_REQUEST;
  /** The price that a customer pays for an order, measured in the baseline. */
  readonly #prices = new Map<Operation, Kes>();
  /** How often the application asks for account details for a plain order. */
  readonly #asked = new Map<Operation, number>();
  /** The questions that the baseline already answered wrong. Every cell would repeat that. */
  readonly #unasked = new Set<"balance" | "books">();
  readonly #pace: Pace;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#pace = new Pace(options.application.map.settle);
  }

  learn({ cell, order, points }: CellResult, firstAfter: Millis): void {
    const { operation } = cell;
    this.#asked.set(operation, points.filter(({ isDetails }) => isDetails).length);
    if ("value" in order.debited) this.#prices.set(operation, order.debited.value);
    this.#firstWithin = Math.min(this.#firstWithin, Math.max(4 * firstAfter, SECOND / 2));
  }

  /** Stops asking a question that the baseline already answered wrong. */
  leaveOut(question: "balance" | "books"): void {
    this.#unasked.add(question);
  }

  /** Wall time before orders are judged as they are. */
  get patience(): Millis {
    return this.#pace.settle(true);
  }

  /** Runs cells in parallel, each with its own order. */
  async run(cells: readonly Cell[], options: RunOptions = {}): Promise<CellRun> {
    const { orders, placed, before, kept, scenario, isTooBusy } = await this.#play(cells, options);
    const isBalanceShared = this.#options.application.hasSharedBalance && orders.length > 1;
    const followed = await Promise.all(
      orders.map(({ cell, order }, index) =>
        this.#follow({
          cell,
          order: placed.get(order) ?? { ...order, reply: NOT_YET },
          before: before[index],
          kept,
          isShared: isBalanceShared,
        }),
      ),
    );
    const imbalance = isBalanceShared ? await this.#imbalance(followed, before[0]) : undefined;
    const judged = this.#judge(followed, kept);
    const isInDoubt = (kind: DefectKind | undefined): boolean =>
      imbalance !== undefined || (kind !== undefined && DEFECTS[kind].isOfTime === true);
    const results = judged.map((result) => (isTooBusy && isInDoubt(result.defect?.kind) ? unclear(result) : result));
    const earlier = results.length - cells.length;
    return {
      results: results
        .slice(earlier)
        .map((result, index) => withEarlier(result, earlier === 0 ? undefined : results[index])),
      scenario,
      orders: orders.map(({ order }) => order),
      isBalanceShared,
      ...(imbalance !== undefined && !isTooBusy && { imbalance }),
    };
  }

  /** Places the orders, and waits until everything that follows from them has happened. */
  async #play(cells: readonly Cell[], { isPatient = false, extra = [] }: RunOptions): Promise<Played> {
    const { application, environment } = this.#options;
    const problem = await application.reset();
    if (problem !== undefined) throw new ResetFailed(`reset in the app map failed: ${problem}`);
    const later = cells.map((cell) => this.#newOrder(cell));
    const earlier = cells.filter(isBetweenOrders).map(({ operation }) => this.#newOrder(cellOf(operation, [])));
    const orders = [...earlier, ...later];
    const scenario = scenarioOf(later.map(({ cell, order: { phoneNumber } }) => ({ cell, phoneNumber })));
    await this.#begin([...extra, scenario]);
    const before = await Promise.all(orders.map(({ order }) => this.#balance({ ...order, reply: NOT_YET })));
    const placed = new Map<ApplicationOrder, PlacedOrder>();
    if (earlier.length > 0) await this.#placeEarlier(earlier, placed);
    void this.#placeAll(later, placed);
    const punctuality = new Punctuality(environment);
    const kept = await untilQuiet({
      environment: { ...environment, pause: punctuality.pause },
      isManual: true,
      isPlacing: () => placed.size < orders.length,
      settle: ({ events }) =>
        Math.max(this.#pace.settle(isPatient), events.some(isRequestEvent) ? 0 : this.#firstWithin),
      isOver: whenRight(orders, placed, { application, clock: environment.clock, pace: this.#pace }),
      tick: () => application.tick(),
    });
    this.#pace.noteRequests(kept.events, orders.length);
    return { orders, placed, before, kept, scenario, isTooBusy: punctuality.isTooBusy };
  }

  #judge(followed: readonly OrderOfCell[], kept: JournalSlice): CellResult[] {
    const { events } = kept;
    const findings = findInJournal(kept, { report: this.#options.environment.report });
    const usual = followed.reduce((sum, { cell: { operation } }) => sum + (this.#asked.get(operation) ?? 0), 0);
    const isAlone = followed.length === 1;
    const asksMore = !isAlone && events.filter(isRequestEvent).filter(isDetailsRequest).length > usual;
    const run = { timeline: readTimeline(kept), events, isAlone, asksMore };
    return followed.map((order) => resultOf(order, judgeFollowed(order, { events, findings }), run));
  }

  #newOrder(cell: Cell): OrderToPlace {
    const { environment } = this.#options;
    this.#orders += 1;
    const phoneNumber = orderNumber(environment.seed, this.#orders);
    return {
      cell,
      order: {
        operation: cell.operation,
        phoneNumber,
        amount: AMOUNT,
        message: MESSAGE,
        reference: `kredo-${Number(phoneNumber.slice(5))}`,
      },
    };
  }

  async #begin(scenarios: readonly Scenario[]): Promise<void> {
    const { application, environment, before, runId } = this.#options;
    const { account, clock, seed } = environment;
    const balance = parseKes(WALLET);
    const values = new Map([["app", application.url]]);
    const tested = {
      account: { ...(balance !== undefined && { wallet: { balance } }), callbacks: application.map.callbacks },
      clock: { mode: "manual" as const },
      name: "explored",
    };
    await account.begin(rehearsalJournal(before, tested, { seed, scenarios, now: clock.now(), values, runId }));
  }

  async #follow(known: Known): Promise<OrderOfCell> {
    const { application } = this.#options;
    const { cell, order, before, kept, isShared } = known;
    const truth = readOrderTruth(kept.events, order.phoneNumber);
    const claimed = await application.status(order);
    const after = isShared ? { missing: "the balance is shared with another order" } : await this.#balance(order);
    const debited =
      before !== undefined && "value" in before && "value" in after
        ? { value: subtractKes(before.value, after.value) }
        : after;
    return {
      cell,
      placed: order,
      truth,
      claimed,
      debited,
      price: application.priceOf(order) ?? this.#prices.get(order.operation),
      books: this.#unasked.has("books") ? NOT_ASKED : await application.books(order),
    };
  }

  #balance(order: PlacedOrder): Promise<Shown<Kes>> {
    return this.#unasked.has("balance") ? Promise.resolve(NOT_ASKED) : this.#options.application.balance(order);
  }

  /** Returns the error in the total that the customer paid for several orders. Open orders may or may not have been paid for. */
  async #imbalance(
    followed: readonly FollowedOrder[],
    before: Shown<Kes> | undefined,
  ): Promise<SeenDefect | undefined> {
    const [first] = followed;
    if (first === undefined || before === undefined || "missing" in before) return undefined;
    const after = await this.#balance(first.placed);
    const priced = followed.flatMap(({ price, claimed: { claim } }) => (price === undefined ? [] : [{ price, claim }]));
    if ("missing" in after || priced.length < followed.length) return undefined;
    const debited = subtractKes(before.value, after.value);
    if (possibleDebits(priced).includes(debited)) return undefined;
    const withoutRefunds = priced.map(({ price, claim }) => ({ price, claim: claim === "failed" ? "open" : claim }));
    const kind = possibleDebits(withoutRefunds).includes(debited) ? "not refunded" : "debited wrongly";
    const seen = `the customer was ${describeDebit(debited)} for ${followed.length} orders, which is not what they cost`;
    return { kind, seen, exchanges: [], follows: [] };
  }

  /** Places the orders that the application must send before something happens to the account. */
  async #placeEarlier(orders: readonly OrderToPlace[], placed: Map<ApplicationOrder, PlacedOrder>): Promise<void> {
    const { application, environment } = this.#options;
    void this.#placeAll(orders, placed);
    const match = orders.map(({ order }) => ({ phone_number: order.phoneNumber }));
    const within = application.settle;
    await Promise.all(match.map((one) => environment.account.untilRequests({ match: one, count: { gte: 1 }, within })));
    await environment.account.advance(BETWEEN_ORDERS);
  }

  /** Places slow orders last, because an application may handle orders one after another. */
  async #placeAll(orders: readonly OrderToPlace[], placed: Map<ApplicationOrder, PlacedOrder>): Promise<void> {
    const place = async ({ order }: OrderToPlace): Promise<unknown> =>
      placed.set(order, await this.#options.application.place(order));
    await Promise.all(orders.filter(({ cell }) => !isSlow(cell)).map(place));
    await Promise.all(orders.filter(({ cell }) => isSlow(cell)).map(place));
  }
}

export interface RunOptions {
  /** Whether to give the application its full time, whatever it has needed so far. */
  readonly isPatient?: boolean;
  readonly extra?: readonly Scenario[];
}

/** Thrown if the app map's reset failed, so that runs cannot be compared. */
export class ResetFailed extends Error {}

const NOT_YET = { kind: "silent", reason: "it was not placed in time", wasReached: true, isLate: true } as const;

const NOT_ASKED = { missing: "it was already wrong in the baseline" };

/** A run whose orders are all finished. */
interface Played {
  readonly orders: readonly OrderToPlace[];
  readonly placed: ReadonlyMap<ApplicationOrder, PlacedOrder>;
  /** The customer's balance before each order. */
  readonly before: readonly Shown<Kes>[];
  readonly kept: JournalSlice;
  readonly scenario: Scenario;
  /** Whether the machine was too busy for a verdict that depends on time. */
  readonly isTooBusy: boolean;
}

interface Known {
  readonly cell: Cell;
  readonly order: PlacedOrder;
  readonly before: Shown<Kes> | undefined;
  readonly kept: JournalSlice;
  readonly isShared: boolean;
}
