import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { createSandbox } from "../../src/index.ts";
import { findFault, writeFault } from "../../src/verdict/faults.ts";
import { reportShape } from "../../src/verdict/report/report.ts";
import { exploreAt, only } from "../support/explored.ts";
import { recordingTerminal } from "../support/system-terminal.ts";
import { startSmallShop } from "../verdict/small-shop.ts";
import { shopWithWords, type Words } from "./shops/words.ts";

const HELD = "risk held-after-failure";
const LOST = "defect outcome-lost";

const PAIRS: [string, Words, string][] = [
  ...["inakaguliwa", "manual_review", "refund_pending", "on-hold"].map((failed): [string, Words, string] => [
    `shows a failed order as ${failed}`,
    { failed, sent: "sent" },
    HELD,
  ]),
  ["shows every undecided order as on-hold", { failed: "on-hold", sent: "on-hold" }, LOST],
  [
    "shows every undecided order as on-hold, which its map lists under review",
    { failed: "on-hold", sent: "on-hold", review: "on-hold" },
    HELD,
  ],
  [
    "answers before it sends, and shows a failed order as refund_pending",
    { queued: "queued", failed: "refund_pending", sent: "sent" },
    HELD,
  ],
  ["answers before it sends, and forgets failures", { queued: "queued", failed: "sent", sent: "sent" }, LOST],
];

test.concurrent.each(PAIRS)(
  "a shop that %s is judged alike by exploration and rehearsal",
  async (_what, words, told) => {
    expect(await explore(words, ["result-failed"])).toEqual([told]);
    expect(await rehearse(words)).toEqual([told]);
  },
);

test.concurrent("a word that a plain order does not show before its callback is learnt from those that are told nothing", async () => {
  const forgetful: Words = { failed: "manual_review", sent: "manual_review", first: "sent" };

  expect(await explore(forgetful, ["result-failed"])).toEqual([HELD]);
  expect(await explore(forgetful, ["result-failed", "callback-dropped"])).toEqual([LOST]);
});

/** Returns what is told of an order whose result is a failure. */
async function explore(words: Words, faults: readonly string[]): Promise<string[]> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, shopWithWords(words));
  const { json } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(faults)]);
  const failed = json.trials.find(({ id }) => id === "airtime-1-result-failed");
  return failed?.verdicts.map(({ is, id }) => `${is} ${id}`) ?? [];
}

async function rehearse(words: Words): Promise<string[]> {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, shopWithWords(words));
  const folder = mkdtempSync(join(tmpdir(), "kredo-words-"));
  const [file, map, report] = [
    join(folder, "failed.yaml"),
    join(folder, "kredo.app.yaml"),
    join(folder, "report.json"),
  ];
  const fault = findFault("result-failed");
  if (fault === undefined) throw new Error("there is no such fault");
  const scenario = writeFault(fault, { operation: "airtime", nth: 1 });
  writeFileSync(file, JSON.stringify({ version: 1, name: "failed", scenario }));
  writeFileSync(map, shop.appMap);
  const { terminal } = recordingTerminal();
  await run(["rehearse", file, "--map", map, "--url", sandbox.url, "--report", report], terminal);
  const { trials } = reportShape.parse(JSON.parse(readFileSync(report, "utf8")));
  return trials.flatMap(({ verdicts }) => verdicts.map(({ is, id }) => `${is} ${id}`));
}
