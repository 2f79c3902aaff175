import { isUnsettled, type Resolved, type Transaction } from "../../../account/transaction.ts";
import type { Carrier } from "../../../domain/carrier.ts";
import type { Instant } from "../../../domain/time.ts";
import type { Row } from "../../live/book.ts";

/** What was sent and has its result, good or bad. */
export type Settled = Transaction & { readonly progress: Resolved };

/** One recipient's phone, as its latest order found it. */
export interface Phone {
  readonly number: string;
  carrier: Carrier;
  ported: boolean;
  /** In the order in which they settled. */
  readonly settled: Settled[];
  /** What has no result yet, in the order in which it was accepted. */
  readonly pending: Set<Transaction>;
  /** What happened last here: something accepted, or something settled. */
  newest: Transaction;
}

/** The phones of an account, which grow with its rows. */
export class PhoneBook {
  /** The one where something happened last stands last. */
  readonly #phones = new Map<string, Phone>();
  readonly #pending = new Set<Transaction>();
  #read = 0;
  #last: Row | undefined;

  /** Takes in what is new in the rows, and answers what has arrived meanwhile; nothing where they are others than before. */
  refresh(rows: readonly Row[]): readonly Settled[] {
    const goesOn = this.#read > 0 && rows[this.#read - 1] === this.#last;
    if (!goesOn) this.#forget();
    const accepted = rows.slice(this.#read).flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction]));
    this.#read = rows.length;
    this.#last = rows.at(-1);
    for (const transaction of accepted) this.#pending.add(transaction);
    const settled = [...this.#pending].filter(isSettled).sort((one, other) => one.progress.order - other.progress.order);
    for (const step of inOrder(accepted, settled)) this.#take(step);
    return goesOn ? settled.filter(hasArrived) : [];
  }

  find(number: string): Phone | undefined {
    return this.#phones.get(number);
  }

  newestFirst(): Phone[] {
    return [...this.#phones.values()].reverse();
  }

  #forget(): void {
    this.#phones.clear();
    this.#pending.clear();
    this.#read = 0;
  }

  #take({ transaction, is }: Step): void {
    const { accepted } = transaction;
    const phone = this.#phones.get(accepted.order.phoneNumber) ?? newPhone(transaction);
    phone.newest = transaction;
    if (is === "accepted") {
      phone.carrier = accepted.carrier;
      phone.ported = accepted.ported;
      phone.pending.add(transaction);
    } else {
      this.#pending.delete(transaction);
      phone.pending.delete(transaction);
      phone.settled.push(transaction);
    }
    this.#phones.delete(phone.number);
    this.#phones.set(phone.number, phone);
  }
}

/** Whether the phone has got it: what the carrier failed never came. */
export function hasArrived({ progress }: Settled): boolean {
  return progress.state === "succeeded";
}

function isSettled(transaction: Transaction): transaction is Settled {
  return !isUnsettled(transaction.progress);
}

type Step =
  | { readonly is: "accepted"; readonly at: Instant; readonly transaction: Transaction }
  | { readonly is: "settled"; readonly at: Instant; readonly transaction: Settled };

/** What happened, as it happened; of two things at one moment, acceptance comes first. */
function inOrder(accepted: readonly Transaction[], settled: readonly Settled[]): Step[] {
  const steps: Step[] = [
    ...accepted.map((transaction) => ({ is: "accepted", at: transaction.accepted.at, transaction }) as const),
    ...settled.map((transaction) => ({ is: "settled", at: transaction.progress.settled.at, transaction }) as const),
  ];
  return steps.sort((one, other) => one.at - other.at);
}

function newPhone(newest: Transaction): Phone {
  const { order, carrier, ported } = newest.accepted;
  return { number: order.phoneNumber, carrier, ported, settled: [], pending: new Set(), newest };
}
