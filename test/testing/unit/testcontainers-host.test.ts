import { expect, test } from "vitest";
import { CallbackControl } from "../../../src/testing/account-controls.ts";
import { ControlClient } from "../../../src/control/client/control-client.ts";
import { urlFromContainer, withReachableCallbacks } from "../../../src/testing/testcontainers/container-config.ts";

test.each([
  ["http://localhost:3000/hooks?token=a%20b", "http://host.docker.internal:3000/hooks?token=a%20b"],
  ["http://127.0.0.1:3000/hooks", "http://host.docker.internal:3000/hooks"],
  ["http://0.0.0.0:3000/hooks", "http://host.docker.internal:3000/hooks"],
  ["https://[::1]:3000/hooks", "https://host.docker.internal:3000/hooks"],
])("sees %s from inside as %s", (url, inside) => {
  expect(urlFromContainer(url)).toBe(inside);
});

test.each([
  "http://shop:3000/hooks",
  "http://host.testcontainers.internal:3000",
  "http://127.example.com",
  "kredo:sink",
  "no URL",
])("leaves %s as it is", (url) => {
  expect(urlFromContainer(url)).toBe(url);
});

test("rewrites the callback URLs of an account, and nothing else", () => {
  const callbacks = { airtime: "http://localhost:1/a", copy: "http://localhost:2/b", timeout: "1s" };

  expect(withReachableCallbacks({ balance: "5.00", callbacks })).toEqual({
    balance: "5.00",
    callbacks: { airtime: "http://host.docker.internal:1/a", copy: "http://host.docker.internal:2/b", timeout: "1s" },
  });
});

test("rewrites callback URLs that are set later, and leaves those that are removed", async () => {
  const sent: unknown[] = [];
  const send = async (request: Request): Promise<Response> => {
    sent.push(await request.json());
    return Response.json({ warnings: [] });
  };
  const client = new ControlClient(
    { url: "http://sandbox", send, reachable: urlFromContainer },
    "/__admin/accounts/a/",
  );

  await new CallbackControl(client).set({ airtime: "http://localhost:1/a?b=c", sms: null, timeout: "1s" });
  await new CallbackControl(client).set({ sms: "kredo:sink", copy: "http://localhost:2/b" });

  expect(sent).toEqual([
    { airtime: "http://host.docker.internal:1/a?b=c", sms: null, timeout: "1s" },
    { sms: "kredo:sink", copy: "http://host.docker.internal:2/b" },
  ]);
});
