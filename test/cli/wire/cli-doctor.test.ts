import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { createSandbox } from "../../../src/index.ts";
import { fakeTerminal } from "../../support/terminal.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";

test("the sandbox examines its registered URL, by a callback that its journal does not know", async () => {
  await using receiver = await receiveHttp((_, response) => response.writeHead(201).end("created"));
  await using sandbox = await createSandbox({ accounts: [{ callbacks: { sms: receiver.url } }] });
  const terminal = fakeTerminal({ env: { KREDO_URL: sandbox.url } });

  const exitCode = await run(["doctor", "callback"], terminal);

  expect(exitCode).toBe(1);
  expect(terminal.printed()).toContain(
    `\nFAILED  answer      ${receiver.url} answered 201, "created"; only 200 acknowledges a callback, so answer 200\n`,
  );
  expect(receiver.requests).toHaveLength(1);
  expect(await sandbox.transactions()).toEqual([]);
});

test("a public host needs the owner's word", async () => {
  await using sandbox = await createSandbox();
  const terminal = fakeTerminal();

  const exitCode = await run(["doctor", "callback", "http://203.0.113.9/hooks", "--url", sandbox.url], terminal);

  expect(exitCode).toBe(3);
  expect(terminal.printed()).toContain("list 203.0.113.9 under callback_allow");
});
