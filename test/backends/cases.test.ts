import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { rehearseTexts } from "../support/rehearse.ts";
import { defectsIn, exploreAt, type Explored, only } from "../support/explored.ts";
import { type Behaviour, type SmallOrder, type SmallShop, soundly, startSmallShop } from "../verdict/small-shop.ts";

const sendsAgain = async (shop: SmallShop, order: SmallOrder, code: number | undefined): Promise<void> => {
  if (code === 429) soundly(shop, order, await shop.send(order));
  else soundly(shop, order, code);
};

const losesEarlyFailure: Behaviour["receive"] = (shop, callback) => {
  const isKnown = shop.byRequest.has(callback.request_id);
  if (isKnown || callback.result_code === 200) shop.receive(callback);
  return { status: 200 };
};

const BALANCE = 'request: { url: "{app}/balance" }, json_path: $.balance';

/** Sells for less than the amount, or for more. The map says the price, or nothing of it. */
function discounted(percent: number, price: string | undefined): Behaviour {
  return {
    placing: (shop, { text }) => {
      const { amount }: { amount: number } = JSON.parse(text);
      shop.balance = Math.round((shop.balance + (amount * percent) / 100) * 100) / 100;
      return undefined;
    },
    map: { balance: `{ ${BALANCE}${price === undefined ? "" : `, price: ${price}`} }` },
  };
}

const answers204: Behaviour["receive"] = (shop, callback) => {
  shop.receive(callback);
  return { status: 204 };
};

/** Takes the money only after the answer: reads the balance, and writes it back when so many orders have read it. */
function racingOnTheBalance(orders: number): Behaviour["answered"] {
  const reading: (() => void)[] = [];
  return async (shop, order, code) => {
    shop.balance += order.amount;
    const read = shop.balance;
    // Alone, and after the others, nothing comes between.
    if (shop.orders.size > 1 && shop.orders.size <= orders)
      await new Promise<void>((resolve) => {
        reading.push(resolve);
        if (reading.length === orders) for (const write of reading.splice(0)) write();
      });
    shop.balance = read - order.amount;
    soundly(shop, order, code);
  };
}

const refundsTwice: Behaviour["receive"] = (shop, callback) => {
  const order = shop.byRequest.get(callback.request_id);
  shop.receive(callback);
  if (order?.status === "failed") shop.balance += order.amount;
  return { status: 200 };
};

const keepsTheLastResult: Behaviour["receive"] = (shop, callback) => {
  const order = shop.byRequest.get(callback.request_id);
  if (order !== undefined && callback.result_code !== 200) order.status = "failed";
  return { status: 200 };
};

const failsWithoutId = (shop: SmallShop, order: SmallOrder, code: number | undefined): void =>
  shop.settle(order, code === 200 && order.requestId !== undefined);

// Cases that were seen on backends which nobody here wrote. Each must come out as its name says.

const answersLate: Behaviour["receive"] = async (shop, callback) => {
  await sleep(130);
  shop.receive(callback);
  return { status: 200 };
};

const refusesInColor: Behaviour["placing"] = () => ({ status: 404, csv: "no\u009b31m \u202ecustomer" });

const listOrders: Behaviour["status"] = ({ orders }) => ({ status: 200, json: { orders: [...orders.values()] } });

test.concurrent("a first request that was refused and a second whose callback was lost leave an order open, which is right", async () => {
  const { exitCode, json } = await exploreShop({ answered: sendsAgain }, only(["refused-429", "callback-dropped"]));

  expect(verdictsOf(json)).toMatchObject({ "airtime-1-refused-429-and-airtime-2-callback-dropped": "open" });
  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
});

test.concurrent("a status that names no order is not assessed where there are two of them", async () => {
  const map = {
    status: '{ request: { url: "{app}/latest" }, json_path: $.status, paid: paid, failed: failed, open: open }',
  };

  const { json, complained } = await exploreShop({ map }, only(["result-failed", "five-customers-at-once"]));

  expect(complained).toContain("status in the app map names no order, so orders are placed one by one");
  expect(verdictsOf(json)).toMatchObject({
    "airtime-1-result-failed": "right",
    "airtime-five-customers-at-once": "not assessed",
  });
});

test.concurrent("an order without an answer that the application refunds by its own timer accuses nobody of the next one", async () => {
  const refundsLater: Behaviour = {
    answered: (shop, order, code) => {
      soundly(shop, order, code);
      // No other order's callback has to come before the timer, however busy the machine is.
      if (code === undefined) void sleep(400, undefined, { ref: false }).then(() => shop.settle(order, false));
    },
    map: { settle: "700ms" },
  };

  const { json } = await exploreShop(refundsLater, only(["result-failed", "callback-late"]));

  expect(defectsIn(json)).toEqual([]);
});

