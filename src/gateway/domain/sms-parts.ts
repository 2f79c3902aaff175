import type * as z from "zod";
import type { Immutable } from "./immutable.ts";
import { countSeptets, gsmSpelling, isGsm, septetsOf } from "./gsm-alphabet.ts";
import type { measure } from "./schemas.ts";

export type SmsMeasure = Immutable<z.output<typeof measure>>;

export interface SplitSms extends SmsMeasure {
  /** The text of each part. Joined, they are the message. */
  readonly texts: readonly string[];
}

/** A character outside the GSM alphabet, which forces the whole message into UCS-2. */
export interface CostlyCharacter {
  readonly character: string;
  readonly count: number;
  /** Its positions, counted in code points from 0. */
  readonly positions: readonly number[];
  /** The obvious replacement in GSM characters, if there is one; an empty string for an invisible character. */
  readonly cheaper: string | undefined;
}

/** The payload of a single-part message is 140 octets: 160 septets or 70 UCS-2 units (3GPP TS 23.040 §9.2.3.16, TS 23.038 §6.2). */
const SINGLE_GSM7 = 160;
const SINGLE_UCS2 = 70;

/** Parts of a longer message lose six octets (seven septets with the fill bit) to the header (3GPP TS 23.040 §9.2.3.24.1). */
const CONCATENATED_GSM7 = 153;

/** With the same header, a UCS-2 part holds 67 units. The gateway's document, section 8, says 70. */
export type Ucs2Concatenated = 70 | 67;

/** Returns where the part that begins at `start` ends. */
type PartEnd = (message: string, start: number) => number;

/** Measures a message without lone surrogates. An empty message has no parts. */
export function measureSms(message: string, ucs2Concatenated: Ucs2Concatenated): SmsMeasure {
  const septets = countSeptets(message);
  if (septets === undefined) return measureUcs2(message, ucs2Concatenated);
  const parts = septets > SINGLE_GSM7 ? countParts(message, gsm7PartEnd) : Math.min(septets, 1);
  return { encoding: "GSM-7", characters: message.length, units: septets, parts };
}

/** Measures a message and splits its text into parts. */
export function splitSms(message: string, ucs2Concatenated: Ucs2Concatenated): SplitSms {
  const measure = measureSms(message, ucs2Concatenated);
  if (measure.parts <= 1) return { ...measure, texts: message === "" ? [] : [message] };
  return {
    ...measure,
    texts: cut(message, measure.encoding === "GSM-7" ? gsm7PartEnd : ucs2PartEnd(ucs2Concatenated)),
  };
}

/** Lists the characters that force UCS-2, in order of first appearance. Empty if the message fits the GSM alphabet. */
export function costlyCharacters(message: string): readonly CostlyCharacter[] {
  const positions = new Map<string, number[]>();
  Array.from(message).forEach((character, index) => {
    if (septetsOf(character.codePointAt(0) ?? 0) > 0) return;
    const known = positions.get(character);
    if (known === undefined) positions.set(character, [index]);
    else known.push(index);
  });
  return [...positions].map(([character, at]) => ({
    character,
    count: at.length,
    positions: at,
    cheaper: gsmSpelling(character),
  }));
}

/** Returns the message with plain characters in place of those that force UCS-2, as far as they have a spelling. */
export function spellPlainly(message: string): string {
  return Array.from(message, (character) => (isGsm(character) ? undefined : gsmSpelling(character)) ?? character).join(
    "",
  );
}

function measureUcs2(message: string, ucs2Concatenated: Ucs2Concatenated): SmsMeasure {
  const units = message.length;
  const parts = units > SINGLE_UCS2 ? countParts(message, ucs2PartEnd(ucs2Concatenated)) : 1;
  return { encoding: "UCS-2", characters: countCodePoints(message), units, parts };
}

function countCodePoints(message: string): number {
  let count = message.length;
  for (let index = 0; index < message.length; index += 1) {
    if (isHighSurrogate(message.charCodeAt(index))) count -= 1;
  }
  return count;
}

function countParts(message: string, partEnd: PartEnd): number {
  let parts = 0;
  for (let start = 0; start < message.length; start = partEnd(message, start)) parts += 1;
  return parts;
}

function cut(message: string, partEnd: PartEnd): readonly string[] {
  const texts: string[] = [];
  for (let start = 0; start < message.length;) {
    const end = partEnd(message, start);
    texts.push(message.slice(start, end));
    start = end;
  }
  return texts;
}

/**
 * An escape pair must not be split (3GPP TS 23.040 §9.2.3.24.1). A pair that would begin on the last septet moves to the next part, so the
 * part has 152.
 */
function gsm7PartEnd(message: string, start: number): number {
  let end = start;
  for (let room = CONCATENATED_GSM7; end < message.length; end += 1) {
    room -= septetsOf(message.charCodeAt(end));
    if (room < 0) return end;
  }
  return end;
}

/** Half a surrogate pair would show as garbage, so a pair that would begin on the last unit moves to the next part. */
function ucs2PartEnd(size: Ucs2Concatenated): PartEnd {
  return (message, start) => {
    const end = start + size;
    if (end >= message.length) return message.length;
    return isHighSurrogate(message.charCodeAt(end - 1)) ? end - 1 : end;
  };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
