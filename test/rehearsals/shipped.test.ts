import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { findAll, readXml } from "../support/read-xml.ts";
import { rehearseNaive, rehearseSound } from "../support/rehearse-all.ts";
import { rehearsalNames, shippedRehearsal } from "../support/rehearsed.ts";
import { NAIVE_DEFECTS } from "./naive-defects.ts";

// Most of it is waiting, so both go at once.
const [sound, naive] = await Promise.all([rehearseSound(), rehearseNaive()]);

const byName = new Map(naive.flatMap(({ report }) => report.reports).map((report) => [report.name, report]));

const schema = readFileSync(new URL("../support/junit.xsd", import.meta.url), "utf8");

test("the sound backend passes every shipped rehearsal", () => {
  expect(sound.exitCode).toBe(0);
  expect(sound.report).toMatchObject({ verdict: "passed", counts: { checks: { failed: 0 } } });
  expect(sound.report.reports.map(({ name }) => name)).toEqual(rehearsalNames());
});

describe.each(sound.report.reports)("$name, sound", ({ name, checks, findings }) => {
  test("passes each order and each check that its file writes down", () => {
    const passed = checks.filter(({ verdict }) => verdict === "passed").map((check) => check.name);

    expect(passed).toEqual(["each order ends right", ...shippedRehearsal(name).expect.map((check) => check.name)]);
  });

  test("accuses the sound backend of nothing at all", () => {
    expect(findings).toEqual([]);
  });

  test("leaves nothing out that the app map names", () => {
    const open = checks.filter(({ verdict }) => verdict === "not_assessed").map((check) => check.name);

    expect(open).toEqual(["each result is credited exactly once"]);
  });
});

test("each rehearsal is told in the terminal, and all of them are counted in the end", () => {
  const { passed, not_assessed: open } = sound.report.counts.checks;

  expect(
    rehearsalNames().filter((name) => !sound.printed.includes(`\n${name}\n`) && !sound.printed.startsWith(`${name}\n`)),
  ).toEqual([]);
  expect(sound.printed).toContain(
    `${rehearsalNames().length} rehearsals: ${passed + open} checks: ${passed} passed, ${open} not assessed; no findings.`,
  );
});

test("the sound backend's JUnit file is valid, with a suite for each rehearsal and no failure", async () => {
  const { errors } = await validateXML({ xml: { fileName: "report.xml", contents: sound.junit }, schema });

  const root = readXml(sound.junit);
  expect(errors).toEqual([]);
  expect(findAll(root, "testsuite").map(({ attributes }) => attributes["name"])).toEqual(rehearsalNames());
  expect(findAll(root, "failure")).toEqual([]);
});

test("the sound backend's page names each rehearsal", () => {
  expect(rehearsalNames().filter((name) => !sound.html.includes(name))).toEqual([]);
});

test("every shipped rehearsal is in the table", () => {
  expect(NAIVE_DEFECTS.map(({ name }) => name)).toEqual(rehearsalNames());
});

test("the naive backend makes kredo rehearse end with 1", () => {
  expect(naive.map(({ exitCode }) => exitCode)).toEqual(naive.map(() => 1));
});

describe.each(NAIVE_DEFECTS)("$name, naive", ({ name, findings, failed }) => {
  const report = byName.get(name);

  test("names what is wrong with the naive backend, and accuses it of nothing else", () => {
    // A receiver's URL has another port in each run.
    const found = report?.findings.map(({ id, subject }) => (subject.startsWith("http:") ? id : `${id} ${subject}`));

    expect(found?.toSorted()).toEqual(findings);
  });

  test("fails the checks that show it, and no other", () => {
    const checks = report?.checks.filter(({ verdict }) => verdict === "failed").map((check) => check.name);

    expect(checks).toEqual(failed);
  });
});

test.each(naive)(
  "the naive backend's JUnit file is valid and has a failure for each failed check and each defect",
  async ({ junit, report }) => {
    const { errors } = await validateXML({ xml: { fileName: "report.xml", contents: junit }, schema });

    expect(errors).toEqual([]);
    expect(findAll(readXml(junit), "failure").length).toBeGreaterThanOrEqual(report.counts.checks.failed);
  },
);

test.each(naive)(
  "the naive backend's page names each rehearsal and the title of each finding",
  ({ html, names, report }) => {
    const titles = report.reports.flatMap(({ findings }) => findings.map(({ title }) => title));

    expect([...names, ...titles].filter((text) => !html.includes(text))).toEqual([]);
  },
);

test.each(naive)(
  "the terminal names each check of the naive backend that failed and what was seen",
  ({ printed, report }) => {
    const failed = report.reports.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === "failed"));

    expect(failed.filter(({ name }) => !printed.includes(`FAILED       ${name}`))).toEqual([]);
  },
);