test.concurrent.each([
  [3, '"97%"', undefined],
  [4.5, '"95.5%"', undefined],
  [-4, '"104%"', '"102%"'],
])(
  "a shop that gives a discount of %d percent gets no verdict until its map says so: %s",
  async (percent, price, other) => {
    const wrong = await exploreShop(discounted(percent, other), only(["callback-twice"]));
    const said = await exploreShop(discounted(percent, price), only(["callback-twice"]));

    expect(wrong.exitCode).toBe(3);
    expect(wrong.complained).toMatch(
      /A plain airtime order to 2547\d+, without any fault, for KES \d+ was debited KES [\d.]+; by the app map, it costs KES [\d.]+(, or whole shillings beside that)?\. If that is meant, say so/,
    );
    expect(wrong.complained).toContain(`like balance: { price: ${price} }; otherwise correct the application.`);
    expect({ exitCode: said.exitCode, defects: defectsIn(said.json) }).toEqual({ exitCode: 0, defects: [] });
  },
);

test.concurrent("a plain order that costs nothing asks how the balance is read", async () => {
  const { exitCode, complained } = await exploreShop(discounted(100, undefined), only(["callback-twice"]));

  expect(complained).toContain("or settle there if the balance changes later");
  expect(exitCode).toBe(3);
});

test("a receiver that limits its rate is reported, and a run with few verdicts is no success", async () => {
  let calls = 0;
  const receive: Behaviour["receive"] = (shop, callback) => {
    calls += 1;
    if (calls > 1) return { status: 429 };
    shop.receive(callback);
    return { status: 200 };
  };

  const { exitCode, json } = await exploreShop({ receive }, only(["result-failed", "callback-late"]));

  expect(json.trials.at(-1)).toMatchObject({
    verdict: "not assessed",
    verdicts: [
      { seen: expect.stringContaining("the application answered a callback with 429") },
      { is: "risk", id: "callback-rate-limited" },
    ],
  });
  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 3, defects: [] });
});

test("an application that limits questions about orders is reported", async () => {
  let first: string | undefined;
  const status: Behaviour["status"] = (_shop, order) => {
    first ??= order?.reference;
    return order?.reference === first ? { status: 200, json: { status: order?.status } } : { status: 429 };
  };

  const { exitCode, json } = await exploreShop({ status }, only(["result-failed", "callback-late"]));

  expect(json.trials.at(-1)).toMatchObject({
    verdicts: [{ seen: expect.stringContaining("the application answered a question") }],
  });
  expect(exitCode).toBe(3);
});

test.concurrent("a receiver that answers 204 is reported, and the exploration goes on", async () => {
  const { exitCode, json } = await exploreShop({ receive: answers204 }, only(["reset-before-accept"]));

  expect(defectsIn(json)).toMatchObject([{ id: "callback-not-acknowledged" }]);
  expect(verdictsOf(json)).toMatchObject({ "airtime-1-reset-before-accept": "open" });
  expect(exitCode).toBe(1);
});

test.concurrent("a receiver that answers after the limit has one defect, with the same id as in its findings", async () => {
  await using sandbox = await createSandbox({ accounts: [{ callbacks: { timeout: "100ms" } }] });
  await using shop = await startSmallShop(sandbox, { receive: answersLate });

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(["result-failed"])]);

  expect(defectsIn(json)).toMatchObject([{ id: "callback-answered-late" }]);
  expect(exitCode).toBe(1);
});

test.concurrent("five orders on one balance that are wrong only together are reported as such, and all are shown", async () => {
  const { json } = await exploreShop({ answered: racingOnTheBalance(5) }, only(["five-customers-at-once"]));

  expect(defectsIn(json)[0]).toMatchObject({ id: "balance-race", trials: ["airtime-five-customers-at-once"] });
  expect(defectsIn(json)[0]?.seen.match(/2547\d+/g)).toHaveLength(5);
});

test.concurrent.each([
  [2, ["result-failed", "callback-twice"]],
  [5, ["five-customers-at-once"]],
])(
  "what proves a wrong balance of %d orders names each exchange, with its number and its outcome",
  async (orders, faults) => {
    const { json } = await exploreShop({ answered: racingOnTheBalance(orders) }, only(faults));

    const [defect] = defectsIn(json);
    const named = defect?.exchanges.map(({ title, outcome }) => `${title} → ${outcome}`) ?? [];
    const form =
      /^(POST \/api\/v2\/airtime 254\d{3}\*{3}\d{3} KES \d+\.00 → 200 accepted|callback \d for 254\d{3}\*{3}\d{3} → said: \w+, .*)$/;
    expect(named.filter((one) => !form.test(one))).toEqual([]);
    expect(new Set(named.map((one) => /254\S+/.exec(one)?.[0])).size).toBe(orders);
  },
);

test.concurrent("five orders on one balance are no race if one of them is debited wrong alone, too", async () => {
  const { json } = await exploreShop({ receive: refundsTwice }, only(["five-customers-at-once"]));

  expect(defectsIn(json).map(({ id }) => id)).toEqual(["wrong-debit"]);
});

