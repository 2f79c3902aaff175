import { mkdtempSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { isUntried } from "../../../src/verdict/report/report.ts";
import { MUTANTS } from "../../backends/shops/mutants.ts";
import { SOUND_SHOPS } from "../../backends/shops/sound-shops.ts";
import type { Pause } from "../../../src/gateway/ports/wall-clock.ts";
import { SYSTEM } from "../../support/system-terminal.ts";
import type { RouteAnswer } from "../../backends/http-shell.ts";
import { type Behaviour, type SmallCallback, type SmallShop, soundly, startSmallShop } from "../small-shop.ts";
import { defectsIn, exploreAt, only, startTextShop, exploreMutant, exploreSound } from "../../support/explored.ts";

/** Some of each group, so that a test takes a second. */
const SOME = [
  "refused-422",
  "proxy-502-after-accept",
  "reset-after-accept",
  "result-failed",
  "callback-twice-at-once",
  "callback-before-ack",
  "reversal-after-success",
];

test("a sound shop has no defect, and holds open what it cannot know", async () => {
  const { exitCode, json } = await exploreSound("like Django", only(SOME));

  expect(defectsIn(json)).toEqual([]);
  expect({ done: json.done, total: json.total }).toEqual({ done: 14, total: 14 });
  expect(Object.fromEntries(json.trials.map(({ id, verdict }) => [id, verdict]))).toMatchObject({
    "airtime-plain": "right",
    "airtime-1-refused-422": "right",
    "airtime-1-reset-after-accept": "open",
    "airtime-1-reversal-after-success": "open",
    "sms-1-callback-before-ack": "right",
  });
  expect(exitCode).toBe(0);
});

test("Ctrl-C prints what is known so far, and is exit code 130", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");
  const controller = new AbortController();

  const { exitCode, printed, complained } = await exploreAt(sandbox, shop.appMap, only(SOME), {
    interruption: () => controller.signal,
    onPrinted: (text) => text.includes("faults tried") && controller.abort(),
  });

  expect(exitCode).toBe(130);
  expect(printed).toMatch(/^Stopped after \d of \d faults: it was interrupted\.$/m);
  expect(complained).not.toContain("there is no verdict");
});

test("Ctrl-C while the baseline resets the application is exit code 130, too", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");
  const controller = new AbortController();
  const folder = mkdtempSync(join(tmpdir(), "kredo-resetting-"));
  const started = watch(folder, () => controller.abort());

  const { exitCode, complained } = await exploreAt(
    sandbox,
    `${shop.appMap}reset: { command: "touch ${join(folder, "started")} && sleep 60" }\n`,
    only(SOME),
    { interruption: () => controller.signal },
  );

  started.close();
  expect(exitCode).toBe(130);
  expect(complained).toContain("interrupted before it began; there is no verdict");
});

test("an order that is sent again after silence is sold twice: one defect, with its exchanges and every cell that has it", async () => {
  const { exitCode, json } = await exploreMutant(
    "sends again after silence",
    only(["reset-after-accept", "empty-after-accept", "callback-twice"]),
  );

  expect(defectsIn(json)).toEqual([
    expect.objectContaining({
      id: "sold-twice",
      sentence: expect.stringContaining(
        "When the connection is reset, and the order is accepted, the application sends the order again",
      ),
      trials: expect.arrayContaining([
        "airtime-1-reset-after-accept",
        "sms-1-reset-after-accept",
        "airtime-1-empty-after-accept",
      ]),
    }),
  ]);
  const cell = json.trials.find(({ id }) => id === "airtime-1-reset-after-accept");
  expect(cell?.verdicts[0]?.seen).toContain("the gateway got 2 requests, accepted 2 and delivered 2");
  expect(cell?.exchanges.filter(({ title }) => title.startsWith("POST /api/v2/airtime"))).toHaveLength(2);
  expect(exitCode).toBe(1);
});

test("two callbacks at the same moment show a receiver that checks before it debits", async () => {
  const { json } = await exploreMutant("checks, then debits 80 ms later", only(SOME));

  expect(defectsIn(json)).toEqual([
    expect.objectContaining({ id: "wrong-debit", trials: ["airtime-1-callback-twice-at-once"] }),
  ]);
});

test("orders that are right alone and wrong together are reported as mixed up", async () => {
  const { exitCode, json } = await exploreMutant(
    "gives every callback to the newest open order",
    only(["result-failed", "callback-late"]),
  );

  expect(defectsIn(json).map(({ id }) => id)).toEqual(["mixed-up-orders"]);
  expect(exitCode).toBe(1);
});

test.concurrent("an application that does not call the sandbox is reported in one sentence, and nothing is changed", async () => {
  await using sandbox = await createSandbox();
  const appMap = `version: 1
application: ${sandbox.url}
order: { airtime: { request: { url: "{app}/health", json: { to: "{phone_number}" } } } }
callbacks: { airtime: "{app}/hooks" }
settle: 50ms
`;

  const { exitCode, complained, printed } = await exploreAt(sandbox, appMap, []);

  expect(complained).toContain("answered 404: ");
  expect(complained).toContain("No request reached the sandbox");
  expect(printed).toBe("");
  expect(exitCode).toBe(3);
  const clock = await fetch(`${sandbox.url}/__admin/accounts/default/clock`);
  expect(await clock.json()).toMatchObject({ mode: "real" });
});

