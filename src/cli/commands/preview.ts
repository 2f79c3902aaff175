import { configSchema } from "../../config/config-schema.ts";
import { CARRIERS } from "../../domain/carrier.ts";
import { kesAsNumber, timesKes } from "../../domain/kes.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import {
  type CostlyCharacter,
  costlyCharacters,
  measureSms,
  type SmsMeasure,
  type SplitSms,
  splitSms,
} from "../../domain/sms-parts.ts";
import { CliError } from "../cli-error.ts";
import type { Command, CommandGroup } from "../command.ts";
import { readServedConfig, SERVED_CONFIG_FLAG } from "../serve/served-config.ts";
import { JSON_FLAG } from "../target.ts";
import { printLines } from "../terminal.ts";
import { count, formatShillings } from "../output.ts";

const previewSms: Command = {
  name: "sms",
  about:
    "Show how an SMS is encoded, split and priced, and which characters make it expensive. Use - as TEXT to read standard input.",
  arguments: ["<TEXT>"],
  flags: [
    { name: "parts", about: "print the text of each part" },
    { ...SERVED_CONFIG_FLAG, about: "the config file with the prices and settings (default: found as serve finds it)" },
    { ...JSON_FLAG, about: "print JSON" },
  ],
  examples: ['kredo preview sms "Karibu Nairobi" --parts', "kredo preview sms - --json < message.txt"],
  docs: "docs/scenarios.md",
  async run(args, terminal) {
    const [text = ""] = args.words;
    const message = text === "-" ? (await terminal.readStdin()).replace(/\r?\n$/, "") : text;
    if (message === "") throw new CliError(2, "TEXT is empty; the gateway refuses an empty SMS");
    const { gateway } = (await readServedConfig(args, terminal)) ?? configSchema.parse({});
    const sms = splitSms(message, gateway.ucs2_concatenated);
    const lines = args.flags.has("json")
      ? [JSON.stringify(smsAsJson(message, sms, gateway))]
      : describeSms(message, gateway, { withParts: args.flags.has("parts") });
    printLines(terminal.stdout, lines);
    if (sms.parts <= gateway.max_sms_parts) return 0;
    throw new CliError(
      1,
      `The gateway refuses it: ${sms.parts} parts are more than max_sms_parts, ${gateway.max_sms_parts}.`,
    );
  },
};

export const preview: CommandGroup = {
  name: "preview",
  about: "Show how the gateway would treat a message. No sandbox is needed.",
  commands: [previewSms],
  examples: previewSms.examples,
  docs: previewSms.docs,
};

/** Describes an SMS for people: its length, its price, and the characters that force UCS-2. */
function describeSms(message: string, gateway: GatewaySettings, { withParts }: { withParts: boolean }): string[] {
  const sms = splitSms(message, gateway.ucs2_concatenated);
  const costly = costlyCharacters(message);
  return [
    `encoding    ${sms.encoding}`,
    `characters  ${sms.characters}`,
    `units       ${sms.units} ${sms.encoding === "GSM-7" ? "septets" : "UTF-16 units"}`,
    `parts       ${sms.parts}`,
    `price       ${sayPrice(sms, gateway)}`,
    ...(costly.length === 0
      ? []
      : ["not in the GSM alphabet, so the whole message is sent as UCS-2:", ...costly.map(describeCostly)]),
    ...describeCheaper(cheaperSpelling(message, costly), gateway),
    ...(withParts ? sms.texts.map((text, index) => `part ${index + 1}: ${JSON.stringify(text)}`) : []),
  ];
}

/** Describes an SMS for programs, with the control API's field names. */
function smsAsJson(
  message: string,
  { texts, ...measure }: SplitSms,
  gateway: GatewaySettings,
): Record<string, unknown> {
  const costly = costlyCharacters(message);
  const cheaper = cheaperSpelling(message, costly);
  const price = Object.fromEntries(CARRIERS.map((carrier) => [carrier, priceOf(measure, gateway, carrier)]));
  return { ...measure, price, texts, costly, ...(cheaper !== undefined && { cheaper }) };
}

function sayPrice(measure: SmsMeasure, gateway: GatewaySettings): string {
  const prices = CARRIERS.map((carrier) => [carrier, formatShillings(priceOf(measure, gateway, carrier))] as const);
  const [[, first]] = [prices[0] ?? ["", ""]];
  if (prices.every(([, price]) => price === first)) return `${first} with every carrier`;
  return prices.map(([carrier, price]) => `${carrier} ${price}`).join(", ");
}

function priceOf({ parts }: SmsMeasure, { carriers }: GatewaySettings, carrier: (typeof CARRIERS)[number]): number {
  return kesAsNumber(timesKes(carriers[carrier].sms_price, parts));
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
  const spellings = new Map(costly.map(({ character, cheaper }) => [character, cheaper]));
  return Array.from(message, (character) => spellings.get(character) ?? character).join("");
}

function describeCheaper(cheaper: string | undefined, gateway: GatewaySettings): string[] {
  if (cheaper === undefined || cheaper === "") return [];
  const measure = measureSms(cheaper, gateway.ucs2_concatenated);
  return [`spelled like this, it is ${count(measure.parts, "part")} at ${sayPrice(measure, gateway)}`];
}
