import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { createSandbox } from "../../../src/index.ts";
import { openShell } from "../../backends/http-shell.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { file, type Outcome, problems, rehearseTexts } from "../../support/rehearse.ts";
import { AUTHORIZATION } from "../../support/gateway/test-gateway.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { WALL_START } from "../../support/gateway/world.ts";
import { type Behaviour, startSmallShop } from "../small-shop.ts";

const LOST = "scenario: ack-lost-after-accept\n";

const takesFee: Behaviour["placing"] = (shop) => {
  shop.balance -= 5;
  return undefined;
};

const sendsAgain: Behaviour["answered"] = async (shop, order, code) => {
  if (code === undefined) await shop.send(order);
};

test.concurrent("one order is judged by the app map alone, without any expectation", async () => {
  const { exitCode, trials, printed } = await rehearseShop(file(""));

  expect(trials).toMatchObject([{ id: "tried", verdict: "right", verdicts: [{ id: "order" }] }]);
  expect(printed).toMatch(/No defect; 1 trial, seed (?!0\b)\d+/);
  expect(exitCode).toBe(0);
});

test.concurrent("an order that was sold twice is one defect, which says how far apart and why, and which the traffic does not report once more", async () => {
  const { exitCode, trials, printed } = await rehearseShop(file(LOST), { answered: sendsAgain });

  expect(trials[0]?.verdicts).toMatchObject([{ is: "defect", id: "sold-twice", follows: [] }]);
  expect(printed).toContain("1. SOLD TWICE: The application sends the order again");
  expect(printed).toMatch(
    /seen: .* delivered 2; KES .* was sold twice, [\d.]+ m?s apart: the first got no answer: connection reset, and it had succeeded when the second came \(tried\)/,
  );
  expect(exitCode).toBe(1);
});

test.concurrent("the sandbox keeps the report of the latest rehearsal, with the exchanges that prove its defect", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, { answered: sendsAgain });

  await rehearseTexts([file(LOST)], { map: shop.appMap, flags: ["--url", sandbox.url] });

  const kept = await fetch(`${sandbox.url}/__admin/accounts/default/exploration`);
  expect(await kept.json()).toMatchObject({
    is_over: true,
    problems: [
      {
        is: "defect",
        id: "sold-twice",
        exchanges: expect.arrayContaining([expect.objectContaining({ kind: "request", outcome: "200 accepted" })]),
        replay: "kredo rehearse ./1.yaml",
      },
    ],
    trials: [{ id: "tried" }],
  });
});

test.concurrent("a risk fails nothing but with --fail-on risk", async () => {
  const refused = "scenario: { version: 1, name: refuses, rules: [{ name: refuses, then: { refuse: 500 } }] }\n";
  const leavesOpen: Behaviour = { answered: () => {}, map: { balance: undefined } };

  const [plain, flagged] = await Promise.all([
    rehearseShop(file(refused), leavesOpen),
    rehearseShop(file(refused), leavesOpen, ["--fail-on", "risk"]),
  ]);

  expect([plain, flagged].map(({ exitCode }) => exitCode)).toEqual([0, 1]);
  expect(problems(plain)).toEqual(["risk refused-left-open"]);
});

test.concurrent("a balance that cannot be read is no verdict, so that no check is left out unseen", async () => {
  const map = { balance: '{ request: { url: "{app}/balance" }, json_path: $.balanse }' };

  const { exitCode, complained } = await rehearseShop(file("steps: [{ order: { count: 2 } }]\n"), { map });

  expect(complained).toContain("is delivered, but balance cannot be read: the answer has nothing at $.balanse");
  expect(exitCode).toBe(3);
});

test.concurrent("several orders are placed one after the other or at once, each with a number of its own", async () => {
  const steps = "steps: [{ order: { count: 2 } }, { order: { count: 3, at_once: true, amount: 1070 } }]\n";

  const { trials, exitCode } = await rehearseShop(file(steps));

  const orders = (trials[0]?.exchanges ?? []).filter(({ title }) => title.startsWith("POST"));
  expect(new Set(orders.map(({ title }) => title.split(" ")[2])).size).toBe(5);
  expect(orders.filter(({ title }) => title.endsWith("KES 1,070.00"))).toHaveLength(3);
  expect(exitCode).toBe(0);
});

test.concurrent("two files with one seed never give an application a request_id that it remembers", async () => {
  const received: string[] = [];
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, {
    receive: (small, callback) => {
      received.push(callback.request_id);
      small.receive(callback);
      return { status: 200 };
    },
  });

  await rehearseTexts([file(""), file("")], { map: shop.appMap, flags: ["--url", sandbox.url, "--seed", "7"] });

  expect(received).toHaveLength(2);
  expect(new Set(received).size).toBe(2);
});

test.concurrent("an application that does not call this sandbox is no verdict, and its account is left as it was", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, { placing: () => ({ status: 201, json: {} }) });
  const journal = `${sandbox.url}/__admin/accounts/default/clock`;

  const outcome = await rehearseTexts([file("")], { map: shop.appMap, flags: ["--url", sandbox.url] });

  expect(outcome.complained).toContain(
    "no request reached the sandbox. If the application calls another gateway, point it at",
  );
  expect(outcome.exitCode).toBe(3);
  expect(await (await fetch(journal)).json()).toMatchObject({ mode: "real" });
});

