import type { Replica } from "../../ports/account-ownership.ts";
import { NotTheOwner } from "../../ports/journal-store.ts";
import { type Attempts, type SeekOptions, untilOwned } from "./with-owner.ts";

interface ListAttempts extends Pick<Attempts<Response>, "here"> {
  readonly there: (replica: Replica) => Promise<Response>;
}

interface AccountList {
  readonly items: readonly { readonly consumer_key: string }[];
}

/** Lists the accounts of all replicas, in the order in which they were created. */
export async function listAccounts({ here, there }: ListAttempts, options: SeekOptions): Promise<Response> {
  const { ownership } = options;
  return untilOwned(async () => {
    const answers = await Promise.all(
      ownership.replicas().map((replica) => (replica.isSelf ? here() : there(replica))),
    );
    const refused = answers.find(({ ok }) => !ok);
    if (refused !== undefined) return refused;
    const lists = await Promise.all(
      answers.map(async (answer): Promise<AccountList> => JSON.parse(await answer.text())),
    );
    const found = new Map(lists.flatMap(({ items }) => items.map((item) => [item.consumer_key, item])));
    const accounts = await ownership.accounts();
    const items = accounts.flatMap((account) => found.get(account) ?? []);
    if (items.length === accounts.length) return Response.json({ items, total: items.length });
    throw new NotTheOwner(accounts.find((account) => !found.has(account)) ?? "");
  }, options);
}
