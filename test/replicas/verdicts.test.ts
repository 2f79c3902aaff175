import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { reportShape } from "../../src/verdict/report/report.ts";
import { defectsIn } from "../support/explored.ts";
import { startProcess } from "../kill/sandbox-process.ts";
import { startExampleShop } from "../support/example-shop.ts";
import { startHAProxy } from "./haproxy.ts";
import { startReplicas } from "./replicas.ts";

const command = inject("command");
const FAULTS = ["refused-422", "reset-after-accept", "result-failed", "callback-twice-at-once"];

test.each([
  ["sound", {}, []],
  ["broken", { BREAK: "1" }, ["sold-twice"]],
] as const)("three replicas behind HAProxy judge a %s shop as one process does", async (_, environment, defects) => {
  await using group = await startReplicas({ command, replicas: 3, accounts: 1 });
  await using proxy = await startHAProxy(group.running.map(({ url }) => url));
  const folder = mkdtempSync(join(tmpdir(), "kredo-verdicts-"));
  const config = "accounts: [{ consumer_key: test-0, consumer_secret: secret }]\n";

  const single = await startProcess({ command, folder, words: [], config });
  const [ofReplicas, ofOne] = await Promise.all([judge(proxy.url, environment), judge(single.url, environment)]);
  await single.kill();
  rmSync(folder, { recursive: true });

  expect(ofReplicas).toEqual(ofOne);
  expect(ofReplicas.defects.map(({ id }) => id)).toEqual(defects);
});

interface Judged {
  readonly exitCodes: readonly number[];
  readonly rehearsed: readonly { readonly is: string; readonly id: string }[];
  readonly trials: readonly { readonly id: string; readonly verdict: string }[];
  readonly defects: readonly { readonly id: string; readonly trials: readonly string[] }[];
}

/** What `kredo rehearse` and `kredo explore` say of the shop. */
async function judge(url: string, environment: NodeJS.ProcessEnv): Promise<Judged> {
  using shop = await startExampleShop({ url, consumerKey: "test-0", consumerSecret: "secret" }, environment);
  const folder = mkdtempSync(join(tmpdir(), "kredo-judge-"));
  writeFileSync(join(folder, "kredo.app.yaml"), shop.map);
  const common = ["--url", url, "--seed", "7", "--json"];
  const rehearsed = await kredo(folder, ["rehearse", "books-after-a-bad-afternoon", "busy-hour", ...common]);
  const explored = await kredo(folder, ["explore", ...FAULTS.flatMap((fault) => ["--fault", fault]), ...common]);
  rmSync(folder, { recursive: true });
  const rehearsals = reportShape.parse(JSON.parse(rehearsed.printed));
  const { trials, problems } = reportShape.parse(JSON.parse(explored.printed));
  return {
    exitCodes: [rehearsed.exitCode, explored.exitCode],
    rehearsed: rehearsals.trials.flatMap(({ verdicts }) => verdicts.map(({ is, id }) => ({ is, id }))),
    trials: trials.map(({ id, verdict }) => ({ id, verdict })),
    defects: defectsIn({ problems }).map(({ id, trials: where }) => ({ id, trials: where })),
  };
}

function kredo(folder: string, words: readonly string[]): Promise<{ exitCode: number; printed: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [command, ...words],
      { cwd: folder, maxBuffer: 2 ** 26 },
      (error, printed, complained) => {
        if (printed === "") reject(new Error(`kredo ${words.join(" ")} printed nothing: ${complained}`));
        else resolve({ exitCode: Number(error?.code ?? 0), printed });
      },
    );
  });
}
