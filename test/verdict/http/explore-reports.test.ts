import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { exploreAt, only, startTextShop, exploreMutant, replayMutant } from "../../support/explored.ts";

test.concurrent("what is printed fits on 80 columns without color: a line for each fault, a column for each point", async () => {
  const { printed } = await exploreMutant(
    "drops early callbacks",
    only(["callback-before-ack", "result-failed"]),
    "text",
  );

  expect(printed).toContain("  callback-before-ack             X  X\n");
  expect(printed).toContain("  result-failed                   ·  ·\n");
  expect(printed).toContain(
    "1. OUTCOME LOST: When the callback is sent before the acknowledgment, the application keeps an order open, although a callback told its outcome.",
  );
  expect(printed).toContain("repair: Store every callback");
  expect(printed).toContain("1 defect; 4 of 4 faults tried");
});

test.concurrent("in a terminal of 80 columns, progress is one line, and leaves no trace", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");

  const { complained } = await exploreAt(sandbox, shop.appMap, only(["result-failed", "callback-dropped"]), {
    columns: 80,
  });

  const frames = complained.split("\r\u001b[2K");
  expect(frames.at(-2)).toMatch(/: 2 of 2 faults tried, 0 defects$/);
  expect(Math.max(...frames.map((frame) => frame.length))).toBeLessThan(80);
  expect(frames.at(-1)).toBe("");
});

test.concurrent("what a time budget leaves out leaves no verdict: exit code 3, and a skipped case for each fault that was not tried", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");
  const file = join(mkdtempSync(join(tmpdir(), "kredo-budget-")), "report.xml");
  const flags = [...only(["result-failed", "callback-late"]), "--budget", "0s", "--report", file];

  const { exitCode, printed } = await exploreAt(sandbox, shop.appMap, flags);

  expect(exitCode).toBe(3);
  expect(printed).toContain("Stopped after 0 of 2 faults: the time budget of 0ms was used up.");
  expect(printed.trimEnd().split("\n").at(-1)).toMatch(
    /^No verdict: 2 of 2 faults not tried; 0 of 2 faults tried in 0 runs/,
  );
  const junit = readFileSync(file, "utf8");
  expect(junit).toMatch(/ tests="3" failures="0" errors="0" skipped="2" /);
  expect(junit).toMatch(
    /name="airtime-1-result-failed".*\n<skipped message="not assessed: not tried: the time budget of 0ms was used up; to try it: kredo explore --fault result-failed --seed 7"/,
  );
});

test.concurrent("a missing or wrong app map is reported", async () => {
  await using sandbox = await createSandbox();

  const { exitCode, complained } = await exploreAt(sandbox, "version: 1\n", []);

  expect(complained).toContain("kredo.app.yaml");
  expect(exitCode).toBe(2);
});

test.concurrent("a folder that takes no rehearsals is refused before any order is placed", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");
  const file = join(mkdtempSync(join(tmpdir(), "kredo-found-")), "file");
  writeFileSync(file, "");

  const { exitCode, complained } = await exploreAt(sandbox, shop.appMap, ["--found", file]);

  expect(complained).toBe(`--found: ${file} cannot be written (${file} is not a folder); choose another folder\n`);
  expect({ exitCode, requests: await sandbox.requests.list() }).toEqual({ exitCode: 2, requests: [] });
});

test.concurrent("the growing report is there for the dashboard, and each form of report has every cell", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startTextShop(sandbox, "number");
  const folder = mkdtempSync(join(tmpdir(), "kredo-reports-"));
  const reports = ["json", "xml", "html"].map((form) => join(folder, `report.${form}`));

  const { printed } = await exploreAt(sandbox, shop.appMap, [
    ...only(["result-failed"]),
    ...reports.flatMap((path) => ["--report", path]),
  ]);

  expect(printed).toContain("1 of 1 fault tried in 1 run, seed 7");
  const [json = "", xml = "", html = ""] = reports.map((path) => readFileSync(path, "utf8"));
  const shown = await fetch(`${sandbox.url}/__admin/accounts/default/exploration`);
  const expected = {
    is_over: true,
    trials: [{ id: "airtime-plain" }, { id: "airtime-1-result-failed", exchanges: [{}, {}] }],
  };
  expect(await shown.json()).toMatchObject(expected);
  expect(JSON.parse(json)).toMatchObject(expected);
  expect(xml).toContain('<testcase name="airtime-1-result-failed"');
  expect(html).toContain("airtime-1-result-failed");
});

test.concurrent("a rehearsal of each defect plays it again", async () => {
  const replayed = await replayMutant("takes silence for failure", only(["reset-after-accept", "result-failed"]));

  const ids = ["delivered-shown-failed"];
  expect(replayed).toEqual([{ file: "airtime-1-reset-after-accept.yaml", found: ids, shown: ids, repaired: 0 }]);
});
