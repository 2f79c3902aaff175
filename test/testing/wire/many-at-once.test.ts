import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";

/** Node warns of a leak from the eleventh listener on. */
const MANY = Array.from({ length: 12 });

test("follows an account in any number of streams without a warning", async () => {
  const warnings = noteWarnings();
  await using sandbox = await createSandbox();

  const streams = await Promise.all(MANY.map(() => fetch(`${sandbox.url}/__admin/accounts/default/events`)));

  expect(streams.map(({ status }) => status)).toEqual(MANY.map(() => 200));
  expect(warnings).toEqual([]);
});

function noteWarnings(): string[] {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  return warnings;
}
