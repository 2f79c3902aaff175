import { configSchema } from "../../config.ts";
import { type Carrier, CARRIERS } from "../../gateway/domain/carrier.ts";
import { kesAsNumber } from "../../gateway/domain/kes.ts";
import { quoteOrder } from "../../gateway/domain/order.ts";
import type { GatewaySettings } from "../../gateway/settings/gateway.ts";
import {
  type CostlyCharacter,
  costlyCharacters,
  measureSms,
  spellPlainly,
  type SplitSms,
  splitSms,
} from "../../gateway/domain/sms-parts.ts";
import { CliError } from "../terminal/cli-error.ts";
import type { Command, CommandGroup } from "../terminal/command.ts";
import { readMessage } from "./send.ts";
import { CONFIG_FLAG, JSON_FLAG, readServedConfig } from "../client/target.ts";
import { printLines } from "../terminal/terminal.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { formatShillings } from "../terminal/output.ts";

const sms: Command = {
  name: "sms",
  about:
    "Show how an SMS is encoded, split and priced, and which characters make it expensive. Use - as TEXT to read standard input.",
  arguments: ["<TEXT>"],
  flags: [{ ...CONFIG_FLAG, group: undefined }, JSON_FLAG],
  examples: ['kredo preview sms "Karibu Nairobi"', "kredo preview sms - --json < message.txt"],
  docs: "scenarios",
  async run(args, terminal) {
    const message = await readMessage(args.words[0] ?? "", terminal);
    if (message === "") throw new CliError(2, "TEXT is empty; the gateway refuses an empty SMS");
    const { gateway } = (await readServedConfig(args, terminal)) ?? configSchema.parse({});
    const sms = splitSms(message, gateway.ucs2_concatenated);
    const { max_sms_parts: most } = gateway;
    const isJson = args.flags.has("json");
    const lines = isJson ? [JSON.stringify(smsAsJson(message, sms, gateway))] : describeSms(message, sms, gateway);
    printLines(terminal.stdout, lines);
    if (sms.parts <= most) return 0;
    const refusal = `The gateway refuses it: ${sms.parts} parts are more than max_sms_parts, ${most}.`;
    printLines(terminal.stderr, [refusal]);
    return 1;
  },
};

export const command: CommandGroup = {
  name: "preview",
  about: "Show how the gateway would treat a message. No sandbox is needed.",
  commands: [sms],
};

/** Describes an SMS for people: its length, its price, and the characters that force UCS-2. */
function describeSms(message: string, sms: SplitSms, gateway: GatewaySettings): string[] {
  const costly = costlyCharacters(message);
  return [
    `encoding    ${sms.encoding}`,
    `characters  ${sms.characters}`,
    `units       ${sms.units} ${sms.encoding === "GSM-7" ? "septets" : "UTF-16 units"}`,
    `parts       ${sms.parts}`,
    `price       ${describePrice(message, gateway)}`,
    ...(costly.length === 0
      ? []
      : ["not in the GSM alphabet, so the whole message is sent as UCS-2:", ...costly.map(describeCostly)]),
    ...describeCheaper(cheaperSpelling(message, costly), gateway),
  ];
}

/** Describes an SMS for programs, with the control API's field names. */
function smsAsJson(message: string, { texts, ...measure }: SplitSms, gateway: GatewaySettings): object {
  const costly = costlyCharacters(message);
  const price = Object.fromEntries(CARRIERS.map((carrier) => [carrier, priceOf(message, gateway, carrier)]));
  return { ...measure, price, texts, costly, cheaper: cheaperSpelling(message, costly) };
}

function describePrice(message: string, gateway: GatewaySettings): string {
  const prices = CARRIERS.map((carrier) => [carrier, formatShillings(priceOf(message, gateway, carrier))] as const);
  const [all, ...others] = new Set(prices.map(([, price]) => price));
  if (others.length === 0) return `${all} with every carrier`;
  return prices.map(([carrier, price]) => `${carrier} ${price}`).join(", ");
}

function priceOf(message: string, gateway: GatewaySettings, carrier: Carrier): number {
  return kesAsNumber(quoteOrder({ operation: "sms", message }, gateway.carriers[carrier], gateway).price);
}

function describeCostly({ character, count: times, positions, cheaper }: CostlyCharacter): string {
  const [first = 0, ...others] = positions.map((position) => position + 1);
  const places = others.length === 0 ? `at ${first}` : `${times} times, first at ${first}`;
  return `  ${nameCharacter(character)} ${places}: ${repair(cheaper)}`;
}

/** Includes the code point, because some characters are invisible. */
function nameCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return /^[\p{C}\p{Z}]$/u.test(character) ? `U+${code}` : `${character} U+${code}`;
}

function repair(cheaper: string | undefined): string {
  if (cheaper === undefined) return "no plain spelling";
  return cheaper === "" ? "remove it" : `write ${JSON.stringify(cheaper)}`;
}

/** Returns the message in GSM characters, if every costly character has a GSM spelling. */
function cheaperSpelling(message: string, costly: readonly CostlyCharacter[]): string | undefined {
  if (costly.length === 0 || costly.some(({ cheaper }) => cheaper === undefined)) return undefined;
  return spellPlainly(message);
}

function describeCheaper(cheaper: string | undefined, gateway: GatewaySettings): string[] {
  if (cheaper === undefined || cheaper === "") return [];
  const measure = measureSms(cheaper, gateway.ucs2_concatenated);
  return [`spelled like this, it is ${counted(measure.parts, "part")} at ${describePrice(cheaper, gateway)}`];
}
