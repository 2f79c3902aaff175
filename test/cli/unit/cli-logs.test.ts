import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { deserted, playSandbox } from "../../support/played-sandbox.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const url = ({ port }: { port: number }): string => `http://127.0.0.1:${port}`;

test("prints what happened, at the account's time", async () => {
  await using sandbox = await startTestSandbox();
  await sendAirtime(sandbox, { amount: "10" });

  const { exitCode, printed, complained } = await kredo(["logs", "--url", url(sandbox)], { env: { NO_COLOR: "1" } });

  expect(exitCode).toBe(0);
  expect(printed).toMatch(
    /^\d\d:00:00 {2}account {3}begins .*\n\d\d:00:00 {2}airtime {3}254712345678 KES 10\.00 {2}200 .*\n$/,
  );
  expect(complained).toBe("");
});

test("--follow prints what comes, until it is interrupted", async () => {
  await using sandbox = await startTestSandbox();
  const terminal = fakeTerminal();

  const following = run(["logs", "--follow", "--url", url(sandbox)], terminal);
  await terminal.untilSaid("account   begins");
  await sendAirtime(sandbox, { amount: "10" });
  await terminal.untilSaid("KES 10.00");
  terminal.interrupt();

  expect(await following).toBe(0);
});

test("--follow says that the sandbox stopped", async () => {
  const terminal = fakeTerminal();
  const sandbox = await startTestSandbox();
  const following = run(["logs", "--follow", "--url", url(sandbox)], terminal);
  await terminal.untilSaid("account   begins");

  await sandbox[Symbol.asyncDispose]();

  expect(await following).toBe(0);
  expect(terminal.complained()).toBe(`The sandbox at ${url(sandbox)} ended the log.\n`);
});

test("--json prints an object a line, findings included", async () => {
  await using sandbox = await startTestSandbox({ accounts: [{ callbacks: { airtime: "http://127.0.0.1:1/hook" } }] });
  await sendAirtime(sandbox);
  await sandbox.account.advance({ by: 60_000 }, 5_000);

  const { printed } = await kredo(["logs", "--json", "--url", url(sandbox)]);

  const lines = printed.trimEnd().split("\n");
  const entries = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(entries.map(({ event }) => event)).toEqual(["opened", "accepted", "settled", "finding", "attempted"]);
  expect(entries[1]).toMatchObject({
    time: "2025-01-06T06:00:00.000Z",
    account: "sandbox-key",
    order: { phoneNumber: "254712345678" },
  });
});

test.each([
  [{ isTTY: true }, "\u001b[2m09:00:00\u001b[22m  \u001b[33mairtime", ".\u001b[39m\n"],
  [{ isTTY: true, env: { NO_COLOR: "1" } }, "09:00:00  airtime", ".\n"],
  [{}, "09:00:00  airtime", ".\n"],
])("on a terminal like %j a refusal is styled from %j to %j", async (options, start, end) => {
  await using sandbox = await startTestSandbox();
  await sendAirtime(sandbox, { amount: "0" });

  const { printed } = await kredo(["logs", "--url", url(sandbox)], options);

  const [, refusal = ""] = printed.split(/(?<=\n)/);
  expect(refusal.replace(/\d\d:00:00/, "09:00:00").slice(0, start.length)).toBe(start);
  expect(refusal.slice(-end.length)).toBe(end);
});

test("says that nothing answers, that a server is not a sandbox, or what was refused", async () => {
  const nowhere = await deserted();
  await using stranger = await playSandbox({ "GET /__admin/accounts/default": { json: {} } });
  await using sandbox = await startTestSandbox({ admin: { token: "t0ken" } });
  const [first, second, third] = [fakeTerminal(), fakeTerminal(), fakeTerminal()];

  const codes = [
    await run(["logs", "--url", nowhere], first),
    await run(["logs", "--url", stranger.url], second),
    await run(["logs", "--url", url(sandbox)], third),
  ];

  expect(codes).toEqual([3, 3, 2]);
  expect(first.complained()).toContain(`No sandbox answers at ${nowhere}`);
  expect(second.complained()).toContain(`The server at ${stranger.url} is not a Kredo sandbox`);
  expect(third.complained()).toContain("Refused with 401");
});

test("says that a connection broke midway", async () => {
  await using sandbox = await playSandbox({
    "GET /__admin/accounts/default": { json: { journal_version: 1, consumer_key: "k" } },
    "GET /__admin/accounts/default/events?after=0": (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": ready\n\n", () => void response.socket?.resetAndDestroy());
      return undefined;
    },
  });

  const { exitCode, complained } = await kredo(["logs", "--follow", "--url", sandbox.url]);

  expect(exitCode).toBe(3);
  expect(complained).toMatch(
    new RegExp(`^The connection to ${sandbox.url} broke \\(.+\\); run kredo logs again\\.\n$`),
  );
});
