import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Application, Shown } from "../application/application.ts";
import { DEFECTS } from "../orders/verdicts.ts";
import { type FollowedOrder, type JudgedOrder, judgeFollowed } from "../orders/followed-order.ts";
import { readOrderTruth } from "../orders/order-truth.ts";
import { describeDebit, possibleDebits } from "../orders/possible-debits.ts";
import { type Kes, NO_MONEY, subtractKes } from "../../gateway/domain/kes.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import { findInJournal } from "../checks/findings.ts";
import { printCents } from "../../gateway/scenario/values.ts";
import { describeCount, failed, notAssessed, passed } from "./grade/evidence.ts";
import type { Check, Verdict } from "./report.ts";
import type { OrderUnderTest, RunState } from "./steps/run-state.ts";
import { untilQuiet } from "./until-quiet.ts";

/** Wall time for which every order must stay right. */
const STAYS_RIGHT: Millis = 500;

/** The state of one order at the end, and what is wrong with it. */
export interface OrderOutcome extends JudgedOrder {
  readonly followed: FollowedOrder;
  readonly balanceAfter: Shown<Kes>;
}

/**
 * Lets everything happen that the orders lead to, and asks the application about them. Ends when all orders are right, or when the
 * application had its time to settle after the last event.
 */
export async function followOrders(run: RunState): Promise<OrderOutcome[]> {
  const { application, orders, environment, clock } = run;
  if (application === undefined || orders.length === 0) {
    await untilQuiet({ environment, isManual: false, settle: () => 0 });
    return [];
  }
  let rightSince: Instant | undefined;
  const judge = (kept: JournalSlice): Promise<OrderOutcome[]> =>
    Promise.all(orders.map((order) => judgeOne(order, { run, application, kept })));
  const isOver = async (kept: JournalSlice): Promise<boolean> => {
    const isRight = (await judge(kept)).every(({ verdict }) => verdict === "right");
    const now = environment.clock.now();
    rightSince = isRight ? (rightSince ?? now) : undefined;
    return rightSince !== undefined && now - rightSince >= STAYS_RIGHT;
  };
  const settle = (): Millis => application.settle;
  return judge(
    await untilQuiet({ environment, isManual: clock === "manual", settle, isOver, tick: () => application.tick() }),
  );
}

interface Followed {
  readonly run: RunState;
  readonly application: Application;
  readonly kept: JournalSlice;
}

async function judgeOne(
  { placed, balanceBefore }: OrderUnderTest,
  { run, application, kept }: Followed,
): Promise<OrderOutcome> {
  const truth = readOrderTruth(kept.events, placed.phoneNumber);
  const balanceAfter = await application.balance(placed);
  const isOwn = run.orders.length === 1 || !application.hasSharedBalance;
  const isKnown = isOwn && "value" in balanceBefore && "value" in balanceAfter;
  const followed: FollowedOrder = {
    placed,
    truth,
    claimed: await application.status(placed),
    debited: isKnown
      ? { value: subtractKes(balanceBefore.value, balanceAfter.value) }
      : { missing: "it cannot be determined for this order alone" },
    price: application.priceOf(placed),
    books: await application.books(placed),
  };
  const findings = findInJournal(kept, { report: run.environment.report });
  return { followed, balanceAfter, ...judgeFollowed(followed, { events: kept.events, findings }) };
}

/** Returns the built-in checks of all orders, which need no expectations. */
export function judgeOrders(outcomes: readonly OrderOutcome[], run: RunState): Check[] {
  if (outcomes.length === 0) return [];
  return [
    { name: "each order ends right", verdict: verdictOn(outcomes), isAboutMoney: true },
    ...judgeSharedBalance(outcomes, run),
  ];
}

function verdictOn(outcomes: readonly OrderOutcome[]): Verdict {
  const wrong = outcomes.flatMap(({ defect, followed }) => (defect === undefined ? [] : [{ defect, followed }]));
  if (wrong.length > 0) {
    const kinds = [...new Set(wrong.map(({ defect }) => defect.kind))];
    const told = kinds.map((kind) => {
      const same = wrong.filter(({ defect }) => defect.kind === kind);
      const orders = same.map(
        ({ defect, followed }) =>
          `${followed.placed.phoneNumber}: ${[defect.seen, ...defect.follows].map(withoutStop).join("; ")}`,
      );
      return `${DEFECTS[kind].wrong} (${orders.join(" · ")}). ${DEFECTS[kind].repair}`;
    });
    const count = outcomes.length === 1 ? "" : `${wrong.length} of ${outcomes.length} orders: `;
    return failed(
      `${count}${told.join(" ")}`,
      wrong.flatMap(({ defect }) => defect.exchanges),
    );
  }
  const open = outcomes.find(({ verdict }) => verdict === "not assessed");
  if (open !== undefined)
    return notAssessed(`an answer about the order to ${open.followed.placed.phoneNumber}: ${open.remark ?? ""}`);
  return passed(describeClaims(outcomes));
}

function difference(before: Shown<Kes> | undefined, after: Shown<Kes> | undefined): Kes | undefined {
  if (before === undefined || after === undefined || "missing" in before || "missing" in after) return undefined;
  return subtractKes(before.value, after.value);
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function describeClaims(outcomes: readonly OrderOutcome[]): string {
  const claims = ["paid", "failed", "open"] as const;
  const counts = claims.flatMap((claim) => {
    const count = outcomes.filter(({ followed }) => followed.claimed.claim === claim).length;
    return count === 0 ? [] : [`${count} ${claim === "open" ? "open for a person to decide" : claim}`];
  });
  return `${describeCount(outcomes.length, "order")}: ${counts.join(", ")}`;
}

/** Checks what the customer paid for several orders. An open order may have been paid for or not. */
function judgeSharedBalance(outcomes: readonly OrderOutcome[], { application, orders }: RunState): Check[] {
  const isShared = application !== undefined && outcomes.length > 1 && application.hasSharedBalance;
  const debited = difference(orders[0]?.balanceBefore, outcomes.at(-1)?.balanceAfter);
  if (!isShared || debited === undefined) return [];
  const priced = outcomes.flatMap(({ followed: { price, claimed } }) =>
    price === undefined || claimed.claim === "not asked" ? [] : [{ price, claim: claimed.claim }],
  );
  if (priced.length < outcomes.length) return [];
  const possible = possibleDebits(priced);
  const cost = [...new Set([possible.at(0), possible.at(-1)])].map((sum = NO_MONEY) => printCents(sum)).join(" to ");
  const seen = `the customer was ${describeDebit(debited)} for ${describeClaims(outcomes)}`;
  const name = "the customer pays each order once";
  return [
    {
      name,
      verdict: possible.includes(debited) ? passed(seen) : failed(`${seen}, which cost KES ${cost}`),
      isAboutMoney: true,
    },
  ];
}
