import fc from "fast-check";
import { expect, test } from "vitest";
import { SINK_URL } from "../../../src/gateway/domain/callback-outcome.ts";
import { controlCalls } from "../../../src/control/calls.ts";
import { describedRoutes } from "../../../src/control/describe-route.ts";
import type { Watcher } from "../../../src/verdict/checks/check.ts";
import { verdictCalls } from "../../../src/verdict/endpoints/routes.ts";
import { type TestControl, testControl } from "../../support/control.ts";
import { callbacksTo, buyAirtime, refuseRequest, sendSms } from "../../support/gateway/world.ts";

/** Every list with pages, and what it holds after `trade`. */
const LISTS = [
  "/accounts/default/transactions",
  "/accounts/default/requests",
  "/accounts/default/messages",
  "/accounts/default/callbacks/sent",
  "/accounts/default/callbacks/received",
  "/accounts/default/ledger",
  "/accounts/default/findings",
] as const;

const { routes } = controlCalls(verdictCalls(testControl().findings));
const CALLS = describedRoutes(routes);

const hasKey = (schema: unknown, key: string): boolean =>
  typeof schema === "object" && schema !== null && "shape" in schema && key in Object(schema.shape);

test("every list that can be limited has a cursor, and says the next one", () => {
  const limited = CALLS.filter(({ query }) => hasKey(query, "limit"));

  expect(limited.map(({ path }) => path.replace(":account", "default"))).toEqual(
    expect.arrayContaining([...LISTS, "/findings"]),
  );
  expect(limited.filter(({ query, answer }) => !hasKey(query, "cursor") || !hasKey(answer, "next"))).toEqual([]);
});

test("every other list is complete and has no limit", () => {
  const lists = CALLS.filter(({ method, answer }) => method === "GET" && hasKey(answer, "items"));

  const whole = lists.filter(({ answer }) => !hasKey(answer, "next"));

  expect(whole.map(({ path }) => path)).toEqual([
    "/accounts",
    "/accounts/:account/scenarios",
    "/scenarios",
    "/replicas",
  ]);
  expect(whole.filter(({ query }) => hasKey(query, "limit"))).toEqual([]);
});

test.each(LISTS)("the pages of %s together are the whole list, whatever their size", async (path) => {
  const control = await traded();
  const whole = await readPages(control, path, 10_000);

  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: whole.rows.length + 1 }), async (limit) => {
      const { rows, pages } = await readPages(control, path, limit);
      expect(rows).toEqual(whole.rows);
      expect(pages).toBe(Math.ceil(whole.rows.length / limit));
    }),
    { numRuns: 5 },
  );

  expect(whole.rows.length).toBeGreaterThan(2);
});

test.each(LISTS)("rows that come while %s is paged repeat none and hide none", async (path) => {
  const control = await traded();
  const { rows: before } = await readPages(control, path, 10_000);

  const { rows: meanwhile } = await readPages(control, path, 1, () => trade(control));

  const repeated = meanwhile.filter((row, place) => meanwhile.indexOf(row) !== place);
  expect({ repeated, hidden: before.filter((row) => !meanwhile.includes(row)) }).toEqual({ repeated: [], hidden: [] });
});

test("goes on past rows that were evicted", async () => {
  const control = testControl({ bounds: { max_transactions: 10 } });
  const { call, account } = control;
  Array.from({ length: 150 }, () => buyAirtime(account, 5));
  await account.advance({ by: 1_000 }, 1_000);
  const { body: first } = await call("GET", "/accounts/default/transactions?limit=5");
  Array.from({ length: 150 }, () => buyAirtime(account, 5));
  await account.advance({ by: 1_000 }, 1_000);

  const { status, body } = await call("GET", `/accounts/default/transactions?limit=5&cursor=${first.next}`);

  expect(account.journal.evicted).toBeGreaterThan(150);
  expect({ status, items: body.items, next: body.next }).toEqual({ status: 200, items: [], next: null });
});

test.each(LISTS)("refuses a cursor of %s once the account has started over", async (path) => {
  const { call, account } = await traded();
  const { body } = await call("GET", `${path}?limit=1`);
  account.reset();

  const refused = await call("GET", `${path}?cursor=${body.next}`);

  expect({ status: refused.status, ...refused.body }).toMatchObject({
    status: 410,
    problem: "cursor: the account started over since it was given",
    repair: "list again from the first page, without a cursor",
  });
});

test.each(["limit=0", "limit=10001", "limit=-1", "cursor=", "cursor=next", "cursor=1", "cursor=0_1e3"])(
  "refuses ?%s",
  async (query) => {
    const { call } = testControl();

    const { status } = await call("GET", `/accounts/default/ledger?${query}`);

    expect(status).toBe(422);
  },
);

/** Finds a defect and a hint about each number that orders. */
const EVERY_NUMBER: Watcher = {
  checks: (["hint", "defect"] as const).map((severity) => ({
    id: severity === "hint" ? "lenient-format" : "sold-twice",
    severity,
    title: "Title",
    why: "Why.",
    repair: "Repair.",
    assumes: "Nothing.",
  })),
  kinds: ["accepted"],
  watch: () => (event) =>
    event.kind === "accepted"
      ? ["lenient-format", "sold-twice"].map((id) => ({
          id,
          subject: event.order.phoneNumber,
          seen: "Seen.",
          exchanges: [],
        }))
      : [],
};

async function traded(): Promise<TestControl> {
  const control = testControl({
    account: { callbacks: callbacksTo(SINK_URL) },
    watching: { watchers: [EVERY_NUMBER] },
  });
  await trade(control);
  return control;
}

/** Several at one moment, so that no list can be told apart by its moments. */
async function trade({ account }: TestControl): Promise<void> {
  for (const shillings of [5, 6, 7]) {
    buyAirtime(account, shillings, `2547${10_000_000 + account.journal.version}`);
    sendSms(account, `KES ${shillings}`);
    refuseRequest(account, 402);
    refuseRequest(account, 422);
    refuseRequest(account, 401);
  }
  await account.advance({ by: 1_000 }, 1_000);
}

/** What tells a row apart from all others. A finding still grows. */
function identityOf(row: { readonly id?: string; readonly subject?: string }): string {
  return row.subject === undefined ? JSON.stringify(row) : `${row.id} ${row.subject}`;
}

async function readPages(
  { call }: TestControl,
  path: string,
  limit: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<{ rows: string[]; pages: number }> {
  const rows: string[] = [];
  let [cursor, pages] = ["", 0];
  do {
    const { body } = await call("GET", `${path}?limit=${limit}${cursor}`);
    rows.push(...body.items.map(identityOf));
    pages += 1;
    cursor = body.next === null || body.next === undefined ? "" : `&cursor=${body.next}`;
    if (pages < 5) await between();
  } while (cursor !== "");
  return { rows, pages };
}
