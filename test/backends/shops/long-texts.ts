import { isGsm } from "../../../src/gateway/domain/gsm-alphabet.ts";
import type { Defect } from "./mutants.ts";
import { mapOfParts, PartsShop, servePartsShop } from "./several-requests.ts";
import type { StartShop } from "./shop.ts";

/** Sends a text that does not fit as several, numbered like (1/3), and bills each. */
export const startNumberedTextsShop: StartShop = (options) =>
  serveTexts(options, (text) => {
    const pieces = cutAtWords(text, isGsm(text) ? 150 : 60);
    return pieces.length === 1 ? pieces : pieces.map((piece, nth) => `(${nth + 1}/${pieces.length}) ${piece}`);
  });

/** Sends a text that does not fit as several, without numbers. */
export const startCutTextsShop: StartShop = (options) =>
  serveTexts(options, (text) => cutAtWords(text, isGsm(text) ? 160 : 70));

function serveTexts(options: Parameters<StartShop>[0], cut: (text: string) => readonly string[]) {
  const shop = new PartsShop(options);
  return servePartsShop(
    shop,
    (amount) => [amount],
    mapOf,
    (text) => misled(cut(text), shop.defect),
  );
}

function misled(pieces: readonly string[], defect: Defect | undefined): readonly string[] {
  if (pieces.length === 1) return pieces;
  if (defect === "sends the last part of a long text twice") return [...pieces, ...pieces.slice(-1)];
  return defect === "leaves out the last part of a long text" ? pieces.slice(0, -1) : pieces;
}

/** Leaves out the blank at which it cuts. */
function cutAtWords(text: string, most: number): string[] {
  if (text.length <= most) return [text];
  const at = text.lastIndexOf(" ", most);
  return [text.slice(0, at), ...cutAtWords(text.slice(at + 1), most)];
}

const mapOf = (url: string): string =>
  `${mapOfParts(url)
    .replace(
      'recipients: 2, request: { url: "{app}/sms", json: { to: "{phone_numbers}"',
      'request: { url: "{app}/sms", json: { to: ["{phone_number}"]',
    )
    .replace(
      "json_path: $.balance",
      'json_path: $.balance, price: { per_part: "1.50" }',
    )}delivers: { message: parts }\n`;
