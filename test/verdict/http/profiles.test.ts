import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { exploreAt, type Explored, only } from "../../support/explored.ts";
import { type Behaviour, type SmallShop, soundly, startSmallShop } from "../small-shop.ts";

const PROFILES = [
  "profile-callback-text",
  "profile-refusal-null",
  "profile-422-bare",
  "profile-422-nested",
  "profile-422-root",
  "profile-request-id-padded",
];

const comparesNumbers: Behaviour["receive"] = (shop, callback) => {
  shop.receive({ ...callback, result_code: Number(callback.result_code) });
  return { status: 200 };
};

/** Fails an order over any answer but an acknowledgment, in whatever form it is. */
const failsUnlessAccepted: Behaviour["answered"] = (shop, order) => {
  if (order.requestId === undefined) shop.settle(order, false);
};

const knowsOnlyUuids: Behaviour["answered"] = (shop, order) => {
  const { requestId } = order;
  if (requestId === undefined) shop.settle(order, false);
  else if (requestId.length !== 36) shop.byRequest.delete(requestId);
};

/** Takes an order, and sends nothing, after five of which several failed. */
const dropsAfterTwoFailures: Behaviour["placing"] = ({ orders }, { text }) => {
  const failed = [...orders.values()].filter(({ status }) => status === "failed");
  if (orders.size < 5 || failed.length < 2) return undefined;
  const { reference, to, amount }: { reference: string; to: string; amount: number } = JSON.parse(text);
  const order = { reference, phoneNumber: to, amount, status: "open" as const };
  orders.set(reference, order);
  return { status: 201, json: order };
};

const losesEarlyCallbacks: Behaviour["receive"] = (shop: SmallShop, callback) => {
  if (shop.byRequest.has(callback.request_id)) shop.receive({ ...callback, result_code: Number(callback.result_code) });
  return { status: 200 };
};

async function explored(
  behaviour: Behaviour,
  faults: readonly string[],
  flags: readonly string[] = [],
): Promise<Explored> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, behaviour);
  return await exploreAt(sandbox, shop.appMap, ["--json", ...only(faults), ...flags]);
}

test.concurrent("an application that is right under every profile is right, with a row of the matrix for each", async () => {
  const { exitCode, json } = await explored({ receive: comparesNumbers, answered: failsUnlessAccepted }, PROFILES);

  expect(exitCode).toBe(0);
  expect(json.problems).toEqual([]);
  expect(json.trials.map(({ verdict }) => verdict)).toEqual([
    "right",
    "right",
    "right",
    "right",
    "right",
    "right",
    "right",
  ]);
  expect(json.matrix.rows.map(({ words, group }) => ({ words, group }))).toEqual([
    { words: "the gateway sends result_code as text", group: "profiles" },
    { words: "the gateway sends request_id null in refusals", group: "profiles" },
    { words: "the gateway sends a 422 with its errors alone", group: "profiles" },
    { words: "the gateway sends a 422 with status_code among its errors", group: "profiles" },
    { words: "the gateway sends a 422 with its errors beside status_code", group: "profiles" },
    { words: "the gateway sends a request_id of 40 characters that is no UUID", group: "profiles" },
  ]);
});

test.concurrent("an application that compares with the number 200 is right, with one risk that names the profile", async () => {
  const { exitCode, json } = await explored({ answered: failsUnlessAccepted }, PROFILES);

  expect(exitCode).toBe(0);
  expect(json.problems.map(({ is, sentence, trials }) => ({ is, sentence, trials }))).toEqual([
    {
      is: "risk",
      sentence:
        "Only if the gateway sends result_code as text, the application shows an order as failed that was delivered.",
      trials: ["airtime-profile-callback-text"],
    },
  ]);
});

test.concurrent("a risk under one profile does not end a run that ends with the first defect", async () => {
  const { exitCode, json } = await explored({ answered: failsUnlessAccepted }, PROFILES, ["--fail-fast"]);

  expect(exitCode).toBe(0);
  expect(json.stopped).toBe(undefined);
  expect(json.trials.map(({ verdict }) => verdict)).toEqual([
    "right",
    "risk",
    "right",
    "right",
    "right",
    "right",
    "right",
  ]);
});

test.concurrent("a profile that the gateway already has is not tried, which is no verdict", async () => {
  const { exitCode, json } = await explored({}, ["profile-callback-numbers"]);

  expect(exitCode).toBe(3);
  expect(json.trials.map(({ id, verdict }) => [id, verdict])).toEqual([
    ["airtime-plain", "right"],
    ["profile-callback-numbers", "not assessed"],
  ]);
});

