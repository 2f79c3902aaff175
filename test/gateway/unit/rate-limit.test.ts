import { expect, test } from "vitest";
import { queryDetails } from "../../../src/gateway/account/decide/sell.ts";
import { recordRefusal } from "../../../src/gateway/account/decide/record-request.ts";
import { checkRateLimit } from "../../../src/gateway/account/rate-limit.ts";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { Refused } from "../../../src/gateway/domain/refusal.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { limitRequests, script } from "../../support/gateway/scripted.ts";
import { buyAirtime, refuseRequest, testWorld, WALL_START } from "../../support/gateway/world.ts";

const MINUTE = 60_000;

test("takes as many as the limit says, and refuses the next with the seconds to wait", async () => {
  const account = limited(2);
  buyAirtime(account, 10);
  await account.advance({ by: 10_500 }, 0);
  buyAirtime(account, 10);

  expect(attempt(account)).toMatchObject({
    code: 429,
    details: {
      headers: { "retry-after": "50" },
      hint: "2 requests are allowed in 1m on this account's clock",
      retryAt: WALL_START + MINUTE,
    },
  });
});

test("uses the singular for one request per window", () => {
  const account = limited(1);
  buyAirtime(account, 10);

  expect(attempt(account)).toMatchObject({ details: { hint: "1 request is allowed in 1m on this account's clock" } });
});

test("a window begins with its first request, and ends its length later", async () => {
  const account = limited(1);
  await account.advance({ by: 59_000 }, 0);
  buyAirtime(account, 10);

  await account.advance({ by: MINUTE - 1 }, 0);
  const before = attempt(account);
  await account.advance({ by: 1 }, 0);

  expect(before).toMatchObject({ code: 429, details: { headers: { "retry-after": "1" } } });
  expect(attempt(account)).toBe("taken");
});

test("the next window begins with the request that comes after the last one, not where the last one ended", async () => {
  const account = limited(1);
  buyAirtime(account, 10);
  await account.advance({ by: 100_000 }, 0);
  buyAirtime(account, 10);

  await account.advance({ by: MINUTE - 1 }, 0);

  expect(attempt(account)).toMatchObject({ code: 429 });
});

test.each([401, 404, 405, 413, 429] as const)("a request that was refused %i does not count", (code) => {
  const account = limited(1);

  refuseRequest(account, code);

  expect(attempt(account)).toBe("taken");
});

test.each([400, 402, 403, 415, 422, 500] as const)("a request that was refused %i counts", (code) => {
  const account = limited(1);

  refuseRequest(account, code);

  expect(attempt(account)).toMatchObject({ code: 429 });
});

test("a query of the account details counts", () => {
  const account = limited(1);

  account.journal.append((state, at) => [queryDetails(state, account.moment(at))]);

  expect(attempt(account)).toMatchObject({ code: 429 });
});

test("a limit that is lifted stops nothing, and a wider one takes more", async () => {
  const account = limited(1);
  buyAirtime(account, 10);

  limitRequests(account, null);
  const lifted = attempt(account);
  buyAirtime(account, 20);
  limitRequests(account, 2);

  expect({ lifted, attempt: attempt(account) }).toEqual({ lifted: "taken", attempt: "taken" });
});

test("a scenario that sets sender IDs alone leaves the limit", async () => {
  const account = limited(1);
  buyAirtime(account, 10);

  await script(account, "setup: { sender_ids: [] }");

  expect(attempt(account)).toMatchObject({ code: 429 });
  expect(settingsInForce(account.state).sender_ids).toEqual([]);
});

test("a refusal writes down when a request would be taken again", () => {
  const { account } = testWorld();
  const call = { method: "POST", path: "/api/v2/airtime", operation: "airtime", body: "{}" } as const;
  const limited = new Refused(429, { retryAt: WALL_START + MINUTE });

  const event = recordRefusal(account.state, limited, call, account.moment(WALL_START));

  expect(event.retryAt).toBe(WALL_START + MINUTE);
});

/** An account that takes so many requests a minute; 0 is without a limit. */
function limited(requests: number): RunningAccount {
  return testWorld({ account: requests === 0 ? {} : { rate_limit: { requests, per: MINUTE } } }).account;
}

function attempt(account: RunningAccount): "taken" | Refused {
  try {
    checkRateLimit(account.state, account.now());
    return "taken";
  } catch (refusal) {
    if (refusal instanceof Refused) return refusal;
    throw refusal;
  }
}