const ORDER = (json: string) => ({ order: `{ airtime: { request: { url: "{app}/orders", json: { ${json} } } } }` });
const STATUS = (rest: string) => ({ status: `{ request: { url: "{app}/orders/{reference}" }, ${rest} }` });
const SWAHILI = { open: "inasubiri", paid: "imelipwa", failed: "imeshindwa" };

function failEach(shop: SmallShop, { request_id }: SmallCallback): RouteAnswer {
  const order = shop.byRequest.get(request_id);
  if (order !== undefined) shop.settle(order, false);
  return { status: 200 };
}

test.concurrent.each<[string, Behaviour, string]>([
  [
    "refuses it without asking the gateway",
    { placing: () => ({ status: 404, json: { error: "customer 7 does not exist" } }) },
    'answered 404: {"error":"customer 7 does not exist"}. No request reached the sandbox',
  ],
  [
    "sends something else to another number",
    { map: ORDER('to: "254722000000", amount: 55, reference: "{reference}"') },
    "reaches the sandbox, but not with the phone number",
  ],
  [
    "does not read the map's fields",
    { map: ORDER('phone: "{phone_number}", amount: { number: "{amount}" }, reference: "{reference}"') },
    "correct order.airtime.request in the app map",
  ],
  [
    "sends it twice",
    { answered: async (shop, order) => void (await shop.send(order)) },
    " in 2 requests (a plain airtime order to ",
  ],
  [
    "takes callbacks elsewhere",
    { map: { callbacks: '{ airtime: "{app}/nowhere" }' } },
    "when it got the callback: check",
  ],
  ["keeps it open", { receive: () => ({ status: 200 }) }, 'but the application says "open" '],
  [
    "has no status where the map says",
    { map: STATUS("json_path: $.state, paid: paid, failed: failed, open: open") },
    "its status cannot be read: ",
  ],
  [
    "limits how often it is asked",
    { status: () => ({ status: 429 }) },
    "its status cannot be read: answered 429. Raise that limit for tests.",
  ],
  [
    "has its words of success and failure swapped in the map, in whatever language",
    {
      status: (_shop, order) => ({ status: 200, json: { status: order && SWAHILI[order.status] } }),
      map: STATUS("json_path: $.status, paid: imeshindwa, failed: imelipwa, open: inasubiri"),
    },
    'says "imelipwa", which is listed under failed in the app map; of an order that failed, it says "imeshindwa", which is listed under paid. Swap',
  ],
  [
    "shows a delivered order by a word that the map lists under failed",
    {
      status: (_shop, order) => ({ status: 200, json: { status: order && SWAHILI[order.status] } }),
      map: STATUS("json_path: $.status, paid: done, failed: [imelipwa, imeshindwa], open: inasubiri"),
    },
    'of an order that failed, it says "imeshindwa". If "imelipwa" means that the order was paid, list it under paid',
  ],
  [
    "shows every order that was told as failed",
    { receive: failEach },
    'says "failed", which is listed under failed in the app map; of an order that failed, it says the same. Check',
  ],
  [
    "shows no balance where the map says",
    { map: { balance: '{ request: { url: "{app}/balance" }, json_path: $.balanse }' } },
    "is delivered, but balance cannot be read: ",
  ],
  [
    "shows no books where the map says",
    { map: { books: '{ request: { url: "{app}/no-books" }, list: "$[*]", request_id: $.id, amount: $.charge }' } },
    "is delivered, but books cannot be read: ",
  ],
])("an application whose plain order has no verdict because it %s is told so", async (_what, behaviour, words) => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);

  const { exitCode, complained, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(["result-failed"])]);

  expect(complained).toContain(words);
  expect({ exitCode, problems: json.problems }).toEqual({ exitCode: 3, problems: [] });
  expect(json.summary).toMatch(/^No verdict: /);
});

test.concurrent("an application that compares result_code with text has a defect in one line, which names the comparison", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox);

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json"]);

  expect(exitCode).toBe(1);
  expect(json.problems.map(({ is, sentence }) => ({ is, sentence }))).toEqual([
    {
      is: "defect",
      sentence: 'The application compares result_code with the text "200", although the gateway sends the number 200.',
    },
  ]);
  expect(json.stopped).toBe("a plain order already goes wrong");
});

test.concurrent("an application that shows its first orders as failed, whatever a callback says, is not said to compare result_code with text", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, showsFirstAsFailed());

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(["result-failed"])]);

  expect({ exitCode, problems: json.problems }).toEqual({ exitCode: 3, problems: [] });
});

