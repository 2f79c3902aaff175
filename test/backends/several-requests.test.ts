import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import type { StartShop } from "./shops/shop.ts";
import { startCutTextsShop, startNumberedTextsShop } from "./shops/long-texts.ts";
import { startBonusShop, startHalvesShop } from "./shops/several-requests.ts";
import { defectsIn, exploreAt, isContradicted, only, replayMutant } from "../support/explored.ts";
import { file, rehearseTexts } from "../support/rehearse.ts";

const BOTH_SIDES =
  /Your customer ordered KES \d+; the gateway delivered KES \d+\.00 in 2 requests \(a plain airtime order to/;

test.concurrent("two equal requests for one order are its parts, and no repetition", async () => {
  const faults = ["reset-after-accept", "result-failed", "refused-429"];

  const { exitCode, json } = await exploreAirtime(startHalvesShop, (map) => map, faults);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
  const noticed = json.trials.flatMap(({ verdicts }) => verdicts.map(({ is, id }) => `${is} ${id}`));
  expect(noticed.filter((one) => !/^(right|open) order$/.test(one))).toEqual([]);
});

test.concurrent("a rehearsal learns from a plain order that one takes two requests", async () => {
  const { exitCode, trials } = await rehearseAirtime(startHalvesShop, (map) => map);

  expect(trials).toMatchObject([{ verdict: "open", verdicts: [{ id: "order" }] }]);
  expect(exitCode).toBe(0);
});

test.concurrent("a rehearsal does not miss the bonus of a top-up whose outcome nobody could know", async () => {
  const { exitCode, trials } = await rehearseAirtime(startBonusShop, (map) => map);

  expect(trials).toMatchObject([{ verdict: "open" }]);
  expect(exitCode).toBe(0);
});

test.concurrent("a rehearsal misses no bonus in the books that got no answer", async () => {
  const rule = "{ name: r, when: { operation: airtime, nth: 2 }, then: { connection: reset_after_accept } }";
  const scenario = `scenario: { version: 1, name: lost, rules: [${rule}] }\n`;

  const { exitCode, trials } = await rehearseAirtime(startBonusShop, (map) => map, scenario);

  expect({ exitCode, verdicts: trials.map(({ verdict }) => verdict) }).toEqual({ exitCode: 0, verdicts: ["right"] });
});

test.concurrent("a bonus that the map does not name has no verdict, and both sides are told", async () => {
  const explored = await exploreAirtime(startBonusShop, withoutDelivers, ["result-failed"]);
  const rehearsed = await rehearseAirtime(startBonusShop, withoutDelivers, "");

  expect({ exitCode: explored.exitCode, said: explored.complained }).toMatchObject({
    exitCode: 3,
    said: expect.stringMatching(BOTH_SIDES),
  });
  expect({ exitCode: rehearsed.exitCode, said: rehearsed.complained }).toMatchObject({
    exitCode: 3,
    said: expect.stringMatching(BOTH_SIDES),
  });
});

test.concurrent.each([
  ["numbered", startNumberedTextsShop],
  ["not numbered", startCutTextsShop],
])("long texts that are sent as several, %s, are right", async (_how, start) => {
  await using sandbox = await createSandbox();
  await using shop = await start(access(sandbox));
  const faults = only(["long-and-unusual-texts", "result-failed"]);

  const { exitCode, json } = await exploreAt(sandbox, withoutAirtime(shop.appMap), ["--json", ...faults]);

  expect({ exitCode, verdicts: json.trials.map(({ verdict }) => verdict) }).toEqual({
    exitCode: 0,
    verdicts: ["right", "right", "right"],
  });
});

test.concurrent("a long text that is sent as several, which the map does not name, has no verdict, and both sides are told", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startCutTextsShop(access(sandbox));
  const map = withoutDelivers(withoutAirtime(shop.appMap));
  const order = `{ operation: sms, message: "${"Agizo lako liko njiani. ".repeat(10)}Asante" }`;

  const explored = await exploreAt(sandbox, map, ["--json", ...only(["long-and-unusual-texts"])]);
  const rehearsed = await rehearseTexts([file(`steps: [{ order: ${order} }]\n`)], {
    map,
    flags: ["--url", sandbox.url],
  });

  const bothSides = expect.stringMatching(
    /ordered one SMS of \d+ characters; the gateway got \d requests with a part of it each, from .* message: parts/,
  );
  expect({ exitCode: explored.exitCode, said: explored.complained }).toEqual({ exitCode: 3, said: bothSides });
  expect({ exitCode: rehearsed.exitCode, said: rehearsed.complained }).toEqual({ exitCode: 3, said: bothSides });
});

test.concurrent("an SMS that a plain order sends to the first recipient alone has no verdict", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startHalvesShop(access(sandbox));
  const map = withoutAirtime(shop.appMap).replace(
    'to: "{phone_numbers}"',
    'to: ["{phone_number}"], all: "{phone_numbers}"',
  );

  const { exitCode, complained } = await exploreAt(sandbox, map, ["--json", ...only(["result-failed"])]);

  expect(complained).toMatch(
    /without any fault, is delivered in part: 1 of 2 recipients got the SMS, and 254\d+ did not/,
  );
  expect(exitCode).toBe(3);
});

test.concurrent.each([
  "gives the whole price back when one part fails",
  "takes an SMS for sent to all when one recipient got it",
] as const)("what a shop does wrong that %s is shown again by its replay", async (defect) => {
  const replayed = await replayMutant(defect, only(["result-failed"]));

  expect({ replays: replayed.length, contradicted: replayed.filter(isContradicted) }).toEqual({
    replays: 1,
    contradicted: [],
  });
});

async function exploreAirtime(start: StartShop, edit: (map: string) => string, faults: readonly string[]) {
  await using sandbox = await createSandbox();
  await using shop = await start(access(sandbox));
  return await exploreAt(sandbox, edit(withoutSms(shop.appMap)), ["--json", ...only(faults)]);
}

async function rehearseAirtime(
  start: StartShop,
  edit: (map: string) => string,
  rest = "scenario: ack-lost-after-accept\n",
) {
  await using sandbox = await createSandbox();
  await using shop = await start(access(sandbox));
  return await rehearseTexts([file(rest)], { map: edit(withoutSms(shop.appMap)), flags: ["--url", sandbox.url] });
}

function access({ url: gateway, consumerKey: key, consumerSecret: secret }: Sandbox) {
  return { gateway, key, secret };
}

function withoutSms(map: string): string {
  return map.replace(/^ {2}sms: .*\n/m, "");
}

function withoutAirtime(map: string): string {
  return map.replace(/^ {2}airtime: .*\n/m, "");
}

function withoutDelivers(map: string): string {
  return map.replace(/^delivers: .*\n/m, "");
}
