import { foldJournal } from "../../gateway/account/apply.ts";
import { numbersOf, requestsNaming, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { Writable } from "../../gateway/domain/immutable.ts";
import type { Kes } from "../../gateway/domain/kes.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import type { TimeSheet } from "../time-spent.ts";
import { NoVerdict, type TrialEnvironment } from "./environment.ts";
import type { Placing } from "./placing.ts";
import type { Restarts } from "./restarts.ts";
import { sendStrangersCallback, type SentByStranger } from "./strangers-callback.ts";
import { waitUntilQuiet } from "./until-quiet.ts";

export type TrialStep =
  | { readonly place: readonly ApplicationOrder[]; readonly isAtOnce: boolean }
  /** Waits until each order so far has reached the gateway, or was refused by the application. */
  | { readonly requested: true }
  /** Waits until the application has answered each order so far. */
  | { readonly answered: true }
  | { readonly advance: Millis }
  | { readonly topUp: Kes }
  | { readonly wait: Millis }
  /** Waits until orders are answered and nothing happens any more. A manual clock stands still. */
  | { readonly quiet: true }
  | { readonly restart: true }
  /** Sends a callback for an order that the gateway did not send. */
  | { readonly stranger: ApplicationOrder }
  /** While the gateway holds its answer: whether the order is paid already. */
  | { readonly held: ApplicationOrder };

/** Returns how many orders the application may have at once that it has not answered yet. */
export function mostAtOnce(steps: readonly TrialStep[]): number {
  let [open, most] = [0, 0];
  for (const step of steps) {
    if ("quiet" in step || "answered" in step) open = 0;
    if (!("place" in step)) continue;
    const { place, isAtOnce } = step;
    most = Math.max(most, open + (isAtOnce ? place.length : Math.min(1, place.length)));
    // Of several in turn, each is answered before the next.
    if (isAtOnce || place.length === 1) open += place.length;
  }
  return most;
}

/** What of the steps is in no event. */
export interface Marks {
  /** How many events there were when the application was told to restart, if it was. */
  readonly restartedAt: number | undefined;
  /** How many there were when it was seen to have gone down; undefined if it went on listening. */
  readonly wentDownAt: number | undefined;
  /** How many there were when each wait began. */
  readonly waitedAt: readonly number[];
  readonly stranger: SentByStranger | undefined;
}

/** Wall time between two orders that are placed one after the other. */
const BETWEEN_ORDERS_MILLIS: Millis = 25;

/** Many applications work for half a second after they have answered, and a restart then would meet an order in progress. */
const SHORTEST_QUIET_MILLIS: Millis = SECOND;

interface StepsOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly placed: Placing;
  readonly restarts: Restarts;
  readonly quiet: Omit<Parameters<typeof waitUntilQuiet>[0], "isManual" | "settle" | "isOver">;
  /** Wall time after which nothing more is expected. */
  readonly settle: () => Millis;
  /** Notes whether an order is paid while the gateway holds its answer. */
  readonly noteHeld: (order: ApplicationOrder) => Promise<void>;
  /** Adds up where the time goes. */
  readonly time?: TimeSheet;
}

/** Carries out the steps of a trial. */
export class Steps {
  readonly #options: StepsOptions;
  readonly marks: Writable<Omit<Marks, "waitedAt">> & { readonly waitedAt: number[] } = {
    restartedAt: undefined,
    wentDownAt: undefined,
    waitedAt: [],
    stranger: undefined,
  };

  constructor(options: StepsOptions) {
    this.#options = options;
  }

  async carryOut(step: TrialStep): Promise<void> {
    const { environment, placed, noteHeld } = this.#options;
    if ("place" in step) await this.#place(step);
    else if ("requested" in step) await this.#untilRequested();
    else if ("answered" in step) await placed.whenAnswered();
    else if ("held" in step) await noteHeld(step.held);
    else if ("quiet" in step) await this.#untilQuiet();
    else if ("restart" in step) await this.#restart();
    else if ("stranger" in step) await this.#sendAsStranger(step.stranger);
    else if ("wait" in step) await this.#wait(step.wait);
    else if ("topUp" in step) await environment.account.topUp(step.topUp);
    else await environment.account.advance(step.advance);
  }

  async #place({ place, isAtOnce }: Extract<TrialStep, { place: unknown }>): Promise<void> {
    const { environment, placed } = this.#options;
    const { account, pause, interruption } = environment;
    // An application may answer only after its callback, so one order alone is not waited for.
    const areTogether = isAtOnce || place.length === 1;
    for (const order of place) {
      if (placed.isNumberKnown(order)) {
        const { events } = await account.journal();
        placed.noteRequestsBefore(order, requestsNaming(order, requestsOfBackend(events)).length);
      }
      const placing = placed.place(order);
      if (areTogether) continue;
      await placing;
      await pause(BETWEEN_ORDERS_MILLIS, interruption);
    }
  }

  async #untilRequested(): Promise<void> {
    const { application, environment, placed } = this.#options;
    const reached = placed.orders.map((order) => {
      // Those before were for each of its recipients.
      const requests = Math.ceil(placed.requestsBefore(order) / numbersOf(order).length) + 1;
      const requested = environment.account.untilRequested(order.phoneNumber, application.settle, requests);
      return Promise.race([requested, placed.whenRefused(order)]);
    });
    await Promise.all(reached);
  }

  async #untilQuiet(): Promise<void> {
    const { quiet, settle, placed } = this.#options;
    const longEnough = (): Millis => Math.max(settle(), SHORTEST_QUIET_MILLIS);
    await waitUntilQuiet({ ...quiet, isManual: false, settle: longEnough, isOver: async () => false });
    await placed.noteKnown();
  }

  async #wait(millis: Millis): Promise<void> {
    const { account, pause, interruption } = this.#options.environment;
    this.marks.waitedAt.push((await account.journal()).events.length);
    await pause(millis, interruption);
  }

  /** Sends nothing if the application has not answered the order, or the gateway has settled it or does not know it. */
  async #sendAsStranger(ordered: ApplicationOrder): Promise<void> {
    const { application, environment, placed } = this.#options;
    await Promise.race([placed.whenAnswered(), environment.pause(application.settle, environment.interruption)]);
    const order = placed.find(ordered);
    const state = foldJournal((await environment.account.journal()).events);
    const accepted = state && [...state.transactions.values()].map((one) => one.accepted);
    const requestId = accepted?.find((one) => one.order.phoneNumber === order?.phoneNumber)?.requestId;
    if (order === undefined || state === undefined || requestId === undefined) return;
    const before = await application.status(order);
    const sent = await sendStrangersCallback(application, state, requestId);
    this.marks.stranger = sent && { ...sent, before };
  }

  async #restart(): Promise<void> {
    const { environment, placed, restarts, time } = this.#options;
    const { events } = await environment.account.journal();
    this.marks.restartedAt = events.length;
    placed.noteRestart(events);
    const noteDown = async (): Promise<void> => {
      this.marks.wentDownAt = (await environment.account.journal()).events.length;
    };
    const work = (): Promise<string | undefined> => restarts.restart(noteDown);
    const problem = await (time?.spend("restarting_ms", work) ?? work());
    if (problem !== undefined) throw new NoVerdict(problem);
  }
}
