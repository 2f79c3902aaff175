import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { foldJournal } from "../../gateway/account/apply.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { formatInstant } from "../../gateway/domain/time.ts";
import { AccountBusy, AccountTakenOver, NotRestored, NoVerdict, type TrialEnvironment } from "./environment.ts";
import { restoredJournal } from "./trial-journal.ts";

/** An account as it is while trials use it. */
export interface BorrowedAccount {
  readonly environment: TrialEnvironment;
  /** The account before the first trial. */
  readonly before: AccountState;
  /** Names the run to others that want to use the account. */
  readonly runId: string;
}

/**
 * Lets trials use an account, which starts fresh and always gets its own settings back afterwards. Throws `AccountBusy`,
 * `AccountTakenOver` and `NotRestored`. If there can be no verdict, the account is left as it was.
 */
export async function withAccount<Result>(
  name: string,
  environment: TrialEnvironment,
  work: (borrowed: BorrowedAccount) => Promise<Result>,
): Promise<Result> {
  const { account, clock, seed } = environment;
  const { events } = await account.journal();
  const before = foldJournal(events);
  if (before === undefined) throw new Error("an account has a journal");
  if (before.rehearsal !== undefined) throw new AccountBusy(before.rehearsal);
  const runId = `${name}, started at ${formatInstant(clock.now())} with seed ${seed}`;
  const restore = (): Promise<void> => account.begin(restoredJournal(before, clock.now())).catch(throwNotRestored);
  let hasBegun = false;
  const begin = async (journal: readonly AccountEvent[]): Promise<void> => {
    await account.begin(journal);
    hasBegun = true;
  };
  try {
    const result = await work({ environment: { ...environment, account: { ...account, begin } }, before, runId });
    await restore();
    return result;
  } catch (error) {
    if (error instanceof NoVerdict) {
      await account.begin(events).catch(throwNotRestored);
      throw error;
    }
    const { rehearsal: user } = foldJournal((await account.journal().catch(throwNotRestored)).events) ?? {};
    // Another run that has taken over the account restores it.
    if (user === undefined || user === runId) await restore();
    throw hasBegun && user !== runId ? new AccountTakenOver(user) : error;
  }
}

function throwNotRestored(problem: unknown): never {
  throw new NotRestored(messageOf(problem));
}
