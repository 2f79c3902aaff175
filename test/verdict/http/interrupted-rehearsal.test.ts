import { mkdtempSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { file, problems, rehearseTexts } from "../../support/rehearse.ts";
import { startSmallShop } from "../small-shop.ts";

test.concurrent("an interruption ends with 130, and what is known is printed and written", async () => {
  await using sandbox = await createSandbox();
  const interrupting = new AbortController();
  await using shop = await startSmallShop(sandbox);
  const onPrinted = (text: string): void => {
    if (text.includes("tried: 2 of 2")) interrupting.abort();
  };

  const outcome = await rehearseTexts([file(""), file("steps: [{ wait: 1h }, { order: airtime }]\n")], {
    map: shop.appMap,
    flags: ["--url", sandbox.url],
    interruption: interrupting.signal,
    onPrinted,
  });

  expect(outcome.trials.map(({ verdict }) => verdict)).toEqual(["right", "not assessed"]);
  expect(outcome.printed).toContain("Not everything was tried: it was interrupted.");
  expect(outcome.printed).toContain("No verdict: 1 of 2 trials not tried");
  expect(outcome.exitCode).toBe(130);
});

test.concurrent("what an interrupted rehearsal has seen is printed and written, and what that proves", async () => {
  await using sandbox = await createSandbox();
  const interrupting = new AbortController();
  await using shop = await startSmallShop(sandbox, {
    answered: async (small, order, code) => {
      if (code === undefined) await small.send(order);
      interrupting.abort();
    },
  });

  const outcome = await rehearseTexts(
    [file(`scenario: ack-lost-after-accept\nsteps: [{ order: airtime }, { wait: 1h }]\n`)],
    {
      map: shop.appMap,
      flags: ["--url", sandbox.url],
      interruption: interrupting.signal,
    },
  );

  expect(problems(outcome)).toEqual(["defect sold-twice", "not assessed not-tried"]);
  expect(outcome.trials[0]?.exchanges.filter(({ kind }) => kind === "request")).toHaveLength(2);
  expect(outcome.printed).toContain("Not everything was tried: it was interrupted.");
  expect(outcome.exitCode).toBe(130);
});

test.concurrent("an interruption of a command of the app map is one, and no verdict on the command", async () => {
  await using sandbox = await createSandbox();
  const folder = mkdtempSync(join(tmpdir(), "kredo-resetting-"));
  const reset = `{ command: "touch ${join(folder, "started")} && sleep 60" }`;
  await using shop = await startSmallShop(sandbox, { map: { reset } });
  const interrupting = new AbortController();
  const started = watch(folder, () => interrupting.abort());

  const outcome = await rehearseTexts([file("")], {
    map: shop.appMap,
    flags: ["--url", sandbox.url],
    interruption: interrupting.signal,
  });

  started.close();
  expect(outcome.complained).toContain("interrupted before it began; there is no verdict");
  expect(outcome.trials).toMatchObject([{ verdict: "not assessed" }]);
  expect(outcome.exitCode).toBe(130);
});
