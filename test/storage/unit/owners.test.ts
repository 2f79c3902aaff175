import { expect, test } from "vitest";
import { NotTheOwner } from "../../../src/gateway/ports/journal-store.ts";
import { type ForwardedRequest, Owners } from "../../../src/storage/replicas/owners.ts";
import { type ReplicaClient, ReplicaUnreachable } from "../../../src/storage/replicas/replica-client.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { routingTo } from "../../support/owners-of-accounts.ts";

const OWNER = { id: "there", url: "http://there.test" };
const OTHER = { id: "elsewhere", url: "http://elsewhere.test" };
const ANSWERED = { end: "answered", head: "HTTP/1.1 200 OK" } as const;
const LEFT = { end: "broken", head: undefined } as const;
const GONE = { end: "broken", head: undefined, isClosedBySandbox: true };
const REQUEST: ForwardedRequest = {
  method: "POST",
  path: "/api/v2/airtime",
  target: "/api/v2/airtime",
  url: "http://kredo.test/api/v2/airtime",
  httpVersion: "1.1",
  rawHeaders: [],
  authorization: undefined,
  contentType: undefined,
  contentEncoding: undefined,
  scenario: undefined,
  isFirstOnConnection: false,
  isOfKredo: false,
  exposed: undefined,
  traceparent: undefined,
  body: "{}",
};

test("an owner is sent the request with an id of its own, and its answer comes back", async () => {
  const { owners, posts } = askedOwners([200, '{"wire":{"status":200}}']);

  const [first, second] = [await owners.ask(OWNER, "x", REQUEST), await owners.ask(OWNER, "x", REQUEST)];

  expect({ first, second }).toEqual({
    first: ["here/1", { wire: { status: 200 } }],
    second: ["here/2", { wire: { status: 200 } }],
  });
  expect(posts[0]).toEqual({
    to: "there",
    path: "/__replica/forward",
    secret: "hop-secret",
    message: { from: { id: "here", url: "http://here.test" }, id: "here/1", account: "x", request: REQUEST },
  });
});

test.each([
  ["that fails", [500, "Internal Server Error"] as const],
  ["whose connection breaks", new Error("other side closed")],
])("there is no answer from an owner %s, and it is notified of how the request ended", async (_how, given) => {
  const { owners, told } = askedOwners(given);

  const [id, answer] = await owners.ask(OWNER, "x", REQUEST);
  owners.end(id, LEFT);

  expect(answer).toBeUndefined();
  expect(told()).toEqual([["here/1", LEFT]]);
});

test.each([
  ["does not own the account", [421, ""] as const, NotTheOwner],
  ["cannot be reached", new ReplicaUnreachable("refused"), ReplicaUnreachable],
])("a replica that %s did nothing, and is not notified later", async (_what, given, refusal) => {
  const { owners, told } = askedOwners(given);

  await expect(owners.ask(OWNER, "x", REQUEST)).rejects.toThrow(refusal);
  owners.endAll();

  expect(told()).toEqual([]);
});

test("an owner is notified once of how a request ended", async () => {
  const { owners, told } = askedOwners();
  const [id] = await owners.ask(OWNER, "x", REQUEST);

  owners.end(id, ANSWERED);
  owners.end(id, LEFT);
  owners.endAll();
  await allReady();

  expect(told()).toEqual([[id, ANSWERED]]);
});

test("when a replica stops, each owner is told that the clients still waiting are gone", async () => {
  const { owners, posts } = askedOwners();
  await owners.ask(OWNER, "x", REQUEST);
  await owners.ask(OTHER, "y", REQUEST);

  owners.endAll();

  expect(posts.slice(2)).toEqual([
    { to: "there", path: "/__replica/release", secret: "hop-secret", message: { ended: [["here/1", GONE]] } },
    { to: "elsewhere", path: "/__replica/release", secret: "hop-secret", message: { ended: [["here/2", GONE]] } },
  ]);
});

test("requests that end while an owner is being notified are sent together, and then again alone", async () => {
  const { owners, posts } = askedOwners();
  await Promise.all(["w", "x", "y", "z"].map((account) => owners.ask(OWNER, account, REQUEST)));

  owners.end("here/1", ANSWERED);
  owners.end("here/2", ANSWERED);
  owners.end("here/3", ANSWERED);
  await allReady();
  owners.end("here/4", LEFT);

  expect(posts.slice(4).map(({ message }) => message)).toEqual([
    { ended: [["here/1", ANSWERED]] },
    {
      ended: [
        ["here/2", ANSWERED],
        ["here/3", ANSWERED],
      ],
    },
    { ended: [["here/4", LEFT]] },
  ]);
});

test("an owner that could not be notified is notified again a quarter of a second later, in the order in which requests ended", async () => {
  const { owners, told, trouble, wall } = askedOwners();
  await Promise.all(["x", "y", "z"].map((account) => owners.ask(OWNER, account, REQUEST)));
  trouble.isBroken = true;
  owners.end("here/1", ANSWERED);
  owners.end("here/2", LEFT);
  await allReady();
  owners.end("here/3", ANSWERED);
  trouble.isBroken = false;

  wall.advance(249);
  await allReady();
  const early = told();
  wall.advance(1);
  await allReady();

  expect(early).toEqual([]);
  expect(told()).toEqual([
    ["here/1", ANSWERED],
    ["here/2", LEFT],
    ["here/3", ANSWERED],
  ]);
});

test.each([
  ["the owner's lease is over", "lease"],
  ["this replica stops", "stop"],
] as const)("an owner that cannot be notified is no longer notified once %s", async (_when, ending) => {
  const { owners, trouble, wall, attempts, ...over } = askedOwners();
  await owners.ask(OWNER, "x", REQUEST);
  trouble.isBroken = true;
  owners.end("here/1", ANSWERED);
  await allReady();
  const before = attempts();

  over[ending].abort();
  await allReady();
  const last = attempts();
  wall.advance(10_000);
  await allReady();

  expect(before).toBe(1);
  expect(last).toBeLessThanOrEqual(2);
  expect(attempts()).toBe(last);
});

/** Owners that all give one answer, and the messages that reached them. */
function askedOwners(answer: readonly [number, string] | Error = [200, "{}"]) {
  const { options, wall, lease, stop } = routingTo();
  const trouble = { isBroken: false };
  const posts: { to: string; path: string; secret: string; message: object }[] = [];
  let count = 0;
  const post: ReplicaClient["post"] = async ({ id }, path, message, secret) => {
    if (path === "/__replica/release") count += 1;
    if (trouble.isBroken) throw new Error("other side closed");
    posts.push({ to: id, path, secret, message });
    if (path === "/__replica/release") return [204, ""];
    if (answer instanceof Error) throw answer;
    return [...answer];
  };
  const told = (): unknown[] => posts.flatMap(({ message }) => ("ended" in message ? message.ended : []));
  return { owners: new Owners({ post }, options), posts, told, trouble, wall, lease, stop, attempts: () => count };
}
