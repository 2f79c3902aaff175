import { expect, test } from "vitest";
import { startGateway } from "../../../src/gateway.ts";
import { connectSandbox, createSandbox } from "../../../src/index.ts";
import { deserted, playSandbox } from "../../support/played-sandbox.ts";

const airtime = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ phone_number: "254712345678", amount: "100" }),
};

test("attaches to a running sandbox with all that an account has", async () => {
  await using running = await createSandbox({ clock: "manual", admin: { token: "t0ken" } });

  await using sandbox = await connectSandbox({ KREDO_URL: `${running.url}/`, KREDO_ADMIN_TOKEN: "t0ken" });
  const answer = await sandbox.fetch("/api/v2/airtime", airtime);
  await sandbox.clock.advance("1m");
  const account = await sandbox.account({ balance: "5.00" });

  expect({ url: sandbox.url, consumerKey: sandbox.consumerKey, consumerSecret: sandbox.consumerSecret }).toEqual({
    url: running.url,
    consumerKey: running.consumerKey,
    consumerSecret: running.consumerSecret,
  });
  expect(answer.status).toBe(200);
  expect((await running.transactions())[0]?.state).toBe("succeeded");
  expect(await account.wallet.read()).toMatchObject({ available: 5 });
});

test("attaches to the account of KREDO_CONSUMER_KEY", async () => {
  await using running = await createSandbox();
  const account = await running.account({ consumer_key: "shop", consumer_secret: "s3cret" });

  await using sandbox = await connectSandbox({ KREDO_URL: running.url, KREDO_CONSUMER_KEY: "shop" });
  await sandbox.wallet.topUp("1.00");

  expect(sandbox.consumerSecret).toBe("s3cret");
  expect(await account.wallet.read()).toEqual(await sandbox.wallet.read());
  expect((await running.wallet.read()).available).not.toBe((await sandbox.wallet.read()).available);
});

test("attaches with the secret in force after somebody rotated it over HTTP", async () => {
  await using running = await createSandbox();
  await using other = await connectSandbox({ KREDO_URL: running.url });
  const secret = await other.rotateSecret();

  await using sandbox = await connectSandbox({ KREDO_URL: running.url });
  const details = await sandbox.fetch("/api/v2/account-details");

  expect({ secret: sandbox.consumerSecret, status: details.status }).toEqual({ secret, status: 200 });
});

test("once closed, it refuses, and the sandbox runs on", async () => {
  await using running = await createSandbox();
  const sandbox = await connectSandbox({ KREDO_URL: running.url });
  const account = await sandbox.account();

  await sandbox.close();
  await sandbox.close();

  const refusal = {
    name: "SandboxClosedError",
    message: `the sandbox at ${running.url} was closed; make calls before close()`,
  };
  await expect(sandbox.wallet.read()).rejects.toMatchObject(refusal);
  await expect(account.fetch("/api/v2/account-details")).rejects.toMatchObject(refusal);
  expect((await fetch(`${running.url}/livez`)).status).toBe(200);
});

test("a closed sandbox of this process refuses too", async () => {
  const sandbox = await createSandbox();
  await sandbox.close();

  await expect(sandbox.transactions()).rejects.toMatchObject({ name: "SandboxClosedError" });
});

test("an account is closed any number of times, also after its sandbox, and is gone", async () => {
  await using sandbox = await createSandbox();
  const account = await sandbox.account();
  const attached = await connectSandbox({ KREDO_URL: sandbox.url });
  const other = await attached.account();

  await account.close();
  await account.close();
  await attached.close();
  await other.close();

  await expect(account.wallet.read()).rejects.toMatchObject({ name: "ControlError", status: 404 });
});

test("what a test throws is not hidden by an account that cannot be closed", async () => {
  const running = await createSandbox();
  const sandbox = await connectSandbox({ KREDO_URL: running.url });
  const failing = async (): Promise<void> => {
    await using account = await sandbox.account();
    await running.close();
    await account.fetch("/api/v2/account-details");
  };

  await expect(failing()).rejects.toThrow(new TypeError("fetch failed"));
});

