import { afterAll, expect, inject, test } from "vitest";
import { buildBroken, type Mutation } from "./broken.ts";
import {
  acknowledgesOnlyWhatIsWritten,
  callsBackAfterAcknowledgment,
  fencesLateWrites,
  sendsOnlyWhatIsWritten,
} from "./promises.ts";

/** A promise, how it is held to, and what breaks it. */
const PROMISES: readonly [name: string, check: typeof fencesLateWrites, mutation: Mutation][] = [
  [
    "nothing is acknowledged before PostgreSQL has it",
    acknowledgesOnlyWhatIsWritten,
    { file: "src/gateway/http/respond.ts", changes: [["    await untilSecured(bindings, account);\n", ""]] },
  ],
  [
    "no callback is sent before PostgreSQL has the attempt",
    sendsOnlyWhatIsWritten,
    {
      file: "src/gateway/engine/courier.ts",
      changes: [["await this.#journal.secured();", "if (id === undefined) await this.#journal.secured();"]],
    },
  ],
  [
    "what an earlier owner writes late is refused",
    fencesLateWrites,
    {
      file: "src/storage/journal/postgres-database.ts",
      changes: [
        [
          "account.owner = $8 AND account.epoch = write.epoch AND account.version = write.after",
          "$8::text IS NOT NULL",
        ],
        // The table's key would still refuse it.
        [
          "FROM moved WHERE body IS NOT NULL",
          "FROM moved WHERE body IS NOT NULL ON CONFLICT (account, last) DO UPDATE SET body = excluded.body",
        ],
      ],
    },
  ],
  [
    "no callback overtakes the acknowledgment that another replica sends",
    callsBackAfterAcknowledgment,
    {
      file: "src/storage/replicas/forwarded-orders.ts",
      changes: [["void (this.#ended === undefined ? this.#jobs.push(job) : job(this.#ended))", "job()"]],
    },
  ],
];

// Each has replicas of its own, and mostly waits for a lease to end.
test.concurrent.each(PROMISES)("%s", async (_, check) => {
  expect(await check(inject("command"))).toEqual([]);
});

const removals: (() => void)[] = [];
afterAll(() => removals.forEach((remove) => remove()));

test.concurrent.each(PROMISES)("%s: a build that breaks this on purpose is found out", async (_, check, mutation) => {
  const { command, remove } = await buildBroken(mutation);
  removals.push(remove);

  expect(await check(command)).not.toEqual([]);
});
