import { Hono } from "hono";
import { expect, test } from "vitest";
import type { GatewayEnv } from "../../../src/gateway/http/bindings.ts";
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

test("a response that breaks off with an error that has no code ends its own connection only", async () => {
  const { world } = testWorld();
  const app = new Hono<GatewayEnv>();
  app.get("/broken", (c) => {
    c.env.outgoing?.destroy(new Error("broken"));
    return c.text("never sent");
  });
  app.get("/", (c) => c.text("here"));
  const served = serveApp(app, world, { report: () => {} });
  const listening = await served.listen({ port: 0, host: "127.0.0.1" });

  const broken = await fetch(`${listening.url}/broken`).catch(() => "no answer");
  const next = await fetch(listening.url);
  await listening.close();

  expect({ broken, text: await next.text() }).toEqual({ broken: "no answer", text: "here" });
});
