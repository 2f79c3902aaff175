import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import { openShell } from "../../backends/http-shell.ts";
import { defectsIn, exploreAt, only } from "../../support/explored.ts";
import { recordingTerminal } from "../../support/system-terminal.ts";
import { soundly, startSmallShop } from "../small-shop.ts";

/** A sandbox whose receiver knows none of the orders that it is told about. */
async function sandboxOfStranger() {
  const sandbox = await createSandbox({ clock: "manual" });
  const receiver = await openShell(0, { "POST /hooks": () => ({ status: 404 }) }, () => {});
  await sandbox.callbacks.set({ airtime: `${receiver.url}/hooks`, sms: `${receiver.url}/hooks` });
  return {
    sandbox,
    async [Symbol.asyncDispose]() {
      await receiver.close();
      await sandbox.close();
    },
  };
}

async function found(sandbox: Sandbox): Promise<string[]> {
  await sandbox.clock.advance("1h");
  return (await sandbox.findings()).map(({ id }) => id);
}

/** Sends an order as the page's Send does, or as an application would. */
function sendOrder({ url, consumerKey, consumerSecret }: Sandbox, headers: Record<string, string>): Promise<Response> {
  return fetch(`${url}/api/v2/airtime?token=x`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${consumerKey}:${consumerSecret}`)}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify({ phone_number: "254712345678", amount: "100" }),
  });
}

test("findings about an application's order are about it and its receiver", async () => {
  await using world = await sandboxOfStranger();
  await sendOrder(world.sandbox, {});

  expect(await found(world.sandbox)).toEqual(["callback-not-acknowledged", "credentials-in-url"]);
});

test.each([
  ["airtime", ["send", "airtime", "254712345678", "100"]],
  ["sms", ["send", "sms", "254712345678", `It’s ${"x".repeat(100)}`]],
])("kredo send %s leads to no finding, however often it is run", async (_, argv) => {
  await using world = await sandboxOfStranger();
  const { terminal } = recordingTerminal();

  for (let times = 0; times < 25; times += 1) await run([...argv, "--url", world.sandbox.url], terminal);

  expect(await world.sandbox.requests.count()).toBe(25);
  expect(await found(world.sandbox)).toEqual([]);
});

test("kredo balance leads to no finding about asking for the balance too often", async () => {
  await using world = await sandboxOfStranger();
  const { terminal } = recordingTerminal();

  for (let times = 0; times < 25; times += 1) await run(["balance", "--url", world.sandbox.url], terminal);

  expect(await found(world.sandbox)).toEqual([]);
});

test("an account that only Kredo's own commands used is not assessed, and one that an application used is", async () => {
  await using world = await sandboxOfStranger();
  await sendOrder(world.sandbox, { "x-kredo-command": "page" });
  const own = await world.sandbox.report();
  await sendOrder(world.sandbox, {});
  const both = await world.sandbox.report();

  expect(own.trials).toMatchObject([
    { verdict: "not assessed", verdicts: [{ seen: "no request arrived but those of Kredo's own commands" }] },
  ]);
  expect(both.trials).toMatchObject([{ verdict: "risk" }]);
});

test("what the page sends leads to no finding", async () => {
  await using world = await sandboxOfStranger();

  await sendOrder(world.sandbox, { "x-kredo-command": "page" });
  await sendOrder(world.sandbox, { "x-kredo-command": "page" });

  expect(await found(world.sandbox)).toEqual([]);
});

test("the orders that an exploration places, the baseline's first one too, are no burst of the application", async () => {
  await using sandbox = await createSandbox({ findings: { burst: { requests: 1, per: "1h" } } });
  const seen: string[] = [];
  await using shop = await startSmallShop(sandbox, {
    answered: async (shop, order, code) => {
      soundly(shop, order, code);
      seen.push(...(await sandbox.findings()).map(({ id }) => id));
    },
  });

  const { exitCode, json } = await exploreAt(sandbox, shop.appMap, [
    "--json",
    ...only(["result-failed", "callback-late"]),
  ]);

  expect({ exitCode, trials: json.trials.length, defects: defectsIn(json) }).toEqual({
    exitCode: 0,
    trials: 3,
    defects: [],
  });
  expect([...seen, ...(await sandbox.findings())]).toEqual([]);
});
