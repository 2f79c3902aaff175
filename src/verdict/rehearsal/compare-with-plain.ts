import { explainAmbiguous } from "../orders/delivery.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { judgeShared, mayBeRefunded, judgeBalance } from "../orders/judge-money.ts";
import { NoVerdict } from "../trial/environment.ts";
import { explainOtherPrice, explainBooks, explainUnreadMoney } from "../orders/unread-money.ts";
import type { Rehearsal } from "./rehearsal-schema.ts";
import { numbersOf } from "../../gateway/account/readings/requests-of-orders.ts";
import { NO_MONEY } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { AppMap } from "../application/app-map.ts";
import type { Application } from "../application/application.ts";
import { judgeSurplus, lacksCharge } from "../orders/judge-books.ts";
import type { Questions } from "../trial/questions.ts";
import { hasLeft } from "../trial/plain-orders.ts";
import type { Evidence, Trial, TrialRunner } from "../trial/run-trial.ts";
import { type Performance, stepsOf } from "./rehearsal-steps.ts";

/** Returns whether a plain order must tell what an SMS costs before one is judged, because the map does not. */
export function needsPrice({ steps }: Rehearsal, application: Application): boolean {
  const isOrdered = steps.some(({ order = [] }) => order.some(({ operation }) => operation === "sms"));
  const isSold = application.map.balance !== undefined && application.operations.includes("sms");
  const any = { operation: "sms", amount: 0, charged: NO_MONEY, parts: 1 } as const;
  return isOrdered && isSold && application.priceOf(any) === undefined;
}

/**
 * Compares with a plain order what it alone can tell: whether something else that was delivered or debited may be meant, whether money that
 * was not shown never is, whether the first balance was an old one, what a part costs, and whether an order without a debit was given back.
 * Throws `NoVerdict` in all but the last two cases.
 */
export async function compareWithPlain(
  evidence: Evidence,
  runner: TrialRunner,
  options: Performance,
): Promise<Evidence> {
  const { map } = options.application;
  const { questions } = runner;
  await tellWhetherBooksEnd(evidence, runner, options);
  const doubtful = evidence.orders.filter((order) => evidence.imbalance !== undefined || isDoubtful(order, map));
  for (const operation of new Set(doubtful.map(({ placed }) => placed.operation))) {
    const plain = await placePlain(operation, runner, options);
    const [order] = plain.orders;
    if (order === undefined) continue;
    const unclear = explainPlain(order, map) ?? (plain.isTooBusy ? undefined : explainOtherPrice(order));
    if (unclear !== undefined) throw new NoVerdict(unclear);
    if (questions.balances.wasFirstOld) throw new NoVerdict(FIRST_WAS_OLD);
  }
  const orders = evidence.orders.map((one) => {
    const { price, unrounded, ...compared } = questions.plain.compare(one.placed, one.truth);
    // The money of other orders was not waited for by a price that is known only now.
    const priced = compared.part && { price, unrounded };
    const mostHeld = one.mostHeld && compared.mostHeld;
    const books = "value" in one.books && questions.books.isWhole ? { ...one.books, endsAt: undefined } : one.books;
    const isPaidFirst = questions.plain.isPaidFirst(one.placed);
    const isProvenTold = questions.words.proveTold(one);
    return { ...one, ...compared, mostHeld, ...priced, books, isPaidFirst, isProvenTold };
  });
  const { total } = evidence;
  const surplus = judgeSurplus(orders, evidence.kept.events);
  if (total === undefined) return { ...evidence, orders, imbalance: surplus };
  const shared = judgeShared(orders, total);
  return { ...evidence, ...shared, imbalance: shared.imbalance ?? surplus };
}

/** Places a plain order after those whose charges are not in the books, if the list may only end before them. Throws `NoVerdict` if it does. */
async function tellWhetherBooksEnd(
  { orders, kept }: Evidence,
  runner: TrialRunner,
  options: Performance,
): Promise<void> {
  const lacking = orders.find((order) => lacksCharge(order, kept.events));
  if (lacking === undefined) return;
  const [plain] = (await placePlain(lacking.placed.operation, runner, { ...options, isContinued: true })).orders;
  const unclear = plain && explainBooks(plain);
  if (unclear !== undefined) throw new NoVerdict(unclear);
}

/** Returns whether a plain order may tell more of this one. */
function isDoubtful(order: OrderEvidence, map: AppMap): boolean {
  const { difference, part, requests = 1, truth, placed } = order;
  // A plain order may take as many.
  const isOfMore = truth.accepted > requests * numbersOf(placed).length;
  if (isOfMore || difference?.of === "amount" || part !== undefined || mayBeRefunded(order)) return true;
  if (isExcused(order)) return true;
  const doubt = explainAmbiguous(order, map) ?? explainUnreadMoney(order, map);
  return doubt !== undefined || judgeBalance(order).length > 0;
}

/** Returns whether only what the application shows of an order proves that it was told, which a plain order may refute. */
function isExcused({ claimed, truth, isProvenTold, isForReview }: OrderEvidence): boolean {
  const isOpenThoughTold = claimed.claim === "open" && truth.isNotified && truth.delivered.length === 0;
  return isOpenThoughTold && isProvenTold === true && isForReview !== true;
}

function explainPlain(order: OrderEvidence, map: AppMap): string | undefined {
  const ambiguous = explainAmbiguous(order, map);
  return ambiguous ?? (order.truth.delivered.length > 0 ? explainUnreadMoney(order, map) : undefined);
}

const FIRST_WAS_OLD =
  "Before the first order, the application showed a balance that was no longer so. Rehearse again in a few seconds.";

type PlainOptions = Pick<Performance, "application" | "environment" | "runId"> & Pick<Trial, "isContinued">;

type PlainRunner = Pick<TrialRunner, "run"> & { readonly questions: Pick<Questions, "plain"> };

/** Places a plain order, and learns from it. */
export async function placePlain(operation: Operation, runner: PlainRunner, options: PlainOptions): Promise<Evidence> {
  const isHeld = options.application.map.balance !== undefined;
  const first = await runPlain(operation, runner, { ...options, isHeld });
  const plain = isHeld && first.orders.some(hasLeft) ? await runPlain(operation, runner, options) : first;
  const [order] = plain.orders;
  if (order?.claimed.claim === "paid" && !order.truth.isSoldTwice) runner.questions.plain.learn(order);
  return plain;
}

function runPlain(
  operation: Operation,
  runner: PlainRunner,
  { isHeld = false, ...options }: PlainOptions & { readonly isHeld?: boolean },
): Promise<Evidence> {
  const { environment, runId: name, isContinued } = options;
  const steps = stepsOf({ steps: [{ order: [{ operation, count: 1, at_once: false }] }] }, options);
  const orders = steps.flatMap((step) => ("place" in step ? step.place : []));
  const held = isHeld ? orders.map((order) => ({ held: order })) : [];
  const { seed } = environment;
  const clock = { mode: "manual" } as const;
  const trial = { name, clock, scenarios: [], steps: [...steps, ...held], seed, untold: orders[0], isContinued };
  return runner.run({ ...trial, isPatient: true });
}
