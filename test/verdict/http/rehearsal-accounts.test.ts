import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import type { Sandbox } from "../../../src/index.ts";
import type { Routes, RouteAnswer } from "../../backends/http-shell.ts";
import { type Rehearsing, rehearsing } from "../../support/rehearse.ts";

test("an account that is in a rehearsal is not taken for another one", async () => {
  const { environment, meanwhile } = await interrupting();
  const second = meanwhile(() => environment.rehearse([file("second")], { map: MAP }));

  const first = await environment.rehearse([CALLING], { map: MAP });

  expect(first).toMatchObject({ exitCode: 0, complained: expect.not.stringContaining("no verdict") });
  expect(await second).toMatchObject({
    exitCode: 3,
    complained: expect.stringMatching(
      /^\.\/1\.yaml: the account is in the rehearsal first, started at 20\S+Z with seed \d+: wait for its end, or pass another account with --account KEY\. /m,
    ),
  });
  expect(await environment.sandbox.clock.read()).toMatchObject({ mode: "real" });
});

test("a reset in mid-run leaves nothing to judge, and the account is put back", async () => {
  const { environment, meanwhile } = await interrupting();
  const done = meanwhile(() => environment.sandbox.reset());

  const outcome = await environment.rehearse([CALLING], { map: MAP });
  await done;

  expect(outcome).toMatchObject({ exitCode: 3, trials: [{ verdict: "not assessed" }] });
  expect(outcome.complained).toContain("./1.yaml: the account was reset or replaced by an import during the run");
  expect(await environment.sandbox.clock.read()).toMatchObject({ mode: "real" });
});

test("a rehearsal that fails does not stop the others, and the run has no verdict", async () => {
  const { environment, meanwhile } = await interrupting();
  const done = meanwhile(() => environment.sandbox.reset());
  const others = Array.from({ length: 9 }, (_, index) => file(`other-${index}`));

  const outcome = await environment.rehearse([CALLING, ...others], { map: MAP });
  await done;

  expect(outcome.trials.map(({ verdict }) => verdict)).toEqual(["not assessed", ...others.map(() => "right")]);
  expect(outcome.printed).toContain("Not assessed: first.");
  expect(outcome.exitCode).toBe(3);
});

test("an account that another rehearsal took over is left to that one", async () => {
  const { environment, meanwhile } = await interrupting();
  const done = meanwhile(() => takeFor("third, begun later", environment));

  const outcome = await environment.rehearse([CALLING], { map: MAP });
  await done;

  expect(outcome.exitCode).toBe(3);
  expect(outcome.complained).toContain("the rehearsal third, begun later took over the account during the run");
  expect(await environment.sandbox.clock.read()).toMatchObject({ mode: "manual" });
});

test("a reset frees an account whose rehearsal was killed, which then has what it had before", async () => {
  const { environment, meanwhile } = await interrupting();
  const { sandbox } = environment;
  await sandbox.callbacks.set({ airtime: "http://localhost:3000/own" });
  const before = await lookAt(sandbox);
  const killed = meanwhile(() => readJournal(environment));
  await environment.rehearse([ALTERING], { map: MAP });
  await putJournal(await killed, environment);

  const during = await sandbox.clock.read();
  await sandbox.reset();
  const outcome = await environment.rehearse([file("next")], { map: MAP });

  expect(during.mode).toBe("manual");
  expect(outcome.exitCode).toBe(0);
  expect(await sandbox.clock.read()).toMatchObject({ mode: "real" });
  expect(await lookAt(sandbox)).toEqual(before);
});

const CALLING = file("first");

const ALTERING = file("killed", 'scenario: { version: 1, name: altered, setup: { wallet: { balance: "500.00" } } }\n');

function file(name: string, rest = ""): string {
  return `version: 1\nname: ${name}\n${rest}`;
}

const MAP = `version: 1
application: http://localhost:3000
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "100" } } } }
status: { request: { url: "{app}/status" }, json_path: $.status, paid: paid, failed: failed, open: open }
callbacks: { airtime: "{app}/hooks" }
settle: 100ms
`;

async function lookAt(sandbox: Sandbox): Promise<unknown> {
  const scenarios = (await sandbox.scenarios()).map(({ name }) => name);
  return { scenarios, callbacks: await sandbox.callbacks.read(), wallet: await sandbox.wallet.read() };
}

const journal = z.looseObject({ events: z.array(z.looseObject({})) });

interface Interrupting {
  readonly environment: Rehearsing;
  /** Does something when the rehearsal calls the application, before it is answered. */
  readonly meanwhile: <Done>(act: () => Promise<Done>) => Promise<Done>;
}

async function interrupting(): Promise<Interrupting> {
  const calls = new EventTarget();
  const routes: Routes = {
    "POST /orders": async ({ text }) => {
      const answer = await new Promise<RouteAnswer>((resolve) => {
        // Only the first order is waited for; calls without a listener are answered at once.
        const isHeard = !calls.dispatchEvent(new CustomEvent("call", { detail: resolve, cancelable: true }));
        if (!isHeard) resolve({ status: 201 });
      });
      const { url, consumerKey, consumerSecret } = environment.sandbox;
      const authorization = `Basic ${btoa(`${consumerKey}:${consumerSecret}`)}`;
      const headers = { authorization, "content-type": "application/json" };
      await fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body: text });
      return answer;
    },
    "GET /status": () => ({ status: 200, json: { status: "paid" } }),
    "POST /hooks": () => ({ status: 200 }),
  };
  const environment: Rehearsing = await rehearsing(routes);
  onTestFinished(() => environment[Symbol.asyncDispose]());
  return { environment, meanwhile: (act) => onceCalled(calls, act) };
}

function onceCalled<Done>(calls: EventTarget, act: () => Promise<Done>): Promise<Done> {
  return new Promise((resolve, reject) => {
    const called = async (event: Event): Promise<void> => {
      event.preventDefault();
      resolve(await act());
      if (event instanceof CustomEvent) event.detail({ status: 200 });
    };
    calls.addEventListener("call", (event) => void called(event).catch(reject), { once: true });
  });
}

/** Puts the account's journal back as if another rehearsal had begun with it. */
async function takeFor(rehearsal: string, environment: Rehearsing): Promise<void> {
  const {
    events: [opened, ...rest],
    ...document
  } = await readJournal(environment);
  await putJournal({ ...document, events: [{ ...opened, rehearsal }, ...rest] }, environment);
}

async function readJournal({ sandbox }: Rehearsing): Promise<z.output<typeof journal>> {
  return journal.parse(await (await fetch(`${sandbox.url}/__admin/accounts/default/export`)).json());
}

async function putJournal(document: z.output<typeof journal>, { sandbox }: Rehearsing): Promise<void> {
  const answer = await fetch(`${sandbox.url}/__admin/accounts/default/import`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(document),
  });
  expect(answer.status).toBe(200);
}
