import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { type ResponseEnd, type Bindings, whenResponseEnds } from "../../../src/gateway/http/bindings.ts";

/** Has an app with these bindings run a job when its answer is out. */
async function answerWith(bindings: Bindings, job: (ended: ResponseEnd) => void): Promise<void> {
  const app = new Hono<{ Bindings: Bindings }>().get("/", (c) => {
    whenResponseEnds(c.env, job);
    return c.text("answered");
  });
  await app.request("/", {}, bindings);
}

function openAnswer(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

test("runs a job when the response has ended", async () => {
  const job = vi.fn<() => void>();
  const outgoing = openAnswer();
  await answerWith({ outgoing }, job);

  const before = job.mock.calls.length;
  outgoing.emit("close");

  expect(before).toBe(0);
  expect(job).toHaveBeenCalledOnce();
});

test("runs a job at once where the connection is gone already", async () => {
  const job = vi.fn<() => void>();
  const outgoing = openAnswer();
  outgoing.destroy();

  await answerWith({ outgoing }, job);

  expect(job).toHaveBeenCalledOnce();
});

test("runs a job later if there is no socket, and says that the request was answered", async () => {
  const job = vi.fn<(ended: ResponseEnd) => void>();
  const jobs: (() => void)[] = [];

  await answerWith({ afterResponse: (handed) => void jobs.push(handed) }, job);
  const before = job.mock.calls.length;
  jobs.forEach((handed) => handed());

  expect(before).toBe(0);
  expect(job.mock.calls).toEqual([[{ end: "answered", head: undefined }]]);
});
