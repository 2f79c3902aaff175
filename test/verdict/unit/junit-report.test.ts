import { expect, test } from "vitest";
import { renderJunit } from "../../../src/verdict/report/junit.ts";
import type { Report, TrialReport } from "../../../src/verdict/report/report.ts";
import type { Verdict } from "../../../src/verdict/verdict.ts";
import { findAll, readJunit, type XmlElement } from "../../support/read-junit.ts";
import { RIGHT, sampleReport, sampleTrial, SOLD_TWICE } from "../../support/sample-report.ts";

const RISK: Verdict = { ...SOLD_TWICE, is: "risk", id: "retry-storm", title: "retries come too fast" };
const NOT_ASSESSED: Verdict = { ...RIGHT, is: "not assessed", seen: "the machine was too busy" };

async function elementsOf(name: string, changes: Partial<Report>): Promise<XmlElement[]> {
  return findAll(await readJunit(renderJunit(sampleReport(changes))), name);
}

async function caseOf(trial: Partial<TrialReport>): Promise<XmlElement | undefined> {
  return (await elementsOf("testcase", { trials: [sampleTrial(trial)] }))[0];
}

test("the suite counts its cases, failures and skipped cases, and says when it ran and for how long", async () => {
  const [suite] = await elementsOf("testsuite", {});

  expect(suite?.attributes).toEqual({
    name: "exploration of http://localhost:3000",
    package: "kredo",
    id: "0",
    hostname: "localhost",
    timestamp: "2026-03-04T09:30:15",
    tests: "4",
    failures: "1",
    errors: "0",
    skipped: "1",
    time: "2.140",
  });
});

test("the properties name the seed, and the application if there is one", async () => {
  const named = await elementsOf("property", {});
  const unnamed = await elementsOf("property", { application: undefined });

  expect(named.map(({ attributes }) => attributes)).toEqual([
    { name: "application", value: "http://localhost:3000" },
    { name: "seed", value: "7" },
  ]);
  expect(unnamed.map(({ attributes }) => attributes)).toEqual([{ name: "seed", value: "7" }]);
});

test("a failure has the sentence as its message, and tells everything known about each defect of the trial", async () => {
  const second: Verdict = { ...RIGHT, is: "defect", id: "callback-flood", title: "it floods", seen: "nine at once" };

  const [failure, ...others] = await elementsOf("failure", {
    trials: [sampleTrial({ verdicts: [SOLD_TWICE, RISK, second] })],
  });

  expect(others).toEqual([]);
  expect(failure?.attributes).toEqual({
    type: "sold-twice",
    message: "When the connection is reset, the application sends the order again.",
  });
  const lines = failure?.text.split("\n") ?? [];
  expect(lines).toContain("sold-twice: When the connection is reset, the application sends the order again.");
  expect(lines).toContain("callback-flood: It floods when the connection is reset.");
  expect(lines).toContain("seen: nine at once (airtime-1-reset-after-accept)");
  expect(lines).toContain("repair: Never send an order again after silence.");
  expect(lines.filter((line) => line.startsWith("retry-storm"))).toEqual([]);
});

test.each([
  ["not assessed", [NOT_ASSESSED], ["not assessed: the machine was too busy"]],
  ["not assessed", [RISK, NOT_ASSESSED], ["not assessed: the machine was too busy"]],
  ["not assessed", [], []],
  ["right", [RIGHT, NOT_ASSESSED], []],
  ["open", [{ ...RIGHT, is: "open" }], []],
] as const)("a trial that is %s with %j is skipped with %j", async (verdict, verdicts, messages) => {
  const tried = await caseOf({ verdict, verdicts: [...verdicts] });

  expect(tried?.children.map(({ name, attributes }) => [name, attributes["message"]])).toEqual(
    messages.map((message) => ["skipped", message]),
  );
});

test("a trial with a defect fails and is not skipped, even if something else was not assessed", async () => {
  const trials = [sampleTrial({ verdict: "not assessed", verdicts: [SOLD_TWICE, NOT_ASSESSED] })];

  const [suite] = await elementsOf("testsuite", { trials });

  expect(suite?.attributes).toMatchObject({ failures: "1", skipped: "0" });
  expect(await elementsOf("skipped", { trials })).toEqual([]);
});

test("what fails nothing is in the suite's output, a line each, before what was not looked at", async () => {
  const [output] = await elementsOf("system-out", { trials: [sampleTrial({ verdicts: [SOLD_TWICE, RISK] })] });

  const lines = output?.text.split("\n") ?? [];
  expect(lines[0]).toBe("risk: retry-storm: Retries come too fast when the connection is reset.");
  expect(lines).toContain("repair: Never send an order again after silence.");
  expect(lines.slice(-2)).toEqual(["Not looked at: restarts (no restart in the map).", ""]);
  expect(output?.text).not.toContain("sold-twice");
});

test("a case is named for its trial, and its class for the report and what was ordered", async () => {
  expect((await caseOf({}))?.attributes).toEqual({
    name: "airtime-1-reset-after-accept",
    classname: "exploration of http://localhost:3000, airtime",
    time: "0.640",
  });
  expect((await caseOf({ operation: undefined }))?.attributes["classname"]).toBe(
    "exploration of http://localhost:3000",
  );
});

test("a name that is blank is replaced, because the schemas require one", async () => {
  expect((await elementsOf("testsuite", { name: " \n" }))[0]?.attributes["name"]).toBe("report");
  expect((await caseOf({ id: "" }))?.attributes["name"]).toBe("report");
});

test("text arrives as it was, line breaks in attributes included, and what XML cannot hold is replaced", async () => {
  const seen = `a & b < c > "d"\r\u0085\u0000\u001b\ufffe\ud83d`;
  const name = 'one\ttwo\nthree\r"four" <five>';

  const [output] = await elementsOf("system-out", { trials: [sampleTrial({ verdicts: [{ ...RISK, seen }] })] });
  const [suite] = await elementsOf("testsuite", { name });

  expect(output?.text).toContain(`seen: a & b < c > "d"\r\u0085\u2400\u241b\ufffd\ufffd (`);
  expect(suite?.attributes["name"]).toBe(name);
});
