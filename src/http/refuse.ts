import type { Context } from "hono";
import type { Refused } from "../domain/refusal.ts";
import type { World } from "../engine/world.ts";
import { claimedKey } from "./authenticate.ts";
import { whenAnswered } from "./bindings.ts";
import { recordRefusal } from "./decide-request.ts";
import type { ExchangeLog } from "./exchanges.ts";
import type { GatewayEnv } from "./gateway-request.ts";
import { encodeAnswer, toResponse } from "./reply.ts";

interface RefuseOptions {
  readonly world: World;
  readonly exchanges: ExchangeLog;
}

/** Journals a refusal and returns its response: for the account whose key the request names, otherwise for the sandbox. */
export async function refuse(
  c: Context<GatewayEnv>,
  problem: Refused,
  { world, exchanges }: RefuseOptions,
): Promise<Response> {
  const key = claimedKey(c.req.header("authorization"));
  const claimed = key === undefined ? undefined : world.find(key);
  const account = claimed ?? world.sandbox;
  const received = c.get("request");
  const request = claimed === undefined && key !== undefined ? { ...received, unknownKey: key } : received;
  const refused = account.run((state, at) => recordRefusal(state, problem, { request, moment: account.moment(at) }));
  const wire = encodeAnswer(refused, account.gateway);
  const exchange = exchanges.note({ account: account.consumerKey, requestId: refused.event.requestId, request, wire });
  whenAnswered(c.env, (ended) => exchange.end(ended, account.wall.now()));
  await account.secured();
  return toResponse(wire);
}
