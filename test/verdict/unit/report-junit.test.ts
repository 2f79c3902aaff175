import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { renderJunit } from "../../../src/verdict/rehearsal/report-junit.ts";
import { element, representable } from "../../../src/verdict/rehearsal/xml.ts";
import { findAll, readXml } from "../../support/read-xml.ts";
import { anyReport, anyText, FIRST, sampleReport } from "../../support/sample-report.ts";

const schema = readFileSync(new URL("../../support/junit.xsd", import.meta.url), "utf8");

test("is a suite for each report, with a case for each check and each defect", () => {
  const root = readXml(renderJunit([sampleReport(), sampleReport({ name: "empty-wallet", checks: [], findings: [] })]));

  expect(root.name).toBe("testsuites");
  expect(root.children.map(({ attributes }) => attributes)).toMatchObject([
    {
      name: "ack-lost",
      id: "0",
      tests: "4",
      failures: "2",
      skipped: "1",
      errors: "0",
      time: "2.140",
      timestamp: "2026-03-04T09:30:15",
    },
    { name: "empty-wallet", id: "1", tests: "0", failures: "0", skipped: "0" },
  ]);
  expect(
    findAll(root, "testcase").map(({ attributes, children }) => [attributes["name"], children.map(({ name }) => name)]),
  ).toEqual([
    ["callbacks: all acknowledged within 3s", []],
    ["wallet: spent 95.00", ["failure"]],
    ["orders: credited exactly once", ["skipped"]],
    ["finding: double-spend", ["failure"]],
  ]);
});

test("a failure says what was seen, and in its body the exchanges that show it", () => {
  const [failure] = findAll(readXml(renderJunit([sampleReport()])), "failure");

  expect(failure?.attributes).toEqual({ type: "check", message: "KES 190.00 spent" });
  expect(failure?.text.split("\n")).toHaveLength(3);
  expect(failure?.text).toContain(`→ accepted, but the connection was broken (reset) (request ${FIRST})`);
});

test("what was not assessed says what it would need", () => {
  const [skipped] = findAll(readXml(renderJunit([sampleReport()])), "skipped");

  expect(skipped?.attributes).toEqual({ message: "not assessed: needs a probe that reads the order" });
});

test("one detector is one case, however many subjects it has findings of", () => {
  const { findings } = sampleReport();
  const more = findings.map((finding) => ({ ...finding, subject: "254733000001" }));

  const root = readXml(renderJunit([sampleReport({ checks: [], findings: [...findings, ...more] })]));

  const [failure, ...others] = findAll(root, "failure");
  expect(others).toEqual([]);
  expect(failure?.text).toContain("254712345678: ");
  expect(failure?.text).toContain("254733000001: ");
});

test("a finding that is no defect fails nothing and is told all the same", () => {
  const root = readXml(renderJunit([sampleReport({ checks: [] })]));

  expect(findAll(root, "system-out")[0]?.text).toContain(
    "cost: A few characters make the message dearer (costly-characters)",
  );
});

test("a defect that the rehearsal's own checks let pass fails nothing, and is told all the same", () => {
  const root = readXml(renderJunit([sampleReport({ checks: [], tolerated: ["double-spend"] })]));

  expect(findAll(root, "testcase")).toEqual([]);
  expect(root.children[0]?.attributes).toMatchObject({ tests: "0", failures: "0" });
  expect(findAll(root, "system-out")[0]?.text).toMatch(/^defect: .* \(double-spend\)/m);
});

test("any text survives a strict parser, but for characters that XML cannot say", () => {
  fc.assert(
    fc.property(anyText, anyText, (value, text) => {
      const read = readXml(element("a", { value }, { text }));

      expect(read).toEqual({
        name: "a",
        attributes: { value: representable(value) },
        children: [],
        text: representable(text),
      });
    }),
    { numRuns: 500 },
  );
});

test("changes only what XML cannot say", () => {
  const anySayable = anyText.map((text) => text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ""));

  fc.assert(fc.property(anySayable, (text) => representable(`${text}\t\r\n\u0085`) === `${text}\t\r\n\u0085`));
  expect(representable("\u0000\u001b\ud83d\uffff")).toBe("\u2400\u241b\ufffd\ufffd");
});

test("is valid by the rules that the schemas in use have in common, whatever texts it holds", async () => {
  const reports = [sampleReport(), ...fc.sample(anyReport, { numRuns: 60, seed: 1 })];

  const { errors } = await validateXML({ xml: { fileName: "report.xml", contents: renderJunit(reports) }, schema });

  expect(errors).toEqual([]);
});

test.each([
  ["a case without a name", (xml: string) => xml.replace(/<testcase name="[^"]*"/, "<testcase")],
  ["a suite without a moment", (xml: string) => xml.replace(/ timestamp="[^"]*"/, "")],
  ["a moment with a zone", (xml: string) => xml.replace(/( timestamp="[^"]*)"/, '$1Z"')],
  ["an attribute that nobody knows", (xml: string) => xml.replace("<testcase ", '<testcase line="1" ')],
  ["two endings of one case", (xml: string) => xml.replace("</failure>", "</failure><skipped/>")],
])("the schema refuses %s", async (_what, damage) => {
  const contents = damage(renderJunit([sampleReport()]));

  const { valid } = await validateXML({ xml: { fileName: "report.xml", contents }, schema });

  expect(valid).toBe(false);
});