test.concurrent("what goes wrong as the live gateway was seen to answer is a defect that names the profile", async () => {
  const { exitCode, json } = await explored({ receive: comparesNumbers, answered: knowsOnlyUuids }, PROFILES);

  expect(exitCode).toBe(1);
  expect(json.problems).toEqual([
    expect.objectContaining({
      is: "defect",
      id: "outcome-lost",
      sentence: expect.stringContaining("Only if the gateway sends a request_id of 40 characters that is no UUID, "),
      replay: "kredo explore --fault profile-request-id-padded --seed 7",
    }),
  ]);
});

/** Fails an order over a refusal with a status_code, and knows no other refusal. */
const knowsOnlyStatusCodes: Behaviour["answered"] = (shop, order, code) => {
  if (code !== undefined && order.requestId === undefined) shop.settle(order, false);
};

test.concurrent("holding the money after a 422 that has its errors alone is seen", async () => {
  const { json } = await explored({ receive: comparesNumbers, answered: knowsOnlyStatusCodes }, [
    "profile-422-bare",
    "refused-422",
  ]);

  expect(json.problems).toEqual([
    expect.objectContaining({
      id: "refused-left-open",
      sentence: expect.stringContaining("Only if the gateway sends a 422 with its errors alone, "),
      trials: ["airtime-profile-422-bare"],
    }),
  ]);
});

/** Joins the sentences of each field, which are no text if there is a number among them, or if they are elsewhere. */
const joinsSentences: Behaviour["reads"] = ({ status_code: code, validation_errors: errors }) => {
  if (code !== 422) return;
  if (errors === undefined) throw new TypeError("errors is undefined");
  for (const sentences of Object.values(errors ?? {})) sentences.join(" ");
};

test.concurrent.each([
  ["profile-422-nested", "a 422 with status_code among its errors"],
  ["profile-422-root", "a 422 with its errors beside status_code"],
])("a client that cannot read what %s sends leaves the order open, which is a risk", async (fault, sends) => {
  const { exitCode, json } = await explored({ reads: joinsSentences }, [fault]);

  expect(exitCode).toBe(0);
  expect(json.problems).toEqual([
    expect.objectContaining({
      is: "risk",
      id: "refused-left-open",
      sentence: expect.stringContaining(`Only if the gateway sends ${sends}, `),
    }),
  ]);
});

/** Sends an order again if there was no answer, and believes what it is told of the second. */
const sendsAgain: Behaviour["answered"] = async (shop, order, code) =>
  soundly(shop, order, code ?? (await shop.send(order)));

test.concurrent("whoever sends again after silence is told by callback that the order failed, which was delivered", async () => {
  const { json } = await explored({ answered: sendsAgain }, ["reset-after-accept", "profile-duplicate-fails"]);

  expect(json.problems.map(({ is, id, trials }) => ({ is, id, trials }))).toEqual([
    { is: "defect", id: "sold-twice", trials: ["airtime-1-reset-after-accept"] },
    { is: "risk", id: "delivered-shown-failed", trials: ["airtime-profile-duplicate-fails"] },
  ]);
  expect(json.problems[1]?.sentence).toContain("Only if the gateway sends a callback that fails a repeated order, ");
});

test.concurrent("an application that never sends again is not tried with repeats that fail", async () => {
  const { json } = await explored({}, ["reset-after-accept", "profile-duplicate-fails"]);

  expect(json.problems).toEqual([]);
  expect(json.trials.map(({ id }) => id)).not.toContain("airtime-profile-duplicate-fails");
});

test.concurrent("what goes wrong under every profile is not a defect of one", async () => {
  const { json } = await explored({ receive: losesEarlyCallbacks, answered: failsUnlessAccepted }, [
    "callback-before-ack",
    ...PROFILES,
  ]);

  expect(json.problems.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining("When the callback is sent before the acknowledgment, the application keeps an order open"),
  ]);
});

test.concurrent("an application that sends nothing more after the same orders without the profile does not because of it", async () => {
  const { json } = await explored({ answered: failsUnlessAccepted, placing: dropsAfterTwoFailures }, [
    "refused-422",
    "result-failed",
    "profile-422-bare",
  ]);

  const { verdicts } = json.trials.find(({ id }) => id === "airtime-profile-422-bare") ?? {};
  expect(verdicts?.map(({ is, seen }) => ({ is, seen }))).toEqual([
    { is: "not assessed", seen: "the same orders go wrong together without this profile, too" },
  ]);
});

test.concurrent("a trial under a profile leaves the account as it was", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);

  await exploreAt(sandbox, shop.appMap, only(["profile-request-id-padded"]));

  const { status } = await fetch(`${sandbox.url}/api/v2/airtime`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`${sandbox.consumerKey}:${sandbox.consumerSecret}`)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ phone_number: "254712345678", amount: "50" }),
  });
  expect(status).toBe(200);
  expect((await sandbox.requests.list()).map(({ request_id }) => request_id)).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ]);
});
