import { Hono } from "hono";
import { GatewayClient } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  OPENING_BALANCE,
  readCallback,
  serveShop,
  type StartShop,
  toCents,
  toShillings,
} from "./shop.ts";
import { readJson } from "../../../src/control/client/control-client.ts";

interface Job {
  readonly id: string;
  readonly phone_number: string;
  readonly amount: string | undefined;
  readonly message: string | undefined;
  price: number;
  status: "queued" | "sent" | "delivered" | "failed";
  tries: number;
}

/** Tries before an order that is always refused with 429 fails. */
const TRIES = 3;

/** How often the worker looks for refused jobs, in milliseconds; the tick makes it look now. */
const PAUSE = 500;

/** A queue and one worker: a 429 is tried again, because a complete refusal accepted nothing; an order of unknown fate never is. */
export const startQueueShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let balance = OPENING_BALANCE;
  let charges: { request_id: string; amount: string }[] = [];
  let queue: Job[] = [];
  let work: Promise<void> = Promise.resolve();
  const jobs = new Map<string, Job>();
  const byRequest = new Map<string, Job>();
  const callbacks = new Map<string, Callback>();

  function fail(job: Job): void {
    job.status = "failed";
    balance += job.price;
  }

  function settle(job: Job, callback: Callback): void {
    if (job.status !== "sent") return;
    if (!isSuccess(callback)) return fail(job);
    job.status = "delivered";
    charges.push({ request_id: callback.request_id, amount: toShillings(toCents(callback.charge)) });
  }

  async function send(job: Job): Promise<void> {
    job.status = "sent";
    job.tries += 1;
    if (job.tries > 1 && defect === "debits again with each try") balance -= job.price;
    const outcome = await gateway.send(job);
    if (outcome.kind === "accepted") {
      byRequest.set(outcome.requestId, job);
      const callback = callbacks.get(outcome.requestId);
      if (callback !== undefined) settle(job, callback);
    } else if (outcome.kind === "refused" && outcome.code === 429 && job.tries < TRIES) {
      job.status = "queued";
      queue.push(job);
    } else if (outcome.kind === "refused") fail(job);
  }

  async function sendQueued(earlier: Promise<void>): Promise<void> {
    await earlier;
    for (const job of queue.splice(0)) await send(job);
  }

  /** Sends what is queued now, one after another; a job that is refused meanwhile waits for the next time. */
  function runWorker(): Promise<void> {
    work = sendQueued(work);
    return work;
  }

  const app = new Hono();
  app.post("/jobs", async (c) => {
    const { reference, to, amount, message } = await c.req.json<Record<string, string>>();
    const job: Job = {
      id: reference ?? "",
      phone_number: to ?? "",
      amount,
      message,
      price: toCents(amount ?? 0),
      status: "queued",
      tries: 0,
    };
    jobs.set(job.id, job);
    balance -= job.price;
    queue.push(job);
    void runWorker();
    return c.json({ job: job.id }, 202);
  });

  app.get("/jobs/:id", (c) => {
    const job = jobs.get(c.req.param("id"));
    return job === undefined ? c.json({}, 404) : c.json({ state: job.status });
  });

  app.post("/statum/:kind", async (c) => {
    const callback = readCallback(readJson(await c.req.text()));
    if (callback === undefined) return c.text("unreadable", 400);
    if (!callbacks.has(callback.request_id)) callbacks.set(callback.request_id, callback);
    const job = byRequest.get(callback.request_id);
    if (job !== undefined) settle(job, callback);
    return c.text("ok");
  });

  app.get("/customers/:name", (c) => c.json({ credit: toShillings(balance) }));
  app.get("/ledger", (c) => c.json(charges));
  app.post("/work", async (c) => {
    await runWorker();
    return c.text("done");
  });
  app.post("/reset", (c) => {
    balance = OPENING_BALANCE;
    [charges, queue] = [[], []];
    for (const map of [jobs, byRequest, callbacks]) map.clear();
    return c.text("reset");
  });
  const timer = setInterval(() => void runWorker(), PAUSE);
  return serveShop(honoServer(app), appMap, () => clearInterval(timer));
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/jobs", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { request: { url: "{app}/jobs", json: { to: "{phone_number}", message: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/jobs/{reference}" }, json_path: $.state, paid: delivered, failed: failed, open: [queued, sent] }
balance: { request: { url: "{app}/customers/alice" }, json_path: $.credit }
books: { request: { url: "{app}/ledger" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/statum/airtime", sms: "{app}/statum/sms" }
reset: { request: { method: POST, url: "{app}/reset" } }
tick: { request: { method: POST, url: "{app}/work" } }
`;
