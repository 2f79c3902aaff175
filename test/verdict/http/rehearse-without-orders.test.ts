import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { AUTHORIZATION } from "../../support/gateway/test-gateway.ts";
import { file, type Outcome, problems, rehearseTexts } from "../../support/rehearse.ts";
import { rehearsalText } from "../../support/rehearsed.ts";
import { startSmallShop } from "../small-shop.ts";

const curlyQuotes = rehearsalText("curly-quotes");

test.concurrent.each([
  ["of an SMS, in a shop without SMS", curlyQuotes, "the app map has no order.sms"],
  ["that only waits", file("steps: [{ wait: 1ms }]\n"), "the rehearsal has no step with an order"],
])("a rehearsal %s has no verdict, and is skipped in JUnit", async (_, text, reason) => {
  const junit = join(mkdtempSync(join(tmpdir(), "kredo-rehearse-")), "junit.xml");

  const { exitCode, printed, trials } = await rehearseShop(text, "--report", junit);

  expect({ exitCode, verdicts: trials.map(({ verdict }) => verdict) }).toEqual({
    exitCode: 3,
    verdicts: ["not assessed"],
  });
  expect(printed).toContain(`No verdict: no order was placed: ${reason}; `);
  expect(readFileSync(junit, "utf8")).toContain(`<skipped message="not assessed: no order was placed: ${reason}; `);
});

test.concurrent("what the application does not sell leaves the verdict to the other rehearsals", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);

  const outcome = await rehearseTexts([curlyQuotes, file("")], { map: shop.appMap, flags: ["--url", sandbox.url] });

  expect(outcome.printed).toContain("Passed: tried.\nNot assessed: curly-quotes.\nNo defect");
  expect(outcome.exitCode).toBe(0);
});

test.concurrent("a rehearsal that only waits judges what an application orders by itself", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);
  const request = {
    url: `${sandbox.url}/api/v2/airtime`,
    headers: { authorization: AUTHORIZATION },
    json: { phone_number: "254712345678", amount: 100 },
  };
  const map = `${shop.appMap}tick: ${JSON.stringify({ request })}\n`;

  const outcome = await rehearseTexts([file("steps: [{ wait: 1ms }]\n")], { map, flags: ["--url", sandbox.url] });

  expect(problems(outcome)).toEqual(["risk lenient-format"]);
  expect(outcome.exitCode).toBe(0);
});

test.concurrent("a rehearsal is not played that needs more orders at once than the application takes", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, { map: { at_once: "2" } });
  const [three, two] = [3, 2].map(
    (count) => `version: 1\nname: of-${count}\nsteps: [{ order: { count: ${count}, at_once: true } }]\n`,
  );

  const outcome = await rehearseTexts([three ?? "", two ?? ""], { map: shop.appMap, flags: ["--url", sandbox.url] });

  expect(outcome.printed).toContain("no order was placed: it needs 3 at once, and at_once in the app map is 2");
  expect(outcome.printed).toContain("Passed: of-2.\nNot assessed: of-3.\n");
});

/** The shop sells airtime alone. */
async function rehearseShop(text: string, ...flags: readonly string[]): Promise<Outcome> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);
  return await rehearseTexts([text], { map: shop.appMap, flags: ["--url", sandbox.url, ...flags] });
}
