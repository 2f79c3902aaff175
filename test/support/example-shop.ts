import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Sandbox } from "../../src/index.ts";

const SHOP = new URL("../../examples/shop/", import.meta.url);

/** The example's shop, in a process of its own. */
interface ExampleShop extends Disposable {
  readonly url: string;
  /** Its app map, with its own address. */
  readonly map: string;
}

export async function startExampleShop(
  { url, consumerKey, consumerSecret }: Pick<Sandbox, "url" | "consumerKey" | "consumerSecret">,
  environment: NodeJS.ProcessEnv = {},
): Promise<ExampleShop> {
  const env = {
    ...process.env,
    ...environment,
    PORT: "0",
    KREDO_BASE_URL: `${url}/api/v2`,
    KREDO_CONSUMER_KEY: consumerKey,
    KREDO_CONSUMER_SECRET: consumerSecret,
  };
  const shop = spawn(process.execPath, [new URL("app.js", SHOP).pathname], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(shop.stdout, "data");
  const at = /http:\S+/.exec(String(said))?.[0] ?? "";
  const map = readFileSync(new URL("kredo.app.yaml", SHOP), "utf8").replace("http://localhost:3000", at);
  return { url: at, map, [Symbol.dispose]: () => void shop.kill() };
}
