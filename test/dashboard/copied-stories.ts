import { AccountReading } from "../../src/dashboard/live/account-reading.ts";
import { copiedTests } from "../../src/dashboard/views/requests/inspector/copy-as-test.ts";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import type { Scenario } from "../../src/gateway/scenario/schema.ts";
import type { Account, AccountOptions, Sandbox } from "../../src/index.ts";
import { type Fault, FAULTS, findFault, writeFault } from "../../src/verdict/faults.ts";

/** What happens to an account whose latest row is copied. */
export interface Story {
  readonly options?: AccountOptions;
  readonly play: (account: Account) => Promise<unknown>;
}

export type Stories = Readonly<Record<string, Story>>;

/** Copies the latest row of each story, as the page has it. Returns the tests by what they are for, under the name of their story. */
export async function copyStories(sandbox: Sandbox, stories: Stories, purpose = "Vitest"): Promise<Texts> {
  const copied = Object.entries(stories).map(async ([name, { play, options = ANSWERING }]) => {
    await using account = await sandbox.account(options);
    await play(account);
    return [name, (await copyLatest(sandbox, account))[purpose] ?? ""] as const;
  });
  return Object.fromEntries(await Promise.all(copied));
}

type Texts = Readonly<Record<string, string>>;

const ANSWERING: AccountOptions = { callbacks: { airtime: "kredo:sink", sms: "kredo:sink" }, sender_ids: ["DUKA"] };

async function copyLatest({ url }: Sandbox, { consumerKey }: Account): Promise<Texts> {
  const answer = await fetch(`${url}/__admin/accounts/${consumerKey}/export?wall_time=keep`);
  const { number, events }: { number: number; events: AccountEvent[] } = JSON.parse(await answer.text());
  const reading = new AccountReading();
  for (const [index, event] of events.entries()) reading.take({ number: number + index, event });
  return copiedTests(reading.rows.at(-1)?.sale ?? []);
}

/** The same tests, with their scenario taken out. */
export function withoutScenario(tests: Texts): Texts {
  const scenario = / {2}await account\.scenario\([^]*?\n {2}\}\);\n/;
  return Object.fromEntries(
    Object.entries(tests).map(([name, text]) => [`${name}, without`, text.replace(scenario, "")]),
  );
}

async function order(account: Account, body: object = AIRTIME, path = "/api/v2/airtime"): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = account.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  await answer.then((got) => got.text()).catch(() => "");
}

const AIRTIME = { phone_number: "254712345678", amount: "75" };
const LONG_SMS = { phone_number: "254733456789", message: `It's “curly” \\ ${"🚚".repeat(80)}`, sender_id: "DUKA" };

/** Each fault that concerns a request, but for the slow ones, which would be as slow again. */
const REQUEST_FAULTS = FAULTS.filter((fault) => "then" in fault && fault.isSlow !== true);

/** An order that meets a fault which is armed as the page arms it. */
function meeting(fault: Fault, advances: string): Story {
  return {
    async play(account) {
      await account.scenario(writeFault(fault));
      await order(account);
      await account.endScenario();
      await account.clock.advance(advances);
    },
  };
}

type Rules = NonNullable<Scenario["rules"]>;

/** An order that meets a rule. */
function ruled(then: Rules[number]["then"], send = (account: Account) => order(account)): Story {
  return {
    async play(account) {
      await account.scenario({ version: 1, name: "ruled", rules: [{ name: "it's ruled", then }] });
      await send(account);
      await account.clock.advance("4h");
    },
  };
}

/** Two orders for one thing. */
function twice(rules: Rules): Story {
  return {
    async play(account) {
      await account.scenario({ version: 1, name: "twice", rules });
      await order(account);
      await account.clock.advance("2m");
      await order(account);
      await account.clock.advance("1h");
    },
  };
}

/** What goes wrong, so that a copied test fails without it. */
export const FAULTY: Stories = {
  ...Object.fromEntries(REQUEST_FAULTS.map((fault) => [fault.id, meeting(fault, "2h")])),
  ...Object.fromEntries(
    REQUEST_FAULTS.filter(({ group }) => group === "callback" || group === "result").map((fault) => [
      `${fault.id}, pending`,
      meeting(fault, "0s"),
    ]),
  ),
  "answered with a refusal": ruled({ ack: { status: 429 } }),
  "answered late": ruled({ ack: { delay: "1200ms" } }),
  "settled late": ruled({ result: { delay: "3h" } }),
  "charged otherwise": ruled({ result: { charge: "10" } }),
  "charged though it failed": ruled({ result: { outcome: "failed", charge: "12.5" } }),
  "with a callback of its own": ruled({ callback: { body: '{"id":"{{request_id}}"}', times: 2, gap: "5m" } }),
  "delivered in part": ruled({ result: { delivered_parts: [1, 2] } }, (account) =>
    order(account, LONG_SMS, "/api/v2/sms"),
  ),
  "lost and failed, then cut": twice([
    { name: "lost", when: { first: 1 }, then: { connection: "reset_after_accept", result: { outcome: "failed" } } },
    { name: "cut", then: { connection: "empty_before_accept" } },
  ]),
  "an empty wallet": {
    async play(account) {
      await account.wallet.set("10");
      await order(account);
    },
  },
  "revoked credentials": meeting(findFault("credentials-revoked") ?? raise(), "0s"),
};

/** An order whose first answer is lost, and which is sent again. */
export const SOLD_TWICE: Stories = {
  "sold twice": twice([{ name: "lost", when: { first: 1 }, then: { connection: "reset_after_accept" } }]),
};

/** An ordinary order, and those of accounts whose receiver is at fault, or which have none. */
export function ordinaryStories(failing: string, silent: string): Stories {
  return {
    ordinary: calling("kredo:sink"),
    failing: calling(failing),
    "failing again": calling(failing, { retry: { attempts: 3 } }),
    silent: calling(silent),
    "not there": calling("http://127.0.0.1:9/hooks"),
    none: { ...calling(""), options: {} },
    invalid: { play: (account) => order(account, { phone_number: "12" }) },
    "sent again": {
      ...calling(failing),
      async play(account) {
        await order(account);
        await account.clock.advance("1h");
        await account.callbacks.set({ airtime: "kredo:sink" });
        await account.resend((await account.transactions())[0]?.request_id ?? "");
      },
    },
  };
}

function calling(airtime: string, retry = {}): Story {
  return {
    options: { callbacks: { airtime, ...retry } },
    async play(account) {
      await order(account);
      await account.clock.advance("1h");
    },
  };
}

function raise(): never {
  throw new Error("there is no such fault");
}
