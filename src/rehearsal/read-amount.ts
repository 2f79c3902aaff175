import { cents, type Kes, parseKes } from "../domain/kes.ts";

/** An amount in an application's answer, also below zero. Numbers are read in their shortest form, so that 0.1 + 0.2 is no amount. */
export function readAmount(value: unknown): Kes | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value);
  const amount = parseKes(text.replace(/^-/, ""));
  return amount === undefined || !text.startsWith("-") ? amount : cents(-amount);
}