test.concurrent("an application that sends two of three orders twice is not said to compare result_code with text", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, sendsTwoOfThreeTwice());

  const { exitCode, complained } = await exploreAt(sandbox, shop.appMap, only(["result-failed"]));

  expect(exitCode).toBe(3);
  expect(complained).toContain(" in 2 requests (a plain airtime order to ");
});

/** Wrong with the number and right with the text, by how often it was asked. */
function sendsTwoOfThreeTwice(): Behaviour {
  let placed = 0;
  return {
    answered: async (shop, order) => {
      placed += 1;
      if (placed % 3 === 0) return;
      shop.settle(order, false);
      await shop.send(order);
    },
    receive: (shop, callback) => {
      shop.receive({ ...callback, result_code: Number(callback.result_code) });
      return { status: 200 };
    },
  };
}

/** It is wrong twice, and right from then on. */
function showsFirstAsFailed(): Behaviour {
  let received = 0;
  return {
    receive: (shop, { request_id: id }) => {
      const order = shop.byRequest.get(id);
      received += 1;
      if (order !== undefined) order.status = received <= 2 ? "failed" : "paid";
      return { status: 200 };
    },
  };
}

test("on a machine that is too busy, an application that is only slow is not accused", async () => {
  await using sandbox = await createSandbox();
  const { url, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await SOUND_SHOPS[MUTANTS["drops early callbacks"].shop]({
    gateway: url,
    key,
    secret,
    defect: "drops early callbacks",
  });
  let late = 0;
  const clock = { ...SYSTEM.clock, now: () => SYSTEM.clock.now() + late };
  const pause: Pause = async (wait, signal) => {
    await SYSTEM.pause(wait, signal);
    late += 500;
  };

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(["callback-before-ack"])], {
    clock,
    pause,
  });

  const cell = json.trials.find(({ id }) => id === "airtime-1-callback-before-ack");
  expect(cell).toMatchObject({
    verdict: "not assessed",
    verdicts: [{ seen: expect.stringContaining("the machine was too busy") }],
  });
  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 3, defects: [] });
});

test("an application that ends with an uncaught error is told which order ended it, and nothing else", async () => {
  await using sandbox = await createSandbox();
  const { url, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await SOUND_SHOPS.outbox({ gateway: url, key, secret, defect: "crashes on a malformed callback" });
  const appMap = shop.appMap.replace(/^ {2}sms: .*\n/m, "").replace(/^reset: .*\n/m, "");

  const { exitCode, json } = await exploreAt(sandbox, appMap, [
    "--json",
    ...only(["reset-after-accept", "callback-malformed", "refused-422", "result-failed"]),
  ]);

  expect(defectsIn(json)).toEqual([
    expect.objectContaining({ id: "stops-answering", trials: ["airtime-1-callback-malformed"] }),
  ]);
  expect(json.stopped).toBe("the application stopped answering; start it again");
  const tried = json.trials.filter((trial) => !isUntried(trial));
  expect(tried.map(({ id }) => id)).toEqual(["airtime-plain", "airtime-1-callback-malformed"]);
  expect(exitCode).toBe(1);
});

test.concurrent("a fault at account details that the application asks for no more is neither counted nor reported", async () => {
  await using sandbox = await createSandbox();
  const { url, consumerKey, consumerSecret } = sandbox;
  const headers = { authorization: `Basic ${btoa(`${consumerKey}:${consumerSecret}`)}` };
  let isFirst = true;
  await using shop = await startSmallShop(sandbox, {
    answered: async (small, order, code) => {
      soundly(small, order, code);
      if (isFirst) await fetch(`${url}/api/v2/account-details`, { headers });
      isFirst = false;
    },
  });

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(["refused-500"])]);

  expect({ exitCode, done: json.done, total: json.total }).toEqual({ exitCode: 0, done: 1, total: 1 });
  expect(json.trials.map(({ id }) => id)).toEqual(["airtime-plain", "airtime-1-refused-500"]);
});

test.concurrent("Ctrl-C while replays are played keeps those that were played", async () => {
  await using sandbox = await createSandbox();
  const controller = new AbortController();
  // The last look places one order, and the replays the others.
  const left = [() => {}, () => {}, () => controller.abort()];
  let isReplayed = false;
  await using shop = await startSmallShop(sandbox, {
    placing: () => {
      if (isReplayed) left.shift()?.();
      return undefined;
    },
    answered: (small, order, code) => small.settle(order, code !== undefined),
  });

  const { exitCode, json } = await exploreAt(
    sandbox,
    shop.appMap,
    ["--json", ...only(["reset-after-accept", "result-failed"])],
    {
      interruption: () => controller.signal,
      onPrinted: (text) => {
        isReplayed ||= text.includes("2 of 2 faults");
      },
    },
  );

  expect({ exitCode, stopped: json.stopped, defects: defectsIn(json).length }).toEqual({ exitCode: 130, defects: 2 });
  expect(json.trials.flatMap(({ file }) => file?.split("/").at(-1) ?? [])).toEqual([
    "airtime-1-reset-after-accept.yaml",
  ]);
});
