import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { FAULTS } from "../../../src/verdict/faults.ts";
import { sendAirtime } from "../../support/gateway/gateway-client.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const urlOf = ({ port }: { port: number }): string => `http://127.0.0.1:${port}`;

test("happens before what active scenarios do, and does not contradict them", async () => {
  await using sandbox = await startTestSandbox();
  const terminal = fakeTerminal();
  const rule = "version: 1\nname: all\nrules: [{ name: no, then: { refuse: 403 } }]";
  await run(["scenario", "start", "all.yaml", "--url", urlOf(sandbox)], fakeTerminal({ files: { "all.yaml": rule } }));

  await run(["trigger", "refused-429", "--url", urlOf(sandbox)], terminal);
  const statuses = [(await sendAirtime(sandbox)).status, (await sendAirtime(sandbox, { amount: "7" })).status];

  expect(statuses).toEqual([429, 403]);
  expect({ printed: terminal.printed(), complained: terminal.complained() }).toEqual({
    printed:
      "Armed for the next request: the gateway refuses with 429, too many requests. Undo it with kredo scenario stop refused-429.\n",
    complained: "",
  });
});

test("arms the next request to one number", async () => {
  await using sandbox = await startTestSandbox();

  const { printed } = await kredo(["trigger", "refused-402", "--to", "254712345678", "--url", urlOf(sandbox)]);
  const numbers = ["254722345678", "254712345678", "254712345678"];
  const statuses = [];
  for (const [index, phone_number] of numbers.entries())
    statuses.push((await sendAirtime(sandbox, { phone_number, amount: String(index + 5) })).status);

  expect(statuses).toEqual([200, 402, 200]);
  expect(printed).toContain("Armed for the next request to 254712345678: ");
});

test("arms one fault for two numbers, and each can be undone", async () => {
  await using sandbox = await startTestSandbox();
  const options = ["--url", urlOf(sandbox)];
  const terminal = fakeTerminal();
  const order = async (phone_number: string): Promise<number> => (await sendAirtime(sandbox, { phone_number })).status;

  await run(["trigger", "refused-500", "--to", "254712345678", ...options], terminal);
  await run(["trigger", "refused-500", "--to", "2547331*", ...options], terminal);
  await run(["trigger", "refused-500", "--to", "254722345678", ...options], terminal);
  await run(["scenario", "stop", "refused-500-to-254722345678", ...options], terminal);

  expect({
    one: [await order("254712345678"), await order("254712345678")],
    other: [await order("254733123456"), await order("254733123456")],
    undone: await order("254722345678"),
  }).toEqual({ one: [500, 200], other: [500, 200], undone: 200 });
  expect(terminal.printed()).toContain("Undo it with kredo scenario stop refused-500-to-2547331x.");
});

test("a fault of the account happens at once", async () => {
  await using sandbox = await startTestSandbox();

  const { printed } = await kredo(["trigger", "wallet-empty", "--url", urlOf(sandbox)]);

  expect(sandbox.account.state.wallet.balance).toBe(0);
  expect(printed).toMatch(/^Done: the wallet is empty\./);
});

test("every fault of the catalogue is one that the sandbox takes", async () => {
  await using sandbox = await startTestSandbox();
  const url = urlOf(sandbox);

  for (const { id } of FAULTS)
    expect({ id, run: await run(["trigger", id, "--url", url], fakeTerminal()) }).toEqual({ id, run: 0 });
});

test("--list names every fault, in words and in JSON, and asks no sandbox", async () => {
  const [first, second] = [fakeTerminal(), fakeTerminal()];

  expect(await run(["trigger", "--list"], first)).toBe(0);
  expect(await run(["trigger", "--list", "--json"], second)).toBe(0);

  expect(first.printed()).toMatch(
    /^ {2}GROUP +FAULT +DESCRIPTION\n {2}refusal +refused-401 +the gateway refuses with 401, unauthorized\n/,
  );
  expect(JSON.parse(second.printed()).faults.map(({ id }: { id: string }) => id)).toEqual(FAULTS.map(({ id }) => id));
});

test.each([
  [[], "kredo trigger: a fault is missing; kredo trigger --list shows them\n"],
  [["callback-twise"], 'FAULT: "callback-twise" is not a fault; did you mean callback-twice?\n'],
  [["x"], 'FAULT: "x" is not a fault; kredo trigger --list shows the faults\n'],
  [["wallet-empty", "--to", "254712345678"], "--to: wallet-empty affects the whole account at once; omit the flag\n"],
])("trigger %j is bad input", async (argv, line) => {
  const { exitCode, complained } = await kredo(["trigger", ...argv]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
});
