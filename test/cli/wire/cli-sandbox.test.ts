import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const UUID = "[0-9a-f-]{36}";

test("an order sent by hand is reported to the listener, with the discount subtracted", async () => {
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

test("serve prints nothing of a start and an end without warnings at --log-level warn", async () => {
  const terminal = fakeTerminal();

  const serving = run(["serve", "--port", "0", "--log-level", "warn"], terminal);
  terminal.interrupt();

  expect(await serving).toBe(0);
  expect({ printed: terminal.printed(), complained: terminal.complained() }).toEqual({ printed: "", complained: "" });
});

/** All that a verb prints when it is asked of this sandbox. */
async function say(sandbox: Sandbox, ...argv: string[]): Promise<string> {
  const { printed, complained } = await kredo(argv, { env: { KREDO_URL: sandbox.url } });
  return printed + complained;
}
