import { addKes, type Kes, NO_MONEY } from "../domain/kes.ts";
import type { AccountEvent } from "./account-event.ts";
import { foldJournal } from "./apply.ts";
import type { AccountState } from "./state.ts";
import { isDone, isUnsettled } from "./transaction.ts";

/** Throws an Error that explains what is wrong if a journal is inconsistent. */
export function checkJournal(events: readonly AccountEvent[]): void {
  const state = foldJournal(events);
  if (state === undefined) throw new Error("a journal has at least one event");
  checkSums(state);
}

function checkSums({ wallet, transactions, unresolved, stuck, requests }: AccountState): void {
  const all = [...transactions.values()];
  const held = all.reduce<Kes>(
    (sum, { accepted, progress }) => (isUnsettled(progress) ? addKes(sum, accepted.hold) : sum),
    NO_MONEY,
  );
  if (held !== wallet.held)
    throw new Error(`the wallet holds ${wallet.held} cents, but the queued transactions hold ${held}`);
  if (wallet.balance < wallet.held)
    throw new Error(`the wallet holds ${wallet.held} cents but has only ${wallet.balance}`);
  const open = all.filter((transaction) => !isDone(transaction)).length;
  if (open !== unresolved)
    throw new Error(`the journal counts ${unresolved} unresolved transactions, but there are ${open}`);
  const never = all.filter(({ progress }) => progress.state === "stuck").length;
  if (never !== stuck) throw new Error(`the journal counts ${stuck} stuck transactions, but there are ${never}`);
  if (requests < all.length)
    throw new Error(`the journal counts ${requests} requests, but there are ${all.length} transactions`);
}
