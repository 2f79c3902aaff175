import { randomUUID } from "node:crypto";
import type { OrderForm, OrderKind } from "./order-form.ts";

/** Where an order is. */
export type Standing =
  | { readonly status: "queued" }
  | { readonly status: "sending" }
  /** It may have been carried out or not: only a report or a person can tell. */
  | { readonly status: "unknown"; readonly why: string }
  | { readonly status: "accepted"; readonly requestId: string }
  | { readonly status: "paid"; readonly requestId: string; readonly cents: number }
  | { readonly status: "failed"; readonly reason: string; readonly requestId?: string };

export interface SoundOrder {
  readonly id: string;
  readonly kind: OrderKind;
  readonly customer: string;
  readonly phoneNumber: string;
  /** The amount of a top-up, or the text of a message. */
  readonly content: string;
  /** In cents, the discount not counted; what an SMS costs at least. */
  readonly price: number;
  standing: Standing;
  /** Refusals so far. */
  tries: number;
  credited: number;
  /** A later report said the opposite of the one that was booked. */
  isContradicted: boolean;
}

/** An order as the gateway wants it: 254 and nine digits, the amount as text, and no character that makes a message dearer. */
export function takeOrder(form: OrderForm): SoundOrder {
  const isAirtime = form.kind === "airtime";
  return {
    id: form.id ?? randomUUID(),
    kind: form.kind,
    customer: form.customer,
    phoneNumber: inInternationalForm(form.phone_number),
    content: isAirtime ? String(form.amount) : spellCheaply(form.message),
    price: isAirtime ? Math.round(Number(form.amount) * 100) : 100,
    standing: { status: "queued" },
    tries: 0,
    credited: 0,
    isContradicted: false,
  };
}

/** Sections 2.1 and 2.2 of the gateway's document. */
export function wireBody({ kind, phoneNumber: phone_number, content }: SoundOrder): unknown {
  return kind === "airtime"
    ? { phone_number, amount: content }
    : { phone_number, message: content, sender_id: "SANDBOX" };
}

export function showOrder({ id, kind, customer, standing, credited, isContradicted }: SoundOrder): unknown {
  return { id, kind, customer, ...standing, credited, contradicted: isContradicted };
}

function inInternationalForm(phoneNumber: string): string {
  const digits = phoneNumber.replaceAll(/[^0-9]/g, "");
  return digits.startsWith("0") ? `254${digits.slice(1)}` : digits;
}

/** Characters outside the GSM set that a word processor puts in, and what says the same within it. */
const CHEAPER: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
  "\u00A0": " ",
};

function spellCheaply(message: string): string {
  return message.replaceAll(/[‘’“”–—…\u00A0]/g, (character) => CHEAPER[character] ?? character);
}
