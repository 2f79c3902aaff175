import { Hono } from "hono";
import * as z from "zod";
import { clockValue, momentValue } from "../gateway/settings/clock.ts";
import { addProblem, durationValue } from "../gateway/document/values.ts";
import { formatInstant, type Millis, SECOND } from "../gateway/domain/time.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import type { ClockTarget } from "../gateway/engine/advance.ts";
import { setClock } from "../gateway/engine/commands.ts";
import { HttpProblem } from "./problem.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { validBody } from "./validate.ts";
import { attemptShape, attemptJson } from "./callback-attempts.ts";
import { type Json, momentJson } from "./json.ts";
import { PROBLEM, withinValue } from "./values.ts";
import { counted } from "../gateway/domain/counted.ts";

/** The default time limit of an advance. */
const ADVANCE_WITHIN = 30 * SECOND;

/** The number of upcoming events shown. */
const NEXT_SHOWN = 20;

/** The number of pending events shown if a drain runs out of time. */
const LEFT_SHOWN = 100;

export const pendingShape = z.object({
  total: z.int(),
  next: z
    .array(z.object({ at: momentJson, kind: z.string(), request_id: z.string().optional() }))
    .describe("What comes first. Results that wait for a carrier have no moment and are only in the total."),
});

export const clockShape = z.object({
  mode: z.enum(["real", "scaled", "manual"]),
  now: momentJson,
  scale: z.number().optional(),
});

const clockAnswer = clockShape.extend({ pending: pendingShape });

const advancedShape = z.object({
  now: momentJson,
  fired: z.array(attemptShape).describe("The first 1,000 callback attempts in order; `GET callbacks/sent` lists all."),
  fired_total: z.int(),
  silent: z
    .array(z.object({ request_id: z.string(), why: z.string() }))
    .describe("The first 1,000 transactions that settled without a callback."),
  silent_total: z.int(),
  pending: pendingShape,
});

const advanceValue = z
  .strictObject({
    by: durationValue.describe('The account time to advance by, like "10m".').exactOptional(),
    to: z
      .union([z.literal("next"), momentValue])
      .describe('A moment with its zone, or "next" for the next due event.')
      .exactOptional(),
    within: withinValue.describe('The maximum wall time. Default "30s".').exactOptional(),
  })
  .transform(readTarget);

export const clockCalls = new Hono<AccountEnv>()
  .get("/clock", describeRoute("Read the clock and what is due next", clockAnswer), (c) =>
    c.json(clockWithPending(c.var.account)),
  )
  .put(
    "/clock",
    describeRoute("Set the clock. On a manual clock, a later `now` advances it", clockAnswer),
    validBody(clockValue),
    async (c) => {
      await setClock(c.var.account, c.req.valid("json"), ADVANCE_WITHIN);
      return c.json(clockWithPending(c.var.account));
    },
  )
  .post(
    "/clock/advance",
    describeRoute(
      "Advance a manual clock. Responds once all due work is done and every receiver has answered",
      advancedShape,
      {
        others: {
          408: PROBLEM.extend(advancedShape.shape).describe(
            "The wall time ran out: what happened, and where the clock stopped.",
          ),
        },
      },
    ),
    validBody(advanceValue),
    async (c) => c.json(await advance(c.var.account, c.req.valid("json"))),
  )
  .post(
    "/drain",
    describeRoute(
      "Wait until nothing is queued, due or in flight. On a manual clock, only until nothing is in flight",
      z.object({ drained: z.literal(true) }),
      { others: { 408: PROBLEM.extend({ pending: pendingShape }).describe("What is still pending.") } },
    ),
    validBody(z.strictObject({ within: withinValue.describe('Wall time to wait. Default "30s".').prefault("30s") })),
    async (c) => {
      if (await c.var.account.drain(c.req.valid("json").within)) return c.json({ drained: true as const });
      throw stillPending(c.var.account);
    },
  );

function stillPending(account: RunningAccount): HttpProblem {
  const { clock, pending } = account.state;
  return new HttpProblem(
    408,
    [
      `${counted(pending, "transaction is", "transactions are")} still pending`,
      clock.mode === "manual" ? "advance the clock" : "wait longer, or look at the receiver",
    ],
    { fields: { pending: pendingJson(account, LEFT_SHOWN) } },
  );
}

export function clockJson(account: RunningAccount): Json<typeof clockShape> {
  const { clock } = account.state;
  const scale = clock.mode === "scaled" ? clock.scale : undefined;
  return { mode: clock.mode, now: formatInstant(account.now()), scale };
}

function clockWithPending(account: RunningAccount): Json<typeof clockAnswer> {
  return { ...clockJson(account), pending: pendingJson(account, NEXT_SHOWN) };
}

function pendingJson(account: RunningAccount, shown: number): Json<typeof pendingShape> {
  const pending = account.pending();
  return {
    total: pending.length,
    next: pending
      .flatMap(({ at, task }) => (at === undefined ? [] : [{ at, task }]))
      .slice(0, shown)
      .map(({ at, task }) => ({
        at: formatInstant(at),
        kind: task.kind,
        request_id: "requestId" in task ? task.requestId : undefined,
      })),
  };
}

interface AdvanceRequest {
  readonly by?: Millis;
  readonly to?: number | "next";
  readonly within?: Millis;
}

function readTarget(
  { by, to, within = ADVANCE_WITHIN }: AdvanceRequest,
  context: z.RefinementCtx,
): { target: ClockTarget; within: Millis } {
  if (by !== undefined && to === undefined) return { target: { by }, within };
  if (to !== undefined && by === undefined) return { target: { to }, within };
  addProblem(context, { problem: "needs exactly one of by or to", repair: 'write {"by": "10m"} or {"to": "next"}' });
  return z.NEVER;
}

async function advance(
  account: RunningAccount,
  { target, within }: z.output<typeof advanceValue>,
): Promise<Json<typeof advancedShape>> {
  const { now, fired, firedTotal, silent, silentTotal, isComplete } = await account.advance(target, within);
  const fields: Json<typeof advancedShape> = {
    now: formatInstant(now),
    fired: fired.map((attempt) => attemptJson(account, attempt)),
    fired_total: firedTotal,
    silent: silent.map(({ requestId, callback }) => ({
      request_id: requestId,
      why: "none" in callback ? callback.none : "",
    })),
    silent_total: silentTotal,
    pending: pendingJson(account, NEXT_SHOWN),
  };
  if (isComplete) return fields;
  const stopped = `the clock stopped at ${fields.now}`;
  throw new HttpProblem(408, [stopped, "advance again to continue, with a longer within"], { fields });
}
