import { addKes, type Kes, NO_MONEY, type Wallet } from "../domain/kes.ts";
import { messageOf } from "../domain/message-of.ts";
import type { AccountEvent, Snapshot } from "./account-event.ts";
import { apply, foldJournal } from "./apply.ts";
import type { AccountState } from "./state.ts";
import { isPending, isUnresolved } from "./transaction.ts";
import { counted } from "../domain/counted.ts";

/** Throws an Error that explains what is wrong if a journal is inconsistent. */
export function checkJournal(events: readonly AccountEvent[]): void {
  let state: AccountState | undefined;
  for (const [index, event] of events.entries()) {
    try {
      checkUnique(event, state);
      state = apply(state, event);
    } catch (error) {
      throw new Error(`events[${index}]: ${messageOf(error)}`, { cause: error });
    }
  }
  if (state === undefined) throw new Error("a journal has at least one event");
  checkSums(state);
}

/** Each order is accepted once. */
function checkUnique(event: AccountEvent, state: AccountState | undefined): void {
  if (event.kind === "accepted" && state?.transactions.has(event.requestId))
    throw new Error(`the order ${event.requestId} is accepted a second time`);
  if (event.kind !== "snapshot") return;
  const known = new Set<string>();
  for (const { accepted } of event.state.transactions) {
    if (known.has(accepted.requestId)) throw new Error(`the snapshot has the order ${accepted.requestId} twice`);
    known.add(accepted.requestId);
  }
  if (event.earlier !== undefined) checkEarlier(event.earlier, event.state.wallet);
}

/** What a snapshot keeps from before has every movement of money. */
function checkEarlier(earlier: NonNullable<Snapshot["earlier"]>, { balance, held }: Wallet): void {
  const wallet = foldJournal(earlier.map(({ event }) => event))?.wallet;
  if (wallet?.balance !== balance || wallet.held !== held)
    throw new Error("the orders before the snapshot do not lead to its wallet");
}

function checkSums({ wallet, transactions, pending, stuck, requests }: AccountState): void {
  const all = [...transactions.values()];
  const held = all.reduce<Kes>(
    (sum, { accepted, progress }) => (isUnresolved(progress) ? addKes(sum, accepted.hold) : sum),
    NO_MONEY,
  );
  if (held !== wallet.held)
    throw new Error(`the wallet holds ${wallet.held} cents, but the unresolved transactions hold ${held}`);
  if (wallet.balance < wallet.held)
    throw new Error(`the wallet holds ${wallet.held} cents but has only ${wallet.balance}`);
  const toCome = all.filter((transaction) => isPending(transaction)).length;
  if (toCome !== pending)
    throw new Error(`the journal counts ${counted(pending, "pending transaction")}, not ${toCome}`);
  const never = all.filter(({ progress }) => progress.state === "stuck").length;
  if (never !== stuck) throw new Error(`the journal counts ${counted(stuck, "stuck transaction")}, not ${never}`);
  if (requests < all.length)
    throw new Error(
      `the journal counts ${counted(requests, "request")}, fewer than its ${counted(all.length, "transaction")}`,
    );
}
