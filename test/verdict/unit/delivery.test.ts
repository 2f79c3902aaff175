import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { type AppMap, parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { describeDifference, differenceOf } from "../../../src/verdict/orders/delivery.ts";

const NUMBER = "254712345678";
const LONG = `Your order ${"of sugar ".repeat(30)}is ready`;

function mapWith(delivers: string, json = '{ to: "{phone_number}", amount: "{amount}", text: "{message}" }'): AppMap {
  const order = `{ request: { url: "{app}/orders", json: ${json} } }`;
  const text = `version: 1\napplication: http://127.0.0.1:3000\norder: { airtime: ${order}, sms: ${order} }\n${delivers}`;
  const parsed = parseAppMap(text, "kredo.app.yaml");
  return "map" in parsed ? parsed.map : expect.fail(JSON.stringify(parsed.problems));
}

interface Sold {
  readonly shillings?: number;
  readonly to?: string;
  readonly delivers?: string;
  readonly json?: string;
}

/** What is told of KES 20 of airtime that were ordered. */
function airtime({ shillings = 20, to = NUMBER, delivers = "", json }: Sold): string | undefined {
  const ordered = { operation: "airtime", phoneNumber: NUMBER, amount: 20, message: "", reference: "" } as const;
  const got = { phoneNumber: to, amount: cents(Math.round(shillings * 100)) };
  const difference = differenceOf(ordered, [got], mapWith(delivers, json));
  return difference && describeDifference(difference);
}

/** What is told of an SMS. */
function sms(message: string, got: string, delivers = ""): string | undefined {
  const ordered = { operation: "sms", phoneNumber: NUMBER, amount: 0, message, reference: "" } as const;
  const difference = differenceOf(ordered, [{ phoneNumber: NUMBER, message: got }], mapWith(delivers));
  return difference && describeDifference(difference);
}

test.each<[string, Sold, string | undefined]>([
  ["what was ordered", {}, undefined],
  ["cents for shillings", { shillings: 2_000 }, "Your customer ordered KES 20; the gateway delivered KES 2,000.00"],
  ["a shilling less", { shillings: 19 }, "Your customer ordered KES 20; the gateway delivered KES 19.00"],
  [
    "another number",
    { to: "254712345687" },
    'Your customer ordered to "2547123456▸78"; the gateway delivered to "2547123456▸87"',
  ],
  ["a bonus that is meant", { shillings: 22, delivers: 'delivers: { amount: "110%" }' }, undefined],
  ["a bonus in shillings", { shillings: 21, delivers: 'delivers: { amount: "107.5%" }' }, undefined],
  [
    "no bonus",
    { shillings: 20, delivers: 'delivers: { amount: "110%" }' },
    "Your customer ordered KES 20, which delivers KES 22.00 by the app map; the gateway delivered KES 20.00",
  ],
  ["the other half of a pair", { shillings: 25, delivers: "delivers: { amount: [[20, 25]] }" }, undefined],
  [
    "not the other half of a pair",
    { shillings: 20, delivers: "delivers: { amount: [[20, 25]] }" },
    "Your customer ordered KES 20, which delivers KES 25.00 by the app map; the gateway delivered KES 20.00",
  ],
  ["an amount without a pair", { shillings: 30, delivers: "delivers: { amount: [[50, 55]] }" }, undefined],
  ["an amount that the map does not pass on", { shillings: 105, json: '{ to: "{phone_number}" }' }, undefined],
  ["a number that the map does not pass on", { to: "254712345687", json: '{ amount: "{amount}" }' }, undefined],
])("of an order for which the gateway delivered %s", (_what, sold, told) => {
  expect(airtime(sold)).toBe(told);
});

test("a text that was cut is reported with both texts and the first difference marked", () => {
  expect(sms(LONG, LONG.slice(0, 160))).toBe(
    'Your customer ordered "… of sugar of sugar of su▸gar of sugar of sugar of sugar o…"; the gateway delivered "… of sugar of sugar of su▸", first different at ▸',
  );
});

test.each([
  ["its own words", "Hi", "Hi", "", true],
  ["plain quotes for typographic ones", "“Asante” – it’s here…", `"Asante" - it's here...`, "", true],
  ["no quotes", `"Asante"`, "Asante", "", false],
  ["a signature", "Hi", "Hi, Duka", "", false],
  ["a signature that is meant", "Hi", "Hi, Duka", "delivers: { message: contains }", true],
  ["nothing of it, though a signature is meant", "Hi", "Duka", "delivers: { message: contains }", false],
])("an SMS that arrives with %s", (_what, ordered, got, delivers, isMeant) => {
  expect(sms(ordered, got, delivers) === undefined).toBe(isMeant);
});
