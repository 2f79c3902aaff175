import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { exploreAt, type Explored } from "../support/explored.ts";

const SHOP = new URL("../../examples/shop/", import.meta.url);
const SOME = ["refused-422", "reset-after-accept", "result-failed", "callback-before-ack", "callback-twice-at-once", "failure-twice"];

test("the example's shop has no defect", async () => {
  const { json } = await exploreShop({});

  expect(json.defects).toEqual([]);
  expect(json.singles).toEqual({ done: SOME.length, total: SOME.length });
});

test("the example's shop sells twice once it is broken", async () => {
  const { json } = await exploreShop({ BREAK: "1" });

  expect(json.defects).toEqual([expect.objectContaining({ kind: "sold twice", cells: ["airtime-1-reset-after-accept"] })]);
});

async function exploreShop(environment: NodeJS.ProcessEnv): Promise<Explored> {
  await using sandbox = await createSandbox();
  const env = {
    ...process.env,
    ...environment,
    PORT: "0",
    KREDO_BASE_URL: `${sandbox.url}/api/v2`,
    KREDO_CONSUMER_KEY: sandbox.consumerKey,
    KREDO_CONSUMER_SECRET: sandbox.consumerSecret,
  };
  const shop = spawn(process.execPath, [new URL("app.js", SHOP).pathname], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [said] = await once(shop.stdout, "data");
    const url = /http:\S+/.exec(String(said))?.[0] ?? "";
    const map = readFileSync(new URL("kredo.app.yaml", SHOP), "utf8").replace("http://localhost:3000", url);
    return await exploreAt(sandbox, map, SOME.flatMap((fault) => ["--fault", fault]).concat("--json"));
  } finally {
    shop.kill();
  }
}
