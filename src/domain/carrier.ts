import type { PhoneNumber } from "./phone-number.ts";

export const CARRIERS = ["safaricom", "airtel", "telkom"] as const;
export type Carrier = (typeof CARRIERS)[number];

/** One value for each carrier. */
export function forEachCarrier<Value>(valueOf: (carrier: Carrier) => Value): Record<Carrier, Value> {
  return { safaricom: valueOf("safaricom"), airtel: valueOf("airtel"), telkom: valueOf("telkom") };
}

/** A carrier's brand name: "Safaricom". */
export function carrierName(carrier: Carrier): string {
  return carrier.charAt(0).toUpperCase() + carrier.slice(1);
}

export interface Numbering {
  /** The share of numbers, 0 to 1, that a carrier other than the prefix's owner serves. */
  readonly ported_share: number;
  /** Who serves a number, whatever its prefix says. */
  readonly ported: Readonly<Record<string, Carrier>>;
  /** Carriers for prefixes (national digits, for example "747") that belong to no carrier here, or to another one. */
  readonly prefixes: Readonly<Record<string, Carrier>>;
}

/** Who the phone number belongs to at this moment. */
export interface Route {
  readonly phoneNumber: PhoneNumber;
  readonly carrier: Carrier;
  readonly ported: boolean;
}

/**
 * First and last of each block of national prefixes, three digits long.
 *
 * Source: libphonenumber 9.0.35 (July 2026), resources/metadata/254/ranges.csv and resources/carrier/en/254.txt, which
 * follow the numbering plan of the Communications Authority of Kenya and the operators' IR.21 documents. Blocks of
 * others belong to nobody here: 121 Infura, 124 and 763-766 Finserve (Equitel), 130 NRG Media, 744 Homeland Media,
 * 747 Jamii Telecommunications, 760 Mobile Pay, 767 Sema Mobile.
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

/** Who would serve a ported number: the carriers that do not own its prefix. */
const OTHERS = forEachCarrier((owner) => CARRIERS.filter((carrier) => carrier !== owner));

/** The magic numbers promise one outcome each, so the hash never ports them; only `numbering.ported` does. */
const MAGIC_NUMBERS = "254700000";

/** Says which carrier serves a number: by its own entry in `numbering.ported`, else by its prefix and the ported share. */
export function routeTo(phoneNumber: PhoneNumber, numbering: Numbering): Route | undefined {
  const directory = directoryOf(numbering);
  const national = Number(phoneNumber.slice(3));
  const owner = ownerByPrefix(phoneNumber, directory) ?? OWNERS[Math.floor(national / 1_000_000)];
  const carrier = directory.ported.get(phoneNumber) ?? (owner && servingCarrier(phoneNumber, owner, { national, numbering }));
  return carrier && { phoneNumber, carrier, ported: carrier !== owner };
}

/** A numbering made ready to be asked: a number is new with each request, and as the name of a property it would have to be interned first. */
interface Directory {
  readonly ported: ReadonlyMap<string, Carrier>;
  /** The longest first. */
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

/** A prefix of the settings, whatever its length, comes before the table; the longest of them decides. */
function ownerByPrefix(phoneNumber: PhoneNumber, { prefixes }: Directory): Carrier | undefined {
  if (prefixes.length === 0) return undefined;
  return prefixes.find(([prefix]) => phoneNumber.startsWith(prefix, 3))?.[1];
}

function servingCarrier(
  phoneNumber: PhoneNumber,
  owner: Carrier,
  { national, numbering }: { national: number; numbering: Numbering },
): Carrier {
  if (phoneNumber.startsWith(MAGIC_NUMBERS)) return owner;
  const hash = scramble(national);
  if (hash >= numbering.ported_share * 2 ** 32) return owner;
  // The high bits decide whether a number is ported, so the low ones are free to choose the carrier.
  const others = OTHERS[owner];
  return others[hash % others.length] ?? owner;
}

/** Spreads a number evenly over 32 bits: the finalizer of MurmurHash3. Fixed for good, because test suites rely on who is ported. */
function scramble(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

/** Owners by the prefix's number, so that a request costs one look. */
function listOwners(): readonly (Carrier | undefined)[] {
  const owners = Array.from<Carrier | undefined>({ length: 1_000 });
  for (const [first, last, carrier] of BLOCKS) owners.fill(carrier, first, last + 1);
  return owners;
}
