import { counted } from "../../domain/counted.ts";
import { addKes, NO_MONEY, showKes } from "../../domain/kes.ts";
import { describeKnown, describePartNumbers } from "./describe-order.ts";
import type { DeliveredOrder, RequestReading } from "./request.ts";
import type { SaleReading } from "./sale.ts";

/** Says how often it was asked, sold and told: "asked 2×, sold 2×, told 1×". */
export function describeTimes({ asked, sold, notified }: Pick<SaleReading, "asked" | "sold" | "notified">): string {
  return `asked ${asked}×, sold ${sold}×, told ${notified}×`;
}

/** Says what the backend can know of the requests of a sale, in their order: "nothing, then delivered". */
export function describeKnownInOrder(requests: readonly RequestReading[]): string {
  const known = requests.map(describeKnown);
  return known.filter((words, index) => words !== known[index - 1]).join(", then ");
}

/** Joins what is told of each request of a sale: "no answer ×2, then 200". */
export function joinInOrder(texts: readonly string[]): string {
  const runs: { readonly words: string; times: number }[] = [];
  for (const words of texts) {
    const last = runs.at(-1);
    if (last?.words === words) last.times += 1;
    else runs.push({ words, times: 1 });
  }
  return runs.map(({ words, times }) => (times === 1 ? words : `${words} ×${times}`)).join(", then ");
}

/** Says what the customer got in sum: "KES 150.00", "the message 2×", "KES 50.00, then reversed", "nothing yet". */
export function describeReceived(requests: readonly RequestReading[], { arrived, held }: SaleReading): string {
  const returned = requests.flatMap((one) => (one.refunded === undefined ? [] : (one.delivered ?? [])));
  const got = [describeArrived(arrived), returned.length > 0 && `${describeArrived(returned)}, then reversed`].filter(
    Boolean,
  );
  return got.length > 0 ? got.join("; ") : held > 0 ? "nothing yet" : "nothing";
}

function describeArrived(delivered: readonly DeliveredOrder[]): string {
  const amount = delivered.reduce((sum, one) => ("amount" in one ? addKes(sum, one.amount) : sum), NO_MONEY);
  if (amount > 0) return `KES ${showKes(amount)}`;
  const messages = delivered.flatMap((one) => ("message" in one ? [describeMessage(one)] : []));
  const timesOf = (words: string): number => messages.filter((other) => other === words).length;
  return [...new Set(messages)]
    .map((words) => (timesOf(words) === 1 ? words : `${words} ${timesOf(words)}×`))
    .join(" and ");
}

function describeMessage({ parts }: { readonly parts?: readonly number[] }): string {
  return parts === undefined ? "the message" : `${describePartNumbers(parts)} of the message`;
}

/** Says how much more was sold than asked for: "KES 150.00 given for KES 75.00 asked", "2 messages given for 1 asked". */
export function describeExcess(requests: readonly RequestReading[], { held }: SaleReading): string {
  const sold = requests.flatMap(({ isSold, asked }) => (isSold && asked !== undefined ? [asked] : []));
  const [asked] = sold;
  const verb = held > 0 ? "sold" : "given";
  if (asked === undefined || !("amount" in asked)) return `${counted(sold.length, "message")} ${verb} for 1 asked`;
  const sum = sold.reduce((sum, order) => ("amount" in order ? addKes(sum, order.amount) : sum), NO_MONEY);
  return `KES ${showKes(sum)} ${verb} for KES ${showKes(asked.amount)} asked`;
}

/** Says what was paid in sum: "142.50", "nothing yet, 50.00 held", "71.25, 71.25 held". */
export function describePaid({ charged, held }: SaleReading): string {
  const paid = charged > 0 ? showKes(charged) : held > 0 ? "nothing yet" : "nothing";
  return held > 0 ? `${paid}, ${showKes(held)} held` : paid;
}
