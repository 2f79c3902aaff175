import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { type Context, Hono } from "hono";
import { expect, test } from "vitest";
import type { Bindings, GatewayEnv } from "../../../src/gateway/http/bindings.ts";
import { ClientGone, readBody } from "../../../src/gateway/http/body.ts";
import {
  type AccountOwnership,
  type Owner,
  type Replica,
  NoOwner,
} from "../../../src/storage/journal/account-ownership.ts";
import { NotTheOwner } from "../../../src/gateway/ports/journal-store.ts";
import { forwardOrders } from "../../../src/storage/replicas/forward-orders.ts";
import { Owners } from "../../../src/storage/replicas/owners.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { routingTo } from "../../support/owners-of-accounts.ts";

const THERE: Owner = { kind: "replica", id: "there", url: "http://there.test" };
const URL = "http://kredo.test/api/v2/airtime";
const authorization = basic("key", "secret");

test("a client that leaves before the end of its body has asked the owner for nothing", async () => {
  const { app, posts, problems } = edge({ ownerOf: () => THERE });
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method: "POST", url: "/api/v2/airtime", headers: { "content-length": "100" } });

  const answered = app.fetch(new Request(URL, { method: "POST", headers: { authorization } }), { incoming });
  incoming.push('{"phone_number"');
  await allReady();
  incoming.destroy();
  await answered;

  expect(problems).toEqual([expect.any(ClientGone)]);
  expect(posts).toEqual([]);
});

test("a body is read once, however often the account's owner changes", async () => {
  const owners = [THERE, { ...THERE, id: "elsewhere" }];
  const { app, posts, wall, moved } = edge({ ownerOf: () => owners.shift() ?? THERE });
  const request = new Request(URL, { method: "POST", body: "{}", headers: { authorization } });
  moved.push("there");

  const answered = app.fetch(request, { request });
  await allReady();
  await allReady();
  wall.advance(100);
  const { status } = await answered;

  expect(status).toBe(200);
  expect(posts).toEqual(
    ["there", "elsewhere"].map((to) =>
      expect.objectContaining({ to, request: expect.objectContaining({ body: "{}" }) }),
    ),
  );
});

test("an owner is asked for nothing more once this replica stops, because the client would not learn of it", async () => {
  const { app, posts, moved, stop, problems } = edge({ ownerOf: () => THERE });
  const request = new Request(URL, { method: "POST", body: "{}", headers: { authorization } });
  moved.push("there");

  const answered = app.fetch(request, { request });
  await allReady();
  await allReady();
  stop.abort();
  await answered;

  expect(posts).toHaveLength(1);
  expect(problems).toEqual([expect.any(NoOwner)]);
});

test.each<[string, (stop: AbortController, client: AbortController) => void, object]>([
  ["is answered", () => {}, { end: "answered", isClosedBySandbox: false }],
  ["is answered while this replica stops", (stop) => stop.abort(), { end: "answered", isClosedBySandbox: true }],
  ["leaves", (_stop, client) => client.abort(), { end: "broken", isClosedBySandbox: false }],
])("the owner is told that a client %s, once that is over", async (_how, happen, ended) => {
  const { app, released, stop } = edge({ ownerOf: () => THERE });
  const client = new AbortController();
  const request = new Request(URL, { headers: { authorization }, signal: client.signal });
  const jobs: (() => void)[] = [];

  const response = await app.fetch(request, { request, afterResponse: (job) => void jobs.push(job) });
  const early = [...released];
  happen(stop, client);
  jobs.forEach((job) => job());

  expect(await response.text()).toBe("answered there");
  expect(early).toEqual([]);
  expect(released).toEqual([{ ended: [["here/1", ended]] }]);
});

test.each(["GET", "HEAD"])("a %s request is forwarded without the body that it announces", async (method) => {
  const { app, posts } = edge({ ownerOf: () => THERE });
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method, url: "/api/v2/airtime", headers: { "content-length": "100" } });

  await app.fetch(new Request(URL, { method, headers: { authorization } }), { incoming });

  expect(posts).toEqual([expect.objectContaining({ request: expect.objectContaining({ method, body: "" }) })]);
});

test("a request that was begun here is not begun again when the account comes back", async () => {
  const { app, problems, begun, wall } = edge({ ownerOf: () => ({ kind: "self" }) }, () => {
    throw new NotTheOwner("key");
  });
  const request = new Request(URL, { method: "POST", body: "{}", headers: { authorization } });

  const answered = app.fetch(request, { request });
  await allReady();
  wall.advance(100);
  await answered;

  expect(begun).toHaveLength(1);
  expect(problems.map(String)).toEqual([
    expect.stringContaining("its owner changed twice while the request was being answered"),
  ]);
});

test("a request that was begun here takes its whole body along when its account moves meanwhile", async () => {
  const owners: Owner[] = [{ kind: "self" }];
  const { app, posts, wall } = edge({ ownerOf: () => owners.shift() ?? THERE }, async ({ env }) => {
    await readBody(env, () => false);
    throw new NotTheOwner("key");
  });
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method: "POST", url: "/api/v2/airtime", headers: { "content-length": "20000" } });
  incoming.push(" ".repeat(20_000));
  incoming.push(null);

  const answered = app.fetch(new Request(URL, { method: "POST", headers: { authorization } }), { incoming });
  await allReady();
  await allReady();
  wall.advance(100);
  await answered;

  expect(posts).toEqual([expect.objectContaining({ request: expect.objectContaining({ body: " ".repeat(20_000) }) })]);
});

test("a request that another replica forwarded is not forwarded again", async () => {
  const { app, posts } = edge({ ownerOf: () => THERE });
  const request = new Request(URL, { headers: { authorization } });

  const response = await app.fetch(request, { request, playElsewhere: () => {} });

  expect(await response.text()).toBe("answered here");
  expect(posts).toEqual([]);
});

/** A replica that holds clients' connections: what it asks of owners, and the requests that it answers itself. */
function edge(
  known: Partial<Pick<AccountOwnership, "ownerOf" | "claim">>,
  answer: (c: Context<GatewayEnv>) => Response | Promise<Response> = () => new Response("answered here"),
): {
  app: { fetch: (request: Request, bindings: Bindings) => Promise<Response> };
  posts: object[];
  /** What owners are told later. */
  released: object[];
  /** The replicas that the account has moved away from. */
  moved: string[];
  stop: AbortController;
  problems: unknown[];
  begun: string[];
  wall: ReturnType<typeof routingTo>["wall"];
} {
  const { options, wall, stop } = routingTo(known, { opensFor: (key) => key === "team" });
  const [posts, problems, begun]: [object[], unknown[], string[]] = [[], [], []];
  const wire = { status: 200, headers: {}, body: "answered there" };
  const [moved, released]: [string[], object[]] = [[], []];
  const post = async ({ id: to }: Replica, path: string, message: object): Promise<[number, string]> => {
    if (path === "/__replica/release") {
      released.push(message);
      return [204, ""];
    }
    posts.push({ ...message, to });
    if (moved.includes(to)) return [421, ""];
    return [200, JSON.stringify({ wire })];
  };
  const hono = new Hono<GatewayEnv>();
  hono.use(forwardOrders(new Owners({ post }, options), options));
  hono.all("*", (c) => {
    begun.push(c.req.path);
    return answer(c);
  });
  hono.onError((problem) => {
    if (problem instanceof NotTheOwner) throw problem;
    problems.push(problem);
    return new Response("", { status: 500 });
  });
  return {
    app: { fetch: async (...given) => hono.fetch(...given) },
    posts,
    released,
    moved,
    problems,
    begun,
    wall,
    stop,
  };
}
