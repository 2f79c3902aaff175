import { Hono } from "hono";
import { expect, test } from "vitest";
import type { GatewayEnv } from "../../../src/gateway/http/connection.ts";
import { serveApp } from "../../../src/gateway/serve-app.ts";
import { testWorld } from "../../support/gateway/world.ts";

test("answers 500 and reports the fault where not even the app's error handler can", async () => {
  const faults: unknown[] = [];
  const app = new Hono<GatewayEnv>().onError((fault) => {
    throw fault;
  });
  app.get("/", () => {
    throw new TypeError("broken");
  });
  const served = serveApp(app, testWorld().world, { report: (fault) => faults.push(fault) });
  const listening = await served.listen({ port: 0, host: "127.0.0.1" });

  const { status } = await fetch(`http://127.0.0.1:${listening.port}/`);
  await listening.close();

  expect(status).toBe(500);
  expect(faults).toEqual([new TypeError("broken")]);
});
