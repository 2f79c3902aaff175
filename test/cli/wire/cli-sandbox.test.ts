import { expect, test } from "vitest";
import { valueAt } from "../../../src/cli/terminal/json-view.ts";
import { run } from "../../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const UUID = "[0-9a-f-]{36}";

test("what is sent by hand comes back to the listener, with the discount taken off", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  const listener = fakeTerminal();

  const listening = run(["listen", "--url", sandbox.url], listener);
  await listener.untilSaid("stop with Ctrl-C.");
  const sent = await say(sandbox, "send", "airtime", "254712345678", "100");
  const advanced = await say(sandbox, "advance", "10m");
  listener.interrupt();
  await listening;

  expect(sent).toMatch(new RegExp(`^Accepted: Operation successful\\.\nrequest_id ${UUID}\n`));
  expect(advanced).toMatch(
    new RegExp(
      `  airtime    ${UUID}  .+ answered 200: delivered\\.\nNow 2025-01-06T06:10:00.000Z: 1 callback sent, nothing is pending\\.\n$`,
    ),
  );
  expect(listener.printed()).toMatch(new RegExp(`  airtime  ${UUID}  200 .+  charge 95  balance 9905\n`));
});

test("the listener puts back the URLs that were there", async () => {
  const callbacks = { airtime: "http://127.0.0.1:9/hooks?token=a%20b", sms: "kredo:sink" };
  await using sandbox = await createSandbox({ accounts: [{ callbacks }] });
  const listener = fakeTerminal();

  const listening = run(["listen", "--url", sandbox.url], listener);
  await listener.untilSaid("stop with Ctrl-C.");
  const during = await readUrls(sandbox);
  listener.interrupt();
  const exitCode = await listening;

  expect(exitCode).toBe(0);
  expect(during).toEqual({
    airtime: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/airtime$/),
    sms: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sms$/),
  });
  expect(await readUrls(sandbox)).toEqual(callbacks);
});

test("a listener leaves the URLs of a later one, and says so", async () => {
  await using sandbox = await createSandbox();
  const [listener, later] = [fakeTerminal(), "http://127.0.0.1:9/later"];

  const listening = run(["listen", "--url", sandbox.url], listener);
  await listener.untilSaid("stop with Ctrl-C.");
  await sandbox.callbacks.set({ airtime: later, sms: later });
  listener.interrupt();
  await listening;

  expect(listener.printed()).toContain(
    `\nLeft unchanged, because they were set to something else in the meantime: airtime ${later}, sms ${later}.\n`,
  );
  expect(await readUrls(sandbox)).toEqual({ airtime: later, sms: later });
});

test("--wait prints the result and what became of the callback", async () => {
  await using sandbox = await createSandbox({ latency_ms: 0 });

  const printed = await say(sandbox, "send", "sms", "254712345678", "Habari", "--wait");

  expect(printed).toMatch(
    /\nsucceeded: 200 .+\ncharge KES 0\.80, balance KES 9,999\.20\ncallback: Not sent: no callback URL registered for sms\.\n$/,
  );
});

test("--wait does not wait on a manual clock", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });

  const { exitCode, complained } = await kredo(["send", "airtime", "254712345678", "100", "--wait"], {
    env: { KREDO_URL: sandbox.url },
  });

  expect({ exitCode, complained }).toEqual({
    exitCode: 1,
    complained: "The account's clock is manual. Run kredo advance to move it; the result arrives then.\n",
  });
});

test("tops up, reads the balance and resets", async () => {
  await using sandbox = await createSandbox({ accounts: [{ organization: { name: "Mfano Ltd" } }] });

  expect(await say(sandbox, "top-up", "99.50")).toBe("Topped up by KES 99.50: KES 10,099.50 available.\n");
  expect(await say(sandbox, "balance")).toBe("KES 10,099.50 available to Mfano Ltd\n");
  expect(await say(sandbox, "reset")).toBe("Reset default to its initial state.\n");
  expect(await say(sandbox, "balance")).toBe("KES 10,000.00 available to Mfano Ltd\n");
});

test("sends a callback again", async () => {
  await using sandbox = await createSandbox({ clock: "manual", accounts: [{ callbacks: { sms: "kredo:sink" } }] });
  await say(sandbox, "send", "sms", "254712345678", "Habari");
  await say(sandbox, "advance", "--to", "next");
  const [transaction] = await sandbox.transactions();

  const printed = await say(sandbox, "resend", transaction?.request_id ?? "");
  await say(sandbox, "advance", "1s");

  expect(printed).toBe(`Sending the callback of ${transaction?.request_id} again.\n`);
  expect(await sandbox.callbacks.received()).toHaveLength(2);
});

test("works as another account, with the admin token", async () => {
  const accounts = [
    {},
    { consumer_key: "other", consumer_secret: "s", balance: "7.00", organization: { name: "Pili Ltd" } },
  ];
  await using sandbox = await createSandbox({ admin: { token: "t0ken" }, accounts });
  const other = ["--account", "other", "--consumer-secret", "s"];

  expect(await say(sandbox, "top-up", "1", "--account", "other", "--admin-token", "t0ken")).toContain(
    "KES 8.00 available",
  );
  expect(await say(sandbox, "balance", ...other)).toBe("KES 8.00 available to Pili Ltd\n");
  expect(await say(sandbox, "reset", "--account", "other")).toMatch(/^Refused with 401: /);
});

test("serve says that its port comes from the variable PORT", async () => {
  const terminal = fakeTerminal({ env: { PORT: "0" } });

  const serving = run(["serve"], terminal);
  await terminal.untilSaid("Ready.");
  terminal.interrupt();

  expect(await serving).toBe(0);
  expect(terminal.printed()).toMatch(/^Kredo sandbox {3}http:\/\/127\.0\.0\.1:\d+, the port from the variable PORT\n/);
});

test("is ready", async () => {
  await using sandbox = await createSandbox();

  expect(await say(sandbox, "ready", "--url", sandbox.url)).toBe(`Ready: ${sandbox.url}\n`);
});

/** All that a verb prints when it is asked of this sandbox. */
async function say(sandbox: Sandbox, ...argv: string[]): Promise<string> {
  const { printed, complained } = await kredo(argv, { env: { KREDO_URL: sandbox.url } });
  return printed + complained;
}

async function readUrls({ url }: Sandbox): Promise<unknown> {
  const json: unknown = await (await fetch(`${url}/__admin/accounts/default/callbacks`)).json();
  return { airtime: valueAt(json, "airtime"), sms: valueAt(json, "sms") };
}
