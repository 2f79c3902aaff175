import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { type Account, KredoContainer } from "../../src/testing/testcontainers/kredo-container.ts";
import { findEngine } from "../../src/testing/testcontainers/start-or-explain.ts";
import { docker } from "./docker.ts";
import { startReceiver } from "./receiver.ts";

const image = inject("image");

test("lets one test have an account, a clock and a scenario of its own", async () => {
  // region one-test
  await using kredo = await new KredoContainer(image)
    .withConfig({ clock: "manual", seed: 1 })
    .withScenario("duplicate-callbacks")
    .withCallbackUrl("http://localhost:3000/hooks")
    .start();
  const account = await kredo.openAccount({ balance: "500.00", callbacks: { airtime: "kredo:sink" } });

  const answer = await fetch(`${kredo.getBaseUrl()}/airtime`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Basic ${Buffer.from(`${account.consumerKey}:${account.consumerSecret}`).toString("base64")}`,
    },
    body: JSON.stringify({ phone_number: "254712345678", amount: "100" }),
  });
  const fired = await account.clock.advance("10m");
  // endregion

  expect(answer.status).toBe(200);
  expect(fired).toHaveLength(3);
});

test("gives an account the same hands over HTTP as in process", async () => {
  await using kredo = await new KredoContainer(image)
    .withConfig({ clock: "manual", seed: 1 })
    .withAccount({ balance: "500.00", callbacks: { airtime: "kredo:sink", sms: "kredo:sink" } })
    .start();
  const account = kredo.account();

  const bought = await buyAirtime(account, "254712345678");
  const sent = await account.fetch(
    "/api/v2/sms",
    post({ phone_number: "254712345678", sender_id: "SANDBOX", message: "Code 4711" }),
  );
  const fired = await account.clock.advance("1m");
  await account.requests.verify({ operation: "airtime" }, 1);
  await account.drain();

  expect({ bought: bought.status, sent: sent.status }).toEqual({ bought: 200, sent: 200 });
  expect(fired).toHaveLength(2);
  expect(await account.callbacks.received()).toHaveLength(2);
  expect(await account.transactions({ state: "succeeded" })).toHaveLength(2);
  expect(await account.messages.next("254712345678")).toMatchObject({ message: "Code 4711" });
  expect(await account.wallet.read()).toMatchObject({ available: 404.2 });
  expect(await account.findings()).toEqual([]);
  expect(await account.report("junit")).toContain("<testsuites");
});

test("names what a client of the gateway needs", async () => {
  await using kredo = await new KredoContainer(image)
    .withAccount({ consumer_key: "shop", consumer_secret: "open sesame" })
    .start();

  const credentials = Buffer.from(`${kredo.getConsumerKey()}:${kredo.getConsumerSecret()}`).toString("base64");
  const answer = await fetch(`${kredo.getBaseUrl()}/account-details`, {
    headers: { authorization: `Basic ${credentials}` },
  });

  expect({ key: kredo.getConsumerKey(), secret: kredo.getConsumerSecret() }).toEqual({
    key: "shop",
    secret: "open sesame",
  });
  expect(kredo.getBaseUrl()).toBe(`${kredo.getUrl()}/api/v2`);
  expect(answer.status).toBe(200);
});

test("calls back to a port of this machine", async () => {
  await using receiver = await startReceiver();
  await using kredo = await new KredoContainer(image).withCallbackUrl({ airtime: `${receiver.url}/hooks` }).start();
  const other = await kredo.openAccount({ callbacks: { airtime: `${receiver.url}/other` } });

  await buyAirtime(kredo.account(), "254712345678");
  await buyAirtime(other, "254712345678");
  await kredo.account().drain();
  await other.drain();

  expect(receiver.paths.toSorted()).toEqual(["/hooks", "/other"]);
});

test("starts with the scenarios that it is given: shipped, in a file, in the test", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "kredo-scenario-")), "from-file.yaml");
  writeFileSync(file, scenarioText("from-file"), { mode: 0o600 });
  const written = { version: 1, name: "in-the-test", rules: [{ name: "full", then: { refuse: 429 } }] };
  await using kredo = await new KredoContainer(image)
    .withScenario(written)
    .withScenario("callback-never")
    .withScenario(file)
    .start();

  const active = await kredo.account().scenarios();
  const refused = await buyAirtime(kredo.account(), "254712345678");

  expect(active.map(({ name }) => name)).toEqual(["in-the-test", "callback-never", "from-file", "magic-numbers"]);
  expect(refused.status).toBe(429);
});

test("holds each account of a config's text, also behind an admin token", async () => {
  await using kredo = await new KredoContainer(image)
    .withConfig("admin: { token: open-sesame }\naccounts: [{ consumer_key: first }]\n")
    .withAccount({ consumer_key: "second", consumer_secret: "hush", balance: "7.00" })
    .start();

  expect(kredo.getConsumerKey()).toBe("first");
  expect(await kredo.account("second").wallet.read()).toMatchObject({ available: 7 });
  expect(() => kredo.account("third")).toThrow('without an account "third"; it has first, second');
});

test("starts also where its config wants a quiet log", async () => {
  await using kredo = await new KredoContainer(image).withConfig("log: { level: error }").start();

  const answer = await kredo.account().fetch("/api/v2/account-details");

  expect(answer.status).toBe(200);
});

test("is reached again after a restart, which may change its port", async () => {
  await using kredo = await new KredoContainer(image).start();

  await kredo.restart();
  const answer = await kredo.account().fetch("/api/v2/account-details");

  expect(answer.status).toBe(200);
});

test("rejects with what the sandbox says of a mistake, and leaves nothing running", async () => {
  const name = `kredo-mistaken-${process.pid}`;
  const container = new KredoContainer(image)
    .withName(name)
    .withConfig({ seed: 7, latency_ms: -1 })
    .withScenario("callback-nevr");

  const started = container.start();

  await expect(started).rejects.toThrow(
    /latency_ms[^]*"callback-nevr" is not a shipped scenario; did you mean "callback-never"\?/,
  );
  expect(await docker("ps", "--all", "--quiet", `--filter=name=${name}`)).toBe("");
});

test("says in one line that no container engine was found", async () => {
  const found = findEngine(() => Promise.reject(new Error("Could not find a working container runtime strategy")));

  await expect(found).rejects.toThrow(
    /^KredoContainer found no container engine; start Docker or Podman, or name one in DOCKER_HOST$/,
  );
});

function buyAirtime(account: Account, phone_number: string): Promise<Response> {
  return account.fetch("/api/v2/airtime", post({ phone_number, amount: "100" }));
}

function post(body: object): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function scenarioText(name: string): string {
  return `version: 1\nname: ${name}\nrules: [{ name: full, then: { refuse: 429 } }]\n`;
}
