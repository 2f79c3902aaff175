import { mix32 } from "./draws.ts";

export const CARRIERS = ["safaricom", "airtel", "telkom"] as const;
export type Carrier = (typeof CARRIERS)[number];

/** Computes one value per carrier. */
export function forEachCarrier<Value>(valueOf: (carrier: Carrier) => Value): Record<Carrier, Value> {
  return { safaricom: valueOf("safaricom"), airtel: valueOf("airtel"), telkom: valueOf("telkom") };
}

/** A carrier's brand name: "Safaricom". */
export function carrierName(carrier: Carrier): string {
  return carrier.charAt(0).toUpperCase() + carrier.slice(1);
}

export interface Numbering {
  /** The share of numbers, 0 to 1, that another carrier than the prefix's owner serves. */
  readonly ported_share: number;
  /** The carriers of single numbers, regardless of their prefix. */
  readonly ported: Readonly<Record<string, Carrier>>;
  /** Carriers for prefixes (national digits such as "747") that are unassigned here or assigned to another carrier. */
  readonly prefixes: Readonly<Record<string, Carrier>>;
}

/** The carrier that serves a number at this moment. */
export interface Route {
  readonly phoneNumber: PhoneNumber;
  readonly carrier: Carrier;
  readonly ported: boolean;
}

/**
 * The first and last three-digit national prefix of each block.
 *
 * Source: libphonenumber 9.0.35 (July 2026), resources/metadata/254/ranges.csv and resources/carrier/en/254.txt, which follow the numbering
 * plan of the Communications Authority of Kenya and the operators' IR.21 documents. Blocks of other operators are unassigned here: 121
 * Infura, 124 and 763-766 Finserve (Equitel), 130 NRG Media, 744 Homeland Media, 747 Jamii Telecommunications, 760 Mobile Pay, 767 Sema
 * Mobile.
 */
const BLOCKS: readonly (readonly [first: number, last: number, carrier: Carrier])[] = [
  [100, 109, "airtel"],
  [110, 119, "safaricom"],
  [120, 120, "telkom"],
  [140, 145, "safaricom"],
  [180, 189, "safaricom"],
  [700, 729, "safaricom"],
  [730, 739, "airtel"],
  [740, 743, "safaricom"],
  [745, 746, "safaricom"],
  [748, 749, "safaricom"],
  [750, 756, "airtel"],
  [757, 759, "safaricom"],
  [761, 762, "airtel"],
  [768, 769, "safaricom"],
  [770, 779, "telkom"],
  [780, 789, "airtel"],
  [790, 799, "safaricom"],
];

const OWNERS = listOwners();

/** The carriers that may serve a ported number: all but the owner of its prefix. */
const OTHERS = forEachCarrier((owner) => CARRIERS.filter((carrier) => carrier !== owner));

/** Each magic number promises one outcome, so the hash never ports them. Only `numbering.ported` can. */
const MAGIC_NUMBERS = "254700000";

/** Finds the carrier that serves a number: from `numbering.ported`, otherwise by its prefix and the ported share. */
export function routeTo(phoneNumber: PhoneNumber, numbering: Numbering): Route | undefined {
  const directory = directoryOf(numbering);
  const national = Number(phoneNumber.slice(3));
  const owner = ownerByPrefix(phoneNumber, directory) ?? OWNERS[Math.floor(national / 1_000_000)];
  const carrier =
    directory.ported.get(phoneNumber) ?? (owner && servingCarrier(phoneNumber, owner, national, numbering));
  return carrier && { phoneNumber, carrier, ported: carrier !== owner };
}

/** A numbering prepared for lookups. Maps, because a number used as a property name would have to be interned on every request. */
interface Directory {
  readonly ported: ReadonlyMap<string, Carrier>;
  /** Longest first. */
  readonly prefixes: readonly (readonly [prefix: string, carrier: Carrier])[];
}

const directories = new WeakMap<Numbering, Directory>();

function directoryOf(numbering: Numbering): Directory {
  const known = directories.get(numbering);
  if (known !== undefined) return known;
  const prefixes = Object.entries(numbering.prefixes).sort(([one], [other]) => other.length - one.length);
  const made = { ported: new Map(Object.entries(numbering.ported)), prefixes };
  directories.set(numbering, made);
  return made;
}

/** A prefix in the settings overrides the table, whatever its length. The longest match wins. */
function ownerByPrefix(phoneNumber: PhoneNumber, { prefixes }: Directory): Carrier | undefined {
  if (prefixes.length === 0) return undefined;
  return prefixes.find(([prefix]) => phoneNumber.startsWith(prefix, 3))?.[1];
}

function servingCarrier(phoneNumber: PhoneNumber, owner: Carrier, national: number, numbering: Numbering): Carrier {
  if (phoneNumber.startsWith(MAGIC_NUMBERS)) return owner;
  // Must never change, because test suites rely on which numbers are ported.
  const hash = mix32(national) >>> 0;
  if (hash >= numbering.ported_share * 2 ** 32) return owner;
  // The high bits decide whether a number is ported, so the low bits choose the carrier independently.
  const others = OTHERS[owner];
  return others[hash % others.length] ?? owner;
}

/** Indexes owners by prefix, so that a request needs one lookup. */
function listOwners(): readonly (Carrier | undefined)[] {
  const owners = Array.from<Carrier | undefined>({ length: 1_000 });
  for (const [first, last, carrier] of BLOCKS) owners.fill(carrier, first, last + 1);
  return owners;
}

declare const phoneNumber: unique symbol;

/** A Kenyan mobile number in international form: 254 and nine digits, the first of which is 7 or 1. */
export type PhoneNumber = string & { readonly [phoneNumber]: true };

/**
 * How a recipient's number may be written. `strict` follows the specification to the letter. The live gateway's own SDKs also let a leading
 * plus sign through, or a local 0 in place of the country code. Its sentence asks for 10 to 12 `digits`, and is what Laravel says of a plus
 * sign, too (public-facts.md).
 */
export const PHONE_NUMBER_FORMS = {
  strict: /^254[17]\d{8}$/,
  lenient: /^(\+?254|0)[17]\d{8}$/,
  digits: /^(254|0)[17]\d{8}$/,
} as const;

export type PhoneNumberForms = keyof typeof PHONE_NUMBER_FORMS;

/** Digits of a number without its country code. */
const NATIONAL_DIGITS = 9;

/** Parses a recipient's number in an accepted form. */
export function parsePhoneNumber(text: string, forms: PhoneNumberForms): PhoneNumber | undefined {
  return PHONE_NUMBER_FORMS[forms].test(text) ? (`254${text.slice(-NATIONAL_DIGITS)}` as PhoneNumber) : undefined;
}

/** Hides three digits of each phone number in a text ("254712***678"). */
export function maskPhoneNumbers(text: string): string {
  return text.replace(/(?<!\d)(\+?\d{3,9})\d{3}(\d{3})(?!\d)/g, "$1***$2");
}
