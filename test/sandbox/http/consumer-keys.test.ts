import { expect, test } from "vitest";
import { readSnapshot } from "../../../src/cli/serve/snapshot.ts";
import { configSchema } from "../../../src/config.ts";
import { callGateway } from "../../support/gateway/gateway-client.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { callControl } from "../../support/call-control.ts";
import { startTestSandbox } from "../../support/sandbox.ts";

/** A key of the form and length of a live one. */
const LIVE = "123" + "0123456789abcdef".repeat(2);

const KEYS: readonly (readonly [name: string, key: string, isTaken: boolean])[] = [
  ["a live key", LIVE, true],
  ["one character", "k", true],
  ["the longest key", "k".repeat(128), true],
  ["every printable character", String.raw`!"#$%&'()*+,-./09;<=>?@AZ[\]^_ az{|}~`, true],
  ["a slash", "a/../b", true],
  ["what decodes to the folder above", "%2e%2E", true],
  ["what decodes to the folder itself", "%2e", true],
  ["nothing", "", false],
  ["a character too many", "k".repeat(129), false],
  ["more than a database's index takes", "k".repeat(2_700), false],
  ["a colon", "a:b", false],
  ["the name of a journal of the sandbox", ":sandbox", false],
  ["half a surrogate pair", "a\ud800", false],
  ["an emoji", "shop😀", false],
  ["a letter with an accent", "clé", false],
  ["a control character", "a\u0000b", false],
  ["a line break", "abc\n", false],
  ["a blank at its start", " abc", false],
  ["a blank at its end", "abc ", false],
  ["what the first account is called", "default", false],
  ["what a URL takes for the folder itself", ".", false],
  ["what a URL takes for the folder above", "..", false],
];

/** The places where a key enters a sandbox. Each says whether it takes one. */
const PLACES: Readonly<Record<string, (key: string) => Promise<boolean>>> = {
  "the config": async (key) => configSchema.safeParse({ accounts: [{ consumer_key: key }] }).success,
  "the control API": async (key) => {
    await using sandbox = await startTestSandbox();
    const { status } = await callControl(sandbox, "POST", "/__admin/accounts", { consumer_key: key });
    const { body } = await callControl(sandbox, "GET", "/__admin/accounts");
    return isOneOf(status, { taken: 201, refused: 422 }) && body.total === 2;
  },
  "a request that opens an account": async (key) => {
    await using sandbox = await startTestSandbox({ auto_accounts: ["*"] });
    const headers = { authorization: basic(key, "any") };
    const { status } = await callGateway(sandbox, { method: "GET", path: "/api/v2/account-details", headers });
    return isOneOf(status, { taken: 200, refused: 401 }) && sandbox.running.world.find(key) !== undefined;
  },
  "the import of a journal": async (key) => {
    await using sandbox = await startTestSandbox();
    const { body } = await callControl(sandbox, "GET", "/__admin/accounts/default/export");
    const written = { ...body, consumer_key: key };
    const { status } = await callControl(sandbox, "PUT", "/__admin/accounts/default/import", written);
    return isOneOf(status, { taken: 200, refused: 422 });
  },
  "a snapshot": async (key) => {
    await using sandbox = await startTestSandbox();
    const { body } = await callControl(sandbox, "GET", "/__admin/accounts/default/export");
    const text = JSON.stringify({ kredo: body.kredo, accounts: [{ ...body, consumer_key: key }] });
    return !throws(() => readSnapshot({ path: "s.json", place: "--import" }, { read: () => ({ text }) }));
  },
};

const CASES = Object.entries(PLACES).flatMap(([place, takes]) =>
  KEYS.map(([name, key, isTaken]) => ({ place, takes, name, key, isTaken })),
);

/** Basic authentication ends the key at the colon, so that another key arrives. */
const ARRIVING = CASES.filter(({ place, key }) => !(place.startsWith("a request") && key.includes(":")));

test.each(ARRIVING)("as a consumer key in $place, $name is taken: $isTaken", async ({ takes, key, isTaken }) => {
  expect(await takes(key)).toBe(isTaken);
});

test.each(KEYS.filter(([, , isTaken]) => isTaken))("%s that was taken is reached by its URL", async (_name, key) => {
  await using sandbox = await startTestSandbox();
  await callControl(sandbox, "POST", "/__admin/accounts", { consumer_key: key });

  const { status, body } = await callControl(sandbox, "GET", `/__admin/accounts/${encodeURIComponent(key)}`);

  expect({ status, key: body.consumer_key }).toEqual({ status: 200, key });
});

test("a client whose key matches auto_accounts but is not a consumer key is told so", async () => {
  await using sandbox = await startTestSandbox({ auto_accounts: ["*"] });

  const headers = { authorization: basic("clé", "any") };
  await callGateway(sandbox, { method: "GET", path: "/api/v2/account-details", headers });

  const [request] = sandbox.running.world.sandbox.journal.index.requests;
  expect(request?.hint).toContain("auto_accounts opens none for what is not a consumer key; write 1 to 128 printable");
});

function isOneOf(status: number, { taken, refused }: { taken: number; refused: number }): boolean {
  if (status !== taken && status !== refused) throw new Error(`answered ${status}`);
  return status === taken;
}

function throws(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
