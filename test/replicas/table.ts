import type { Problem } from "../kill/check-kept.ts";
import { emptyWallet, killDuring, killDuringAdvance, killDuringRehearsal, wrongClock } from "./account-runs.ts";
import { moveToSmallDisk, type SmallDisk } from "./full-disk.ts";
import {
  cutOffDatabase,
  cutOffPeers,
  failOver,
  fillDisk,
  killOwners,
  loseAnswers,
  pauseOwner,
  restartPostgres,
  revokePrivileges,
  run,
  stopPostgres,
} from "./runs.ts";

/** What one row shows. */
export interface Row {
  readonly acknowledged?: number;
  readonly lost?: number;
  readonly doubled?: number;
  readonly markedRepeated?: number;
  readonly cameTwice?: number;
  readonly unavailable?: number;
  readonly takeOvers?: readonly number[];
  /** What else is worth a word. */
  readonly note?: string;
  readonly problems: readonly Problem[];
}

/** The take-over is promised within 3 s at this lease. */
const leaseSeconds = 2;

/** Everything that is done to replicas, by what it is called in bench/REPLICAS.md. */
export const TABLE: ReadonlyMap<string, (command: string) => Promise<Row>> = new Map<
  string,
  (command: string) => Promise<Row>
>([
  [
    "kill -9 of an owner, 10 times, 2 replicas",
    (command) => run({ command, leaseSeconds, replicas: 2 }, killOwners({ kills: 10, seed: 1 })),
  ],
  [
    "kill -9 of an owner, 10 times, 3 replicas",
    (command) => run({ command, leaseSeconds, replicas: 3 }, killOwners({ kills: 10, seed: 2 })),
  ],
  [
    "SIGTERM of an owner, 5 times, 3 replicas",
    (command) =>
      run({ command, leaseSeconds, replicas: 3 }, killOwners({ kills: 5, seed: 3, signal: "SIGTERM" }), true),
  ],
  ["owner paused for twice its lease", (command) => run({ command, leaseSeconds, replicas: 2 }, pauseOwner)],
  ["owner cut off from PostgreSQL", (command) => run({ command, leaseSeconds, replicas: 2 }, cutOffDatabase)],
  ["owner cut off from the other replicas", (command) => run({ command, leaseSeconds, replicas: 3 }, cutOffPeers)],
  ["PostgreSQL crashes and restarts", (command) => run({ command, leaseSeconds, replicas: 2 }, restartPostgres)],
  [
    "PostgreSQL away for longer than a request waits",
    (command) => run({ command, leaseSeconds, replicas: 2 }, stopPostgres),
  ],
  ["privileges revoked", (command) => run({ command, leaseSeconds, replicas: 2 }, revokePrivileges)],
  ["fail-over to a synchronous standby", (command) => run({ command, leaseSeconds, replicas: 2 }, failOver)],
  ["disk of PostgreSQL full", diskFull],
  ["answer of a flush lost", (command) => run({ command, leaseSeconds, replicas: 2 }, loseAnswers)],
  ["kill during an advance", async (command) => ({ problems: await killDuringAdvance(command) })],
  ...replacementRows("reset"),
  ...replacementRows("import"),
  ...rehearsalRows(),
  ["clock of a replica 6 s fast", (command) => wrongClockRow(command, "ahead=6000")],
  ["clock of a replica 6 s slow", (command) => wrongClockRow(command, "ahead=-6000")],
  ["clock of a replica 3 h fast", (command) => wrongClockRow(command, "ahead=10800000")],
  ["clock of a replica at three times the speed", (command) => wrongClockRow(command, "speed=3")],
  ["money for 10 orders, 40 at once, 3 replicas", emptyWalletRow],
]);

function replacementRows(change: "reset" | "import"): [string, (command: string) => Promise<Row>][] {
  const moments = ["before", "during", "after"] as const;
  return moments.map((moment) => [
    `kill ${moment} the ${change} is written, 3 times`,
    async (command) => ({ problems: await killDuring(command, { change, moment, times: 3 }) }),
  ]);
}

function rehearsalRows(): [string, (command: string) => Promise<Row>][] {
  const moments = ["begins", "runs", "ends", "runs, at the replica that was asked"] as const;
  return moments.map((moment) => [
    `kill while a rehearsal ${moment}`,
    async (command) => ({ problems: await killDuringRehearsal(command, moment) }),
  ]);
}

async function diskFull(command: string): Promise<Row> {
  let disk: SmallDisk | undefined;
  try {
    const prepare = async (...[postgres]: Parameters<typeof moveToSmallDisk>): Promise<void> =>
      void (disk = await moveToSmallDisk(postgres));
    return await run({ command, leaseSeconds, replicas: 2, prepare }, async (sandbox, load) => {
      if (disk !== undefined) await fillDisk(disk)(sandbox, load);
      return [];
    });
  } finally {
    await disk?.[Symbol.asyncDispose]();
  }
}

async function wrongClockRow(command: string, clock: string): Promise<Row> {
  const { furthest, callbacks } = await wrongClock(command, clock);
  const note = `${callbacks} callbacks, at most ${Math.round(furthest)} ms from their due time`;
  return { note, problems: furthest <= 1_000 ? [] : [{ kind: "wrong", text: note }] };
}

async function emptyWalletRow(command: string): Promise<Row> {
  const { accepted, refused, others, problems } = await emptyWallet(command);
  const note = `${accepted} accepted, ${refused} refused with 402, ${others} others`;
  return {
    acknowledged: accepted,
    note,
    problems: accepted === 10 && refused === 30 ? problems : [...problems, { kind: "wrong", text: note }],
  };
}
