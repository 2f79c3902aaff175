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

test("a line break in a text is written so that its sentence is one line", () => {
  expect(sms("One\nTwo", "One Two")).toBe(
    String.raw`Your customer ordered "One▸\nTwo"; the gateway delivered "One▸ Two", first different at ▸`,
  );
});

test("the first difference of a text is not where its letters are only written otherwise", () => {
  expect(sms("“Cafe\u0301” has 2 cups", '"Caf\u00e9" has 3 cups')).toBe(
    'Your customer ordered ""Caf\u00e9" has ▸2 cups"; the gateway delivered ""Caf\u00e9" has ▸3 cups", first different at ▸',
  );
});

test.each([
  ["its own words", "Hi", "Hi", "", true],
  ["a letter composed", "Cafe\u0301", "Caf\u00e9", "", true],
  ["a letter decomposed", "Caf\u00e9", "Cafe\u0301", "", true],
  ["a letter without its accent", "Cafe\u0301", "Cafe", "", false],
  ["its line break", "One\nTwo", "One\nTwo", "", true],
  ["a blank for a line break", "One\nTwo", "One Two", "", false],
  ["a line break of two characters", "One\nTwo", "One\r\nTwo", "", false],
  ["a mark-up for a line break", "One\nTwo", "One<br>Two", "", false],
  ["one blank for two", "One  Two", "One Two", "", false],
  ["nothing for {}", "{} of 5", " of 5", "", false],
  ["a value for {}", "{} of 5", "3 of 5", "", false],
  ["two percent signs for one", "5% off", "5%% off", "", false],
  ["what its percent sign encodes", "a%20b", "a b", "", false],
  ["an entity for an ampersand", "Salt & Co", "Salt &amp; Co", "", false],
  ["nothing from its ampersand on", "Salt & Co", "Salt ", "", false],
  ["plus signs for blanks", "Salt & Co", "Salt+&+Co", "", false],
  ["plain quotes for typographic ones", "“Asante” – it’s here…", `"Asante" - it's here...`, "", true],
  ["no quotes", `"Asante"`, "Asante", "", false],
  ["a signature", "Hi", "Hi, Duka", "", false],
  ["a signature that is meant", "Hi", "Hi, Duka", "delivers: { message: contains }", true],
  ["nothing of it, though a signature is meant", "Hi", "Duka", "delivers: { message: contains }", false],
])("an SMS that arrives with %s", (_what, ordered, got, delivers, isMeant) => {
  expect(sms(ordered, got, delivers) === undefined).toBe(isMeant);
});
