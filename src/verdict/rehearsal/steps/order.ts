import {
  type Application,
  type ApplicationOrder,
  orderNumber,
  type PlacedOrder,
} from "../../application/application.ts";
import { fill } from "../../application/placeholders.ts";
import { repeatedly } from "../repeatedly.ts";
import type { OrderStep } from "../step-schema.ts";
import { unreachable, withCounter } from "./request.ts";
import { DONE, failedStep, type OrderUnderTest, type RunState, type StepResult } from "./run-state.ts";

/** Places orders in the application, and waits until each has reached the gateway or the application had its time to settle. */
export async function driveOrders(step: OrderStep, run: RunState): Promise<StepResult> {
  const { application, environment } = run;
  if (application === undefined) return failedStep("there is no app map; kredo init --app writes one");
  if (application.map.order[step.operation] === undefined) return DONE;
  const first = run.orders.length;
  const placed = await repeatedly(step, environment, (count) =>
    placeOne(numberOrder(step, { count, index: first + count, run }), run, application),
  );
  run.orders.push(...placed);
  const taken = placed.filter(({ placed: { reply } }) => reply.kind !== "answered" || reply.status < 400);
  await Promise.all(taken.map((order) => untilRequested(order.placed, run, application)));
  return DONE;
}

async function placeOne(order: ApplicationOrder, run: RunState, application: Application): Promise<OrderUnderTest> {
  const balanceBefore = await application.balance({ ...order, reply: NOT_PLACED });
  const placed = await application.place(order);
  const { reply } = placed;
  if (reply.kind === "silent" && !reply.wasReached && !run.reached)
    throw unreachable(application.urlOf(order), reply.reason, { application: application.url });
  run.reached = true;
  return { placed, balanceBefore };
}

const NOT_PLACED = { kind: "silent", reason: "it is not placed yet", wasReached: true, isLate: true } as const;

function numberOrder(
  step: OrderStep,
  { count, index, run }: { count: number; index: number; run: RunState },
): ApplicationOrder {
  const { operation, phone_number, typed, amount, message, repeat } = step;
  const phoneNumber =
    phone_number === undefined
      ? orderNumber(run.environment.seed, index)
      : fill(phone_number, withCounter(run.values, count, repeat));
  const typedNumber = typed && typeNumber(phoneNumber, typed);
  const reference = `${String(run.values.get("run"))}-${index}`;
  return { operation, phoneNumber, amount, message, reference, ...(typedNumber !== undefined && { typedNumber }) };
}

function typeNumber(phoneNumber: string, typed: NonNullable<OrderStep["typed"]>): string {
  if (typed === "international") return phoneNumber;
  return typed === "plus"
    ? `+${phoneNumber}`
    : `0${phoneNumber.slice(3, 6)} ${phoneNumber.slice(6, 9)} ${phoneNumber.slice(9)}`;
}

async function untilRequested(
  { phoneNumber }: PlacedOrder,
  { environment }: RunState,
  { settle }: Application,
): Promise<void> {
  await environment.account.untilRequests({ match: { phone_number: phoneNumber }, count: { gte: 1 }, within: settle });
}
