import { expect, test } from "vitest";
import { MINUTE } from "../../../src/gateway/domain/time.ts";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import type { OrderKind } from "../../../src/verdict/application/new-order.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { startDjangoShop } from "../../backends/shops/django.ts";
import { startPartsShop } from "../../backends/shops/several-requests.ts";
import { runTrial } from "../../support/run-trial.ts";
import { file, problems, rehearseTexts } from "../../support/rehearse.ts";
import { type Behaviour, soundly, startSmallShop } from "../small-shop.ts";

/** Takes an order for a number that it has sold to before for a repetition, and answers as if it had sold it. */
const takesForRepetition: Behaviour["placing"] = ({ orders }, { text }) => {
  const { to, reference }: { to: string; reference: string } = JSON.parse(text);
  const earlier = [...orders.values()].find(({ phoneNumber }) => phoneNumber === to);
  if (earlier === undefined) return undefined;
  orders.set(reference, earlier);
  return { status: 201, json: earlier };
};

const NEVER_DELIVERED = "defect paid-never-delivered";

const refusesRepetition: Behaviour["placing"] = ({ orders }, { text }) => {
  const { to }: { to: string } = JSON.parse(text);
  return [...orders.values()].some(({ phoneNumber }) => phoneNumber === to) ? { status: 409, json: {} } : undefined;
};

test.concurrent.each<[string, "number" | "number and amount", Behaviour, string]>([
  ["sells both", "number", {}, "right order"],
  ["sells both", "number and amount", {}, "right order"],
  ["shows the second as paid, and sells nothing", "number", { placing: takesForRepetition }, NEVER_DELIVERED],
  [
    "shows the second as paid, and sells nothing",
    "number and amount",
    { placing: takesForRepetition },
    NEVER_DELIVERED,
  ],
  ["refuses the second itself", "number and amount", { placing: refusesRepetition }, "right order"],
])("an application that %s, with the same %s", async (_what, again, behaviour, second) => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);

  expect(await judgeSecondOrder(sandbox, shop.appMap, again)).toEqual([["right order"], [second]]);
});

test.concurrent("two orders for one number are not assessed where a status names a number alone", async () => {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await startDjangoShop({ gateway, key, secret });

  expect(await judgeSecondOrder(sandbox, shop.appMap, "number")).toEqual([
    ["not assessed order"],
    ["not assessed order"],
  ]);
});

const sendsAgain: Behaviour["answered"] = async (shop, order, code) =>
  soundly(shop, order, code ?? (await shop.send(order)));

const ONE = '{ phone_number: "254712000001", amount: 50 }';

test.concurrent.each<[string, string, Behaviour, string[]]>([
  ["the same twice", `[{ order: ${ONE} }, { order: ${ONE} }]`, {}, []],
  [
    "the same twice, and sends one again",
    `[{ order: ${ONE} }, { order: ${ONE} }]`,
    { answered: sendsAgain },
    ["defect sold-twice"],
  ],
  ["two amounts at once", `[{ order: [${ONE}, ${ONE.replace("50", "70")}] }]`, {}, []],
])(
  "a rehearsal whose customer orders %s for one number has no other problem",
  async (_what, steps, behaviour, told) => {
    await using sandbox = await createSandbox();
    await using shop = await startSmallShop(sandbox, behaviour);
    const rule = "{ name: r, when: { nth: 1 }, then: { connection: reset_after_accept } }";
    const rehearsal = file(`scenario: { version: 1, name: lost, rules: [${rule}] }\nsteps: ${steps}\n`);

    const rehearsed = await rehearseTexts([rehearsal], { map: shop.appMap, flags: ["--url", sandbox.url] });

    expect(problems(rehearsed)).toEqual(told);
  },
);

test.concurrent("two orders for one number that an application sends in parts have no verdict, and the reason", async () => {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await startPartsShop({ gateway, key, secret });
  const rehearsal = file(`steps: [{ order: ${ONE} }, { order: ${ONE} }]\n`);

  const { exitCode, complained } = await rehearseTexts([rehearsal], {
    map: shop.appMap,
    flags: ["--url", sandbox.url],
  });

  expect(complained).toContain("Two orders are for 254712000001, and the application requests something else");
  expect(exitCode).toBe(3);
});

/** Places a second order once the first is final. Returns what is told of each. */
async function judgeSecondOrder(sandbox: Sandbox, appMap: string, again: OrderKind["again"]): Promise<string[][]> {
  const { orders, kept, findings } = await runTrial(sandbox, appMap, {
    kinds: [{}, { again }],
    steps: ([first, second]) => [
      { place: first ? [first] : [], isAtOnce: true },
      { advance: MINUTE },
      { quiet: true },
      { place: second ? [second] : [], isAtOnce: true },
    ],
  });
  expect(findings).toEqual([]);
  return orders.map((order) => judgeOrder(order, kept.events).map(({ is, id }) => `${is} ${id}`));
}