test.each([
  ["reset_after_accept", undefined, { name: "TypeError", message: "fetch failed", cause: { code: "ECONNRESET" } }],
  ["empty_after_accept", undefined, { name: "TypeError", message: "fetch failed", cause: { code: "UND_ERR_SOCKET" } }],
  ["hang_after_accept", 20, { name: "TimeoutError" }],
])(
  "an order whose connection a scenario breaks (%s) fails alike in this process and over HTTP",
  async (way, limit, error) => {
    await using running = await createSandbox({ scenarios: [] });
    await running.scenario(`version: 1\nname: broken\nrules: [{ name: broken, then: { connection: ${way} } }]`);
    await using sandbox = await connectSandbox({ KREDO_URL: running.url });
    const order = (): RequestInit => ({ ...airtime, signal: limit === undefined ? null : AbortSignal.timeout(limit) });

    await expect(running.fetch("/api/v2/airtime", order())).rejects.toMatchObject(error);
    await expect(sandbox.fetch("/api/v2/airtime", order())).rejects.toMatchObject(error);
  },
);

test("a port that is taken is one sentence, with a name", async () => {
  await using first = await createSandbox();
  const port = Number(new URL(first.url).port);

  await expect(createSandbox({ port })).rejects.toMatchObject({
    name: "PortInUseError",
    message: `port ${port} on 127.0.0.1 is in use; set port to 0 to take a free one`,
  });
  await expect(startGateway({ port })).rejects.toMatchObject({ name: "PortInUseError" });
});

test.each([
  ["createSandbox", () => createSandbox({ seed: -1 })],
  ["createSandbox, later", () => createSandbox({ scenarios: ["no-such-scenario"] })],
  ["startGateway", () => startGateway({ seed: -1 })],
  ["startGateway, later", () => startGateway({ scenarios: ["no-such-scenario"] })],
])("the stack of a wrong option shows where %s was called, and nothing of the bundle", async (_name, start) => {
  const mistake: unknown = await start().catch((error: unknown) => error);

  expect(mistake).toBeInstanceOf(TypeError);
  const frames = mistake instanceof Error ? mistake.stack?.match(/^ {4}at .*$/gm)?.join("\n") : undefined;
  expect(frames).toContain("connect-sandbox.test.ts");
  expect(frames).not.toContain("/src/");
});

test.each([
  [
    {},
    "KREDO_URL is not set; set it to the sandbox's, such as http://127.0.0.1:8254, or run the tests with kredo exec",
  ],
  [
    { KREDO_URL: "localhost:8254" },
    'KREDO_URL is "localhost:8254", which is not a URL; set it to the sandbox\'s, such as http://127.0.0.1:8254, or run the tests with kredo exec',
  ],
])("from %j it says what to set", async (env, message) => {
  await expect(connectSandbox(env)).rejects.toThrow(new TypeError(message));
});

test("says that nothing answers, that a server is not a sandbox, or what was refused", async () => {
  const nowhere = await deserted();
  await using stranger = await playSandbox({ "GET /__admin/accounts/default": { status: 404, text: "<html>" } });
  await using running = await createSandbox({ admin: { token: "t0ken" } });

  await expect(connectSandbox({ KREDO_URL: nowhere })).rejects.toMatchObject({
    name: "SandboxUnreachableError",
    message: expect.stringMatching(
      new RegExp(`^no sandbox answers at ${nowhere} \\(.*ECONNREFUSED.*\\); start one with kredo serve, or `),
    ),
  });
  await expect(connectSandbox({ KREDO_URL: stranger.url })).rejects.toMatchObject({
    name: "SandboxUnreachableError",
    message: `${stranger.url} answered 404 but is not a Kredo sandbox; correct KREDO_URL`,
  });
  await expect(connectSandbox({ KREDO_URL: running.url })).rejects.toMatchObject({ name: "ControlError", status: 401 });
  await expect(
    connectSandbox({ KREDO_URL: running.url, KREDO_ADMIN_TOKEN: "t0ken", KREDO_CONSUMER_KEY: "nobody" }),
  ).rejects.toMatchObject({
    name: "ControlError",
    status: 404,
  });
});