test.concurrent("sending an order again that was accepted and answered with a refusal is not a defect, and the report says why", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, { answered: sendsAgain });
  const rehearsal = `version: 1
name: misled
scenario:
  version: 1
  name: lies
  rules: [{ name: r, when: { nth: 1 }, then: { ack: { status: 429, body: '{"status_code": 429}' } } }]
steps: [{ order: { operation: airtime } }]
`;

  const { exitCode, printed, trials } = await rehearseTexts([rehearsal], {
    map: shop.appMap,
    flags: ["--url", sandbox.url],
  });

  expect({ exitCode, verdicts: trials[0]?.verdicts }).toMatchObject({
    exitCode: 0,
    verdicts: [{ is: "open", id: "misled" }],
  });
  expect(printed).toContain(
    "Open: 1 order, because the gateway accepted it and answered with a refusal (429), so sending it again",
  );
});

test.concurrent("a placeholder in a path is filled", async () => {
  const map = {
    status:
      '{ request: { url: "{app}/latest" }, json_path: \'$.orders[?@.reference == "{reference}"].status\', paid: paid, failed: failed, open: open }',
  };

  const { json } = await exploreShop({ map, status: listOrders }, only(["result-failed"]));

  expect(verdictsOf(json)).toEqual({ "airtime-plain": "right", "airtime-1-result-failed": "right" });
});

test.concurrent("an order that stays open after a definite refusal is a risk, where no balance tells whether its money is held", async () => {
  const { exitCode, json } = await exploreShop(
    { answered: () => {}, map: { balance: undefined } },
    only(["refused-402"]),
  );

  const trial = json.trials.find(({ id }) => id === "airtime-1-refused-402");
  expect(trial?.verdicts).toMatchObject([{ id: "refused-left-open", is: "risk" }]);
  expect(exitCode).toBe(0);
});

test.concurrent("a failed result that arrives early and is lost is a defect", async () => {
  const { exitCode, json } = await exploreShop(
    { receive: losesEarlyFailure },
    only(["failure-before-ack", "callback-before-ack"]),
  );

  expect(defectsIn(json)).toMatchObject([{ id: "outcome-lost", trials: ["airtime-1-failure-before-ack"] }]);
  expect(exitCode).toBe(1);
});

test.concurrent("an application without a receiver is explored, except for what needs one", async () => {
  const behaviour: Behaviour = {
    answered: (shop, order, code) => shop.settle(order, code === 200),
    map: { callbacks: undefined },
  };

  const { json } = await exploreShop(behaviour, only(["refused-422", "callback-twice"]));

  expect(verdictsOf(json)).toEqual({ "airtime-plain": "right", "airtime-1-refused-422": "right" });
  expect(json.not_looked_at).toContain("callbacks (no callbacks)");
});

test.concurrent("an application that needs long after a callback is told at the start how long that takes", async () => {
  const { complained } = await exploreShop({ map: { settle: "5100ms" } }, only(["result-failed"]));

  expect(complained).toContain(
    "the application may need 5100ms after a callback: at least 1 run, about 1 min; the most dangerous faults come first",
  );
});

test.concurrent("the application's own sentence is quoted without what could control a terminal", async () => {
  const { complained } = await exploreShop({ placing: refusesInColor }, []);

  expect(complained).toContain("answered 404: no 31m \\u202ecustomer");
  expect(complained.trim()).not.toMatch(/\p{Cc}|[\u202a-\u202e]/u);
});

test.concurrent("defects of one kind have one repair, and are reported once with every trial that shows them", async () => {
  const { json } = await exploreShop(
    { answered: failsWithoutId, receive: keepsTheLastResult, map: { balance: undefined } },
    only(["reset-after-accept", "empty-after-accept", "contradiction-after-success"]),
  );

  expect(defectsIn(json).map(({ id, trials }) => ({ id, trials: trials.length }))).toEqual([
    { id: "delivered-shown-failed", trials: 3 },
  ]);
});

test.concurrent("what a choice of faults leaves out is one short line of the report", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);
  const { printed } = await exploreAt(sandbox, shop.appMap, only(["result-failed"]));

  const lines = printed.split("\n").filter((line) => /not looked at|not chosen/i.test(line));
  expect(lines).toEqual([
    expect.stringMatching(
      /^Not looked at: restarts .*, timers longer than 150ms, \d+ faults and \d+ trials not chosen\.$/,
    ),
  ]);
});

async function exploreShop(behaviour: Behaviour, flags: readonly string[]): Promise<Explored> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);
  return await exploreAt(sandbox, shop.appMap, ["--json", ...flags]);
}

function verdictsOf({ trials }: Explored["json"]): Record<string, string> {
  return Object.fromEntries(trials.map(({ id, verdict }) => [id, verdict]));
}
