import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { openReceiver } from "../../src/cli/receiver.ts";

/** Node warns of a leak from the eleventh listener on. */
const MANY = Array.from({ length: 12 });

test("follows an account in any number of streams without a warning", async () => {
  const warnings = noteWarnings();
  await using sandbox = await createSandbox();

  const streams = await Promise.all(MANY.map(() => fetch(`${sandbox.url}/__admin/accounts/default/events`)));

  expect(streams.map(({ status }) => status)).toEqual(MANY.map(() => 200));
  expect(warnings).toEqual([]);
});

test("delays any number of answers without a warning", async () => {
  const warnings = noteWarnings();
  const waiting: ((status: number) => void)[] = [];
  const receiver = await openReceiver({
    host: "127.0.0.1",
    port: 0,
    answer: (_received, signal) => {
      signal.addEventListener("abort", () => {});
      return new Promise((resolve) => waiting.push(resolve) === MANY.length && waiting.forEach((end) => end(200)));
    },
  });
  onTestFinished(() => receiver.close());

  const answers = await Promise.all(
    MANY.map(() => fetch(`http://127.0.0.1:${receiver.port}/sms`, { method: "POST", body: "{}" })),
  );

  expect(answers.map(({ status }) => status)).toEqual(MANY.map(() => 200));
  expect(warnings).toEqual([]);
});

function noteWarnings(): string[] {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return warnings;
}
