import { createMiddleware } from "hono/factory";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { SANDBOX_JOURNAL } from "../gateway/engine/world.ts";
import { NotTheOwner, OwnerLost, StoreOutage, UnwritableJournal } from "../gateway/ports/journal-store.ts";
import type { AccountEnv } from "./env.ts";

/** Finds the account that the path names, by its consumer key or as `default`, and answers once what the call changed there is durable. */
export const namedAccount = createMiddleware<AccountEnv>(async (c, next) => {
  const { world, ownership } = c.var.services;
  const elsewhere = (): string[] => (ownership?.replicas() ?? []).flatMap(({ accounts }) => accounts);
  const account = world.get(c.req.param("account") ?? "", () => elsewhere().filter((key) => key !== SANDBOX_JOURNAL));
  c.set("account", account);
  await next();
  // A refusal changes nothing, except that a wait may end in 408 half way.
  if (c.error !== undefined && c.res.status !== 408) return;
  try {
    await secure(account, c.req.method);
  } catch (problem) {
    // Whichever replica has it now would do again what was done half way.
    if (c.error !== undefined && problem instanceof NotTheOwner) return;
    // Otherwise, the refusal would get the headers of the answer.
    c.res = undefined;
    throw problem;
  }
});

/** Resolves when what a call changed is durable. A crash must not undo what the response reports. Whoever is told to ask again for a change that may be made would make it twice. */
export async function secure(account: RunningAccount, method: string): Promise<void> {
  try {
    await account.journal.secured();
  } catch (problem) {
    const isSurelyUndone = !(problem instanceof StoreOutage) || problem instanceof UnwritableJournal;
    if (isSurelyUndone || method === "GET") throw problem;
    const lost = new OwnerLost(`${problem.message}; the call may be carried out all the same`, { cause: problem });
    // The log says so once in an outage.
    lost.isLogged = problem.isLogged;
    problem.isLogged = true;
    throw lost;
  }
}
