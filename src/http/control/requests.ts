import * as z from "zod";
import { matchingRequests, type RequestMatch } from "../../account/readings/match-requests.ts";
import { readRequests } from "../../account/readings/requests.ts";
import type { Account } from "../../engine/account.ts";
import type { World } from "../../engine/world.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { type Endpoint, endpoint, NOTHING } from "./endpoint.ts";
import { requestJson, requestShape } from "./request-json.ts";
import { evictedProblem, matchQuery, readMatch } from "./request-match.ts";
import { limitValue, listOf, wholeNumber } from "./values.ts";
import { verifyEndpoint } from "./verify.ts";

const listQuery = z.strictObject({ ...matchQuery, limit: limitValue, after: wholeNumber.describe("Only later events.").prefault("0") });
const list = { 200: { description: "Requests, newest first", schema: listOf(requestShape) } };
const CALLED = "/accounts/{account}/requests";

export function requestEndpoints(world: World): Endpoint[] {
  return [
    accountEndpoint(
      world,
      {
        method: "get",
        path: CALLED,
        summary: "List the requests that reached the gateway",
        query: listQuery,
        body: NOTHING,
        answers: list,
      },
      ({ account, query }) => listRequests(account, query),
    ),
    accountEndpoint(
      world,
      {
        method: "get",
        path: `${CALLED}/count`,
        summary: "Count requests; 410 where the journal has evicted some and the number would be false",
        query: z.strictObject(matchQuery),
        body: NOTHING,
        answers: { 200: { description: "The count", schema: z.object({ count: z.int() }) } },
      },
      ({ account, query }) => countRequests(account, readMatch(query)),
    ),
    verifyEndpoint(world),
    endpoint(
      {
        method: "get",
        path: "/requests",
        summary: "List the requests that belong to no account, because their consumer key is unknown",
        query: listQuery,
        body: NOTHING,
        answers: list,
      },
      ({ query }) => listRequests(world.sandbox, query),
    ),
  ];
}

async function listRequests(account: Account, query: z.output<typeof listQuery>): Promise<unknown> {
  const rows = matchingRequests(readRequests(await account.read()), readMatch(query)).filter(({ number }) => number > query.after);
  return { items: rows.toReversed().slice(0, query.limit).map(requestJson), total: rows.length, evicted: account.evicted };
}

async function countRequests(account: Account, match: RequestMatch): Promise<unknown> {
  const { length } = matchingRequests(readRequests(await account.read()), match);
  if (account.evicted > 0) throw evictedProblem(account.evicted, length);
  return { count: length };
}
