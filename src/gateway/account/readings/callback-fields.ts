import { type Kes, kesAsNumber } from "../../domain/kes.ts";
import { isUnresolved, latestResult, type Resolved, type Transaction } from "../transaction.ts";
import { numberIn, type ReceivedCallback, readCallback, saysOf } from "./callback.ts";
import { findFields, type Place } from "./json-places.ts";
import { readObject } from "./json-object.ts";

/** A part of a callback that is not as the carrier's result has it. */
export interface WrongField {
  /** The name of the field or of the header; undefined if the body is no JSON object. */
  readonly field?: "request_id" | "result_code" | "charge" | "account_balance" | "content-type";
  /** Where it stands in the body; undefined for a header, and for what is missing. */
  readonly place?: Place;
  /** What is wrong with it: "unknown id: nobody was given it", "says failed, but the order was delivered". */
  readonly problem: string;
  /** What it should be. */
  readonly expected?: string;
}

type IsGiven = (requestId: string) => boolean | undefined;

/**
 * Compares the bytes of a callback with the result of its order, and returns what is wrong, in the order of the bytes. Numbers may be texts.
 * `isGiven` tells whether an id is that of another order, if that is known.
 */
export function findWrongFields(
  callback: ReceivedCallback,
  { accepted, progress }: Pick<Transaction, "accepted" | "progress">,
  isGiven: IsGiven = () => false,
): readonly WrongField[] {
  if (isUnresolved(progress)) return [];
  const found = findFields(callback.body);
  const type = wrongType(callback);
  if ("broken" in found) return [...type, brokenBody(found.broken, callback.body)];
  const values = readObject(callback.body) ?? {};
  const wrong = [wrongId(values["request_id"], accepted.requestId, isGiven), ...wrongResult(values, progress)].flatMap(
    (one): WrongField[] => (one === undefined ? [] : [{ ...one, place: placeOf(one, found.fields) }]),
  );
  return [...type, ...wrong.toSorted((one, other) => (one.place?.from ?? 0) - (other.place?.from ?? 0))];
}

function placeOf({ field }: WrongField, fields: ReadonlyMap<string, Place>): Place | undefined {
  return field === undefined ? undefined : fields.get(field);
}

/** The words of the reading itself, which sees the type before the body. */
function wrongType(callback: ReceivedCallback): readonly WrongField[] {
  const reading = readCallback(callback);
  if (reading.says !== "unreadable" || !reading.why.startsWith("wrong type")) return [];
  return [{ field: "content-type", problem: reading.why, expected: "application/json" }];
}

function brokenBody(place: Place, body: string): WrongField {
  if (body.trim() === "") return { place, problem: "not JSON: there is no body" };
  if (place.from === place.to) return { place, problem: "not JSON: it ends before it is whole" };
  return { place, problem: place.from === 0 ? "not a JSON object" : "not JSON from here on" };
}

function wrongId(id: unknown, own: string, isGiven: IsGiven): WrongField | undefined {
  const [field, expected] = ["request_id", own] as const;
  if (id === own) return undefined;
  if (id === undefined) return { field, problem: "no request_id", expected };
  if (typeof id !== "string") return { field, problem: "no request_id: it is not a text", expected };
  const given = isGiven(id);
  if (given === undefined) return { field, problem: "not the id of this order", expected };
  return { field, problem: given ? "the id of another order" : "unknown id: nobody was given it", expected };
}

type Fields = Readonly<Record<string, unknown>>;

/** A reversal is another result of the same order, which also says failed. */
function wrongResult(values: Fields, progress: Resolved): readonly (WrongField | undefined)[] {
  const code = numberIn(values["result_code"]);
  const reversal = latestResult(progress);
  const isOfReversal = code === reversal.resultCode && saysOf(code) !== saysOf(progress.settled.resultCode);
  const { resultCode, charge, available } = isOfReversal ? reversal : progress.settled;
  return [
    wrongCode(values["result_code"], code, resultCode),
    wrongAmount("charge", values["charge"], charge),
    wrongAmount("account_balance", values["account_balance"], available),
  ];
}

function wrongCode(written: unknown, code: number | undefined, right: number): WrongField | undefined {
  const [field, expected] = ["result_code", String(right)] as const;
  if (code === right) return undefined;
  if (code === undefined)
    return { field, problem: `no result_code${written === undefined ? "" : ": it is not a number"}`, expected };
  const [said, was] = [saysOf(code), saysOf(right)];
  return {
    field,
    problem:
      said === was
        ? "not the result's code"
        : `says ${said}, but the order ${was === "failed" ? was : "was delivered"}`,
    expected,
  };
}

/** What is missing says nothing wrong. */
function wrongAmount(field: "charge" | "account_balance", written: unknown, amount: Kes): WrongField | undefined {
  const right = kesAsNumber(amount);
  if (written === undefined || numberIn(written) === right) return undefined;
  return {
    field,
    problem: field === "charge" ? "not what was charged" : "not the balance after it",
    expected: String(right),
  };
}