test.concurrent("several files end with one list, and one without a verdict does not stop the others", async () => {
  await using sandbox = await createSandbox();
  let orders = 0;
  await using shop = await startSmallShop(sandbox, {
    placing: () => (++orders === 1 ? { status: 404, json: { error: "no customer" } } : undefined),
  });

  const outcome = await rehearseTexts(
    ["none", "passes"].map((name) => file("").replace(/^name: .*$/m, `name: ${name}`)),
    {
      map: shop.appMap,
      flags: ["--url", sandbox.url],
    },
  );

  expect(outcome.complained).toContain("no customer");
  expect(outcome.printed).toContain("Passed: passes.\nNot assessed: none.\nNo verdict: 1 of 2 trials not assessed");
  expect(outcome.exitCode).toBe(3);
});

test.concurrent("a signature may be intended, even beside an order of the other kind that is in doubt", async () => {
  await using sandbox = await createSandbox();
  const paid = new Map<string, string>();
  const asked = new Map<string, string>();
  await using shop = await openShell(
    0,
    {
      "POST /orders/:id": async ({ id, text }) => {
        const order: { message?: string; amount?: number } = JSON.parse(text);
        const signed = order.message
          ? { ...order, message: `${order.message} - Duka`, sender_id: "SANDBOX" }
          : { ...order, amount: String(order.amount) };
        const [path, body] = [order.message ? "sms" : "airtime", JSON.stringify(signed)];
        const authorization = `Basic ${btoa(`${sandbox.consumerKey}:${sandbox.consumerSecret}`)}`;
        const headers = { authorization, "content-type": "application/json" };
        const response = await fetch(`${sandbox.url}/api/v2/${path}`, { method: "POST", headers, body }).catch(
          () => undefined,
        );
        if (response === undefined) return { status: 201 };
        const answer: { request_id: string } = JSON.parse(await response.text());
        asked.set(answer.request_id, id);
        return { status: 201 };
      },
      "GET /orders/:id": ({ id }) => ({ status: 200, json: { status: paid.get(id) ?? "open" } }),
      // Takes the money only once the callback is there.
      "GET /balance/:id": ({ id }) => ({ status: 200, json: { balance: paid.has(id) ? 0 : 75 } }),
      "POST /hooks": ({ text }) => {
        const { request_id: requestId }: { request_id: string } = JSON.parse(text);
        const id = asked.get(requestId);
        if (id !== undefined) paid.set(id, "paid");
        return { status: 200 };
      },
    },
    () => {},
  );
  const map = `version: 1
application: ${shop.url}
order:
  airtime: { request: { url: "{app}/orders/{reference}", json: { phone_number: "{phone_number}", amount: "{amount}" } } }
  sms: { request: { url: "{app}/orders/{reference}", json: { phone_number: "{phone_number}", message: "{message}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.status, paid: paid, failed: failed, open: open }
balance: { request: { url: "{app}/balance/{reference}" }, json_path: $.balance, price: "75" }
callbacks: { airtime: "{app}/hooks", sms: "{app}/hooks" }
settle: 150ms
`;
  const lost = "{ name: lost, when: { operation: airtime }, then: { connection: reset_after_accept } }";

  const { exitCode, complained } = await rehearseTexts(
    [
      file(
        `scenario: { version: 1, name: lost, rules: [${lost}] }\nsteps: [{ order: { operation: airtime, amount: 75 } }, { order: sms }]\n`,
      ),
    ],
    { map, flags: ["--url", sandbox.url] },
  );

  expect(complained).toContain("If that is meant, say so in the app map, like delivers: { message: contains }");
  expect(exitCode).toBe(3);
});

test.concurrent("an order that costs something else than the map says gets no verdict where a plain one does", async () => {
  const { exitCode, complained } = await rehearseShop(file("steps: [{ order: { amount: 50 } }]\n"), {
    placing: takesFee,
  });

  expect(complained).toMatch(
    /was debited KES (\d+).00; by the app map, it costs KES (\d+).00. If that is meant, say so/,
  );
  expect(exitCode).toBe(3);
});

test.concurrent("a client without a limit is one defect, which says so", async () => {
  const outcome = await rehearseEndless(
    file(
      "scenario: { version: 1, name: hangs, rules: [{ name: never answers, then: { connection: hang_after_accept } }] }\n",
    ),
  );

  expect(problems(outcome)).toEqual(["defect waits-forever"]);
  expect(outcome.exitCode).toBe(1);
});

async function rehearseShop(text: string, behaviour: Behaviour = {}, flags: readonly string[] = []): Promise<Outcome> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);
  return await rehearseTexts([text], { map: shop.appMap, flags: ["--url", sandbox.url, ...flags] });
}

const ENDLESS = `version: 1
application: http://localhost:3000
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "100" } } } }
callbacks: { airtime: "{app}/hooks" }
`;

/** Times as fast as the wall, so that half a minute takes a second. */
const SPEED = 200;

/** An application that calls the gateway in the background, and waits for its answer without a limit. Wall time passes where Kredo pauses. */
async function rehearseEndless(text: string): Promise<Outcome> {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await startTestSandbox({}, { wall, pause: pauseOn(wall) });
  const url = `http://127.0.0.1:${sandbox.port}`;
  const leave = new AbortController();
  await using shop = await openShell(
    0,
    {
      "POST /orders": ({ text: body }) => {
        const headers = { authorization: AUTHORIZATION, "content-type": "application/json" };
        fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body, signal: leave.signal }).catch(() => {});
        return { status: 201 };
      },
      "POST /hooks": () => ({ status: 200 }),
    },
    () => {},
  );
  const pause = async (wait: number): Promise<void> => {
    wall.advance(wait * SPEED);
    await setImmediate();
  };
  try {
    const time = { clock: wall, pause };
    return await rehearseTexts([text], { map: ENDLESS, time, flags: ["--url", url, "--app", shop.url] });
  } finally {
    leave.abort();
  }
}
