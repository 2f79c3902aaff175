import { type BookEntry, inCents } from "./books.ts";
import type { CarrierReport, OrderKind } from "./order-form.ts";
import type { SoundOrder } from "./sound-order.ts";

/** A report whose request_id belongs to no order yet, or to none at all. */
interface Stray {
  readonly kind: OrderKind;
  readonly report: CarrierReport;
}

/** Brings reports and orders together, in whichever order they come. */
export class Desk {
  readonly #byRequest = new Map<string, SoundOrder>();
  readonly #lost = new Set<SoundOrder>();
  readonly #strays = new Map<string, Stray>();

  acknowledge(order: SoundOrder, requestId: string): void {
    order.standing = { status: "accepted", requestId };
    this.#byRequest.set(requestId, order);
    const early = this.#strays.get(requestId);
    if (early === undefined) return;
    this.#strays.delete(requestId);
    book(order, early.report);
  }

  /** Its acknowledgment never came: it may have been accepted. */
  lose(order: SoundOrder, why: string): void {
    order.standing = { status: "unknown", why };
    this.#lost.add(order);
    for (const stray of this.#strays.values()) this.#findOwner(stray);
  }

  receive(kind: OrderKind, report: CarrierReport): void {
    const order = this.#byRequest.get(report.request_id);
    if (order !== undefined) return book(order, report);
    const stray = { kind, report };
    // The first one counts here too.
    if (this.#strays.has(report.request_id)) return;
    this.#strays.set(report.request_id, stray);
    this.#findOwner(stray);
  }

  entries(): BookEntry[] {
    return [...this.#byRequest.values()].flatMap(({ id, customer, standing }) =>
      standing.status === "paid" ? [{ customer, order: id, requestId: standing.requestId, cents: standing.cents }] : [],
    );
  }

  /** Gives a stray report to the one order that it can only be about; where there are two, or none, a person decides. */
  #findOwner({ kind, report }: Stray): void {
    const candidates = [...this.#lost].filter((order) => order.kind === kind && isAbout(order, report));
    const [order] = candidates;
    if (order === undefined || candidates.length > 1) return;
    this.#lost.delete(order);
    this.acknowledge(order, report.request_id);
  }
}

/** Books what the first report says; a later one changes nothing, and one that says the opposite is put before a person. */
function book(order: SoundOrder, report: CarrierReport): void {
  const { request_id: requestId, result_code: code, result_desc: reason } = report;
  const isPaid = code === 200;
  if (order.standing.status !== "accepted") {
    order.isContradicted ||= (order.standing.status === "paid") !== isPaid;
    return;
  }
  order.standing = isPaid
    ? { status: "paid", requestId, cents: inCents(report.charge) }
    : { status: "failed", reason, requestId };
  if (isPaid) order.credited += 1;
}

/** The most that a carrier takes off; the usual discount is a few percent. */
const LARGEST_DISCOUNT = 0.2;

/** A report of airtime states the top-up (section 2.4 of the gateway's document); that of a message says nothing of its own. */
function isAbout(
  { kind, phoneNumber, price }: SoundOrder,
  { charge, result_code: code, result_desc: text }: CarrierReport,
): boolean {
  if (kind === "sms" || !text.includes(phoneNumber)) return false;
  const cents = inCents(charge);
  return code !== 200 || (cents <= price && cents >= price * (1 - LARGEST_DISCOUNT));
}
