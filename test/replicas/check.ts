import { isDeepStrictEqual } from "node:util";
import { foldJournal } from "../../src/gateway/account/apply.ts";
import type { AccountEvent } from "../../src/gateway/account/account-event.ts";
import { available } from "../../src/gateway/domain/kes.ts";
import { findLosses, findStray, type Problem } from "../kill/check-kept.ts";
import { type Acknowledged, nothingYet } from "../kill/load.ts";
import { get, post } from "../support/control-call.ts";
import type { Load } from "./load.ts";
import { type Replica, type Replicas, TornJournal } from "./replicas.ts";

/** What became of a sandbox whose replicas were treated badly. */
export interface Figures {
  readonly acknowledged: number;
  /** Acknowledged, but not in the journal; or charged, but never reported by a callback. */
  readonly lost: number;
  /** Charged, settled or reported twice, and not marked as possibly repeated. */
  readonly doubled: number;
  /** Callbacks whose attempts say that they are possibly repeated, and those that really came twice. */
  readonly markedRepeated: number;
  readonly cameTwice: number;
  readonly unavailable: number;
  readonly unanswered: number;
  readonly problems: readonly Problem[];
}

/**
 * Waits until everything has been delivered, and compares what was promised, what PostgreSQL has, what each replica shows and what
 * the receiver got. `isEachAnswered` says whether each order that was carried out must have been answered.
 */
export async function checkAll(sandbox: Replicas, load: Load, isEachAnswered: boolean): Promise<Figures> {
  const problems: Problem[] = load.wrong.map((text) => ({ kind: "wrong", text }));
  let markedRepeated = 0;
  for (const account of sandbox.accounts) {
    const [first] = sandbox.running;
    await post(`${first?.url}/__admin/accounts/${account}/drain`, { within: "60s" });
    const promised = load.acknowledged.get(account) ?? nothingYet();
    const found = await readOrReport(sandbox, account, async (journal) => {
      markedRepeated += journal.filter((event) => event.kind === "attempted" && event.possiblyRepeated).length;
      const differences = await Promise.all(
        sandbox.running.map((replica) => findDifferences(replica, account, journal)),
      );
      return [
        ...findLosses(journal, promised),
        ...findDenied(journal, load.denied),
        ...(isEachAnswered ? findUnanswered(journal, promised) : []),
        ...findStray(journal, sandbox.receiver.received),
        ...differences.flat(),
      ];
    });
    problems.push(...found);
  }
  problems.push(...findOvertaken(sandbox, load.acknowledgments));
  const { acknowledged, unavailable, unanswered } = load.figures;
  const of = (wanted: Problem["kind"]): number => problems.filter(({ kind }) => kind === wanted).length;
  const cameTwice = [...sandbox.receiver.received.values()].filter(({ length }) => length > 1).length;
  return {
    acknowledged,
    lost: of("lost"),
    doubled: of("doubled"),
    markedRepeated,
    cameTwice,
    unavailable,
    unanswered,
    problems,
  };
}

/** A client that is answered with 503 orders again, so nothing may be carried out. */
function findDenied(journal: readonly AccountEvent[], denied: Load["denied"]): Problem[] {
  return journal.flatMap((event) =>
    event.kind === "accepted" && denied.has(event.order.phoneNumber)
      ? [wrong(`${event.requestId} was answered with 503, and carried out`)]
      : [],
  );
}

function findUnanswered(journal: readonly AccountEvent[], { orders }: Acknowledged): Problem[] {
  return journal.flatMap((event) =>
    event.kind === "accepted" && !orders.has(event.requestId)
      ? [wrong(`${event.requestId} was carried out, and its client got no answer`)]
      : [],
  );
}

/** Reads what PostgreSQL has of an account; a journal that no single owner wrote is a problem itself. */
export async function readOrReport(
  sandbox: Replicas,
  account: string,
  judge: (journal: readonly AccountEvent[]) => Problem[] | Promise<Problem[]>,
): Promise<Problem[]> {
  try {
    return await judge(await sandbox.journalOf(account));
  } catch (fault) {
    if (!(fault instanceof TornJournal)) throw fault;
    return [wrong(`${account}: ${fault.message}`)];
  }
}

/** Each replica has to show the same journal and the same money, whoever owns the account. */
async function findDifferences(
  { url, name }: Replica,
  account: string,
  journal: readonly AccountEvent[],
): Promise<Problem[]> {
  const base = `${url}/__admin/accounts/${account}`;
  const { events } = await get<{ events: AccountEvent[] }>(`${base}/export`);
  const { available: shown } = await get<{ available: number }>(`${base}/wallet`);
  const state = foldJournal(journal);
  const folded = state === undefined ? undefined : available(state.wallet) / 100;
  return [
    ...(isDeepStrictEqual(events, journal)
      ? []
      : [wrong(`${name} shows another journal of ${account} than PostgreSQL has`)]),
    ...(shown === folded
      ? []
      : [wrong(`${name} shows ${shown} in the wallet of ${account}, its journal folds to ${folded}`)]),
  ];
}

/**
 * No callback may come before its acknowledgment. A replica that was cut off while it held an acknowledgment in its hands is excused:
 * the next owner cannot know that its client still waits.
 */
export function findOvertaken({ receiver, cutOff }: Replicas, acknowledgments: Load["acknowledgments"]): Problem[] {
  return [...acknowledgments].flatMap(([requestId, { at, from }]) => {
    const [first] = receiver.received.get(requestId) ?? [];
    const isInOrder = first === undefined || first.at >= at || cutOff.has(from);
    return isInOrder ? [] : [wrong(`the callback of ${requestId} came before its acknowledgment`)];
  });
}

function wrong(text: string): Problem {
  return { kind: "wrong", text };
}
