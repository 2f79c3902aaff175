import type { Organization } from "../domain/settings.ts";
import { BUILDINGS, FAMILY_NAMES, GIVEN_NAMES, PLACES, TRADES, WORDS } from "./kenyan-names.ts";
import { twister } from "./twister.ts";

/**
 * Completes what is given to a profile; the same seed and the same gaps give the same one. It draws as @faker-js/faker 10 does,
 * whose loading took a fifth of the time to the first answer for these few choices.
 */
export function inventOrganization(seed: number, given: Partial<Organization>): Organization {
  return isComplete(given) ? given : completed(pickerFor(seed), given);
}

function isComplete(given: Partial<Organization>): given is Organization {
  const { name, location, website, officeEmail, officeMobile, topUpCode, accounts } = given;
  return [name, location, website, officeEmail, officeMobile, topUpCode, accounts].every((field) => field !== undefined);
}

/** Draws one of several with equal chance. */
type Pick = <T>(several: ArrayLike<T>) => T;

/** Twice 32 bits, so that seeds that differ only above them differ. */
function pickerFor(seed: number): Pick {
  const random = twister([seed % 2 ** 32, Math.floor(seed / 2 ** 32)]);
  return (several) => {
    const picked = several[Math.floor(random() * several.length)];
    if (picked === undefined) throw new Error("nothing to draw from");
    return picked;
  };
}

/** Every field is drawn, given or not, so that giving one does not change another; only the addresses follow the name. */
function completed(pick: Pick, given: Partial<Organization>): Organization {
  const drawn = {
    name: `Mfano ${pick(WORDS)} ${pick(TRADES)} Ltd`,
    location: drawLocation(pick),
    officeMobile: drawMobile(pick),
    topUpCode: drawTopUpCode(pick),
  };
  const person = `${pick(GIVEN_NAMES)}.${pick(FAMILY_NAMES)}`.toLowerCase();
  const label = domainLabel(given.name ?? drawn.name);
  return {
    ...drawn,
    website: `https://www.${label}.example`,
    officeEmail: `${person}@${label}.example`,
    accounts: accountsOf(label),
    ...given,
  };
}

/** "Nairobi - Westlands, Mvule House, Waiyaki Way": town, part of town, building, road. */
function drawLocation(pick: Pick): string {
  const [town, part, road] = pick(PLACES);
  return `${town} - ${part}, ${pick(BUILDINGS)}, ${road}`;
}

/** One of the sandbox's own numbers that behave normally (DESIGN.md section 3, magic numbers 000 to 099). */
function drawMobile(pick: Pick): string {
  return `+2547000000${drawText(pick, DIGITS, 2)}`;
}

/** A letter and five hexadecimal digits, as in the public example B9E573. */
function drawTopUpCode(pick: Pick): string {
  return drawText(pick, LETTERS, 1) + drawText(pick, HEXADECIMAL, 5);
}

const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Its letters stand there twice, as they always have: a seed that somebody wrote down must go on to give the same code. */
const HEXADECIMAL = "0123456789ABCDEFABCDEF";

function drawText(pick: Pick, characters: string, length: number): string {
  return Array.from({ length }, () => pick(characters)).join("");
}

/** The name as a label under `.example`, a domain that nobody can own (RFC 2606 §2); a label has at most 63 octets (RFC 1035 §2.3.4). */
function domainLabel(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["mfano"];
  const withoutForm = words.filter((word) => word !== "ltd" && word !== "limited");
  return (withoutForm.length > 0 ? withoutForm : words).join("-").slice(0, 63).replace(/-$/, "");
}

/** A guess: the document names the two fields of an entry and no account's name. */
function accountsOf(label: string): Organization["accounts"] {
  return (["airtime", "sms"] as const).map((service) => ({ account: `${label}-${service}`, service_name: service }));
}
