import type * as z from "zod";
import { adoptJournal, type Adopter } from "../../account/adopt-journal.ts";
import type { AccountEvent } from "../../account/events.ts";
import { ControlProblem } from "../../engine/control-problem.ts";
import type { World } from "../../engine/world.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { accountJson, accountShape } from "./account-json.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { journalDocument } from "./journal-document.ts";

export function transferEndpoints(world: World, version: string): Endpoint[] {
  return [
    accountEndpoint(
      world,
      {
        method: "get",
        path: "/accounts/{account}/export",
        summary: "Take the account out as one document: its kept journal",
        query: NOTHING,
        body: NOTHING,
        answers: { 200: { description: "The account", schema: journalDocument } },
      },
      async ({ account }) => {
        const { first, events } = await account.read();
        return { kredo: version, consumer_key: account.consumerKey, number: first, events };
      },
    ),
    accountEndpoint(
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
    ),
  ];
}

function adopted(events: z.output<typeof journalDocument>["events"], adopter: Adopter): AccountEvent[] {
  try {
    return adoptJournal(events, adopter);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ControlProblem(422, `events: the journal does not add up: ${reason}`, "import what export gave, unchanged");
  }
}
