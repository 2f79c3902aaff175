import * as z from "zod";
import { adoptJournal, type Adopter } from "../../account/adopt-journal.ts";
import type { AccountEvent } from "../../account/events.ts";
import type { Account } from "../../engine/account.ts";
import { ControlProblem } from "../../engine/control-problem.ts";
import type { World } from "../../engine/world.ts";
import { printSavedRun, saveRun } from "../../scenario/saving/save-run.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { accountJson, accountShape } from "./account-json.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { journalDocument } from "./journal-document.ts";
import { messageOf } from "../../domain/message-of.ts";

export function transferEndpoints(world: World, version: string): Endpoint[] {
  return [exportEndpoint(world, version), importEndpoint(world)];
}

function exportEndpoint(world: World, version: string): Endpoint {
  return accountEndpoint(
    world,
    {
      method: "get",
      path: "/accounts/{account}/export",
      summary: "Take the account out as one document: its kept journal, or its run as a scenario that repeats it",
      query: z.strictObject({
        as: z
          .enum(["journal", "scenario"])
          .describe(
            "scenario: a file that, begun on a fresh account with the same requests in the same order, leads to the same callbacks.",
          )
          .prefault("journal"),
      }),
      body: NOTHING,
      answers: { 200: { description: "The account", schema: journalDocument, mediaType: "application/yaml" } },
    },
    async ({ account, query }) => {
      if (query.as === "scenario") return answerScenario(account);
      const { first, events } = await account.read();
      return { kredo: version, consumer_key: account.consumerKey, number: first, events };
    },
  );
}

function importEndpoint(world: World): Endpoint {
  return accountEndpoint(
    world,
    {
      method: "put",
      path: "/accounts/{account}/import",
      summary: "Put such a document in the place of the account's journal; the consumer key stays, what is pending goes on",
      query: NOTHING,
      body: journalDocument,
      answers: { 200: { description: "The account as it is now", schema: accountShape } },
    },
    async ({ account, body, isTrusted }) => {
      await account.import(adopted(body.events, { consumerKey: account.consumerKey, trusted: isTrusted }));
      return accountJson(account);
    },
  );
}

async function answerScenario(account: Account): Promise<Response> {
  const saved = saveRun(await account.read(), account.moment(account.now()).random);
  if (saved === undefined)
    throw new ControlProblem(
      410,
      `the beginning of this run was evicted: ${account.evicted} requests can no longer be looked up, and a scenario repeats all of them`,
      "raise journal.max_transactions, or reset the account and save a shorter run",
    );
  return new Response(printSavedRun(saved), { headers: { "content-type": "application/yaml" } });
}

function adopted(events: z.output<typeof journalDocument>["events"], adopter: Adopter): AccountEvent[] {
  try {
    return adoptJournal(events, adopter);
  } catch (error) {
    const reason = messageOf(error);
    throw new ControlProblem(422, `events: the journal does not add up: ${reason}`, "import what export gave, unchanged");
  }
}
