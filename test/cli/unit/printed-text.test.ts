import { expect, test } from "vitest";
import { entryFormat } from "../../../src/cli/log/event-log.ts";
import { formatTable } from "../../../src/cli/terminal/output.ts";
import { run } from "../../../src/cli/run.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const FORGED = "r-1\u001b[2J\u0000\r\n09:00:00  forged";

test("a logged line stays one line, whatever it contains", () => {
  const format = entryFormat("pretty", fakeTerminal());

  const line = format({ level: "warn", event: "request", text: () => `200  ${FORGED}`, fields: () => ({}) }, 0);

  expect(line.slice("00:00:00".length)).toBe("  200  r-1 [2J 09:00:00  forged");
});

test("a notice keeps its lines and no other control characters", () => {
  const format = entryFormat("pretty", fakeTerminal());

  const line = format({ level: "warn", event: "notice", text: () => FORGED, fields: () => ({}) }, 0);

  expect(line).toBe("r-1 [2J \n09:00:00  forged");
});

test("a table's cells control no terminal, and their color is the table's own", () => {
  const terminal = fakeTerminal({ isTTY: true });

  const lines = formatTable(["REQUEST_ID", "STATE"], [[FORGED, "queued\u001b[8m"]], terminal, (text) => `<${text}>`);

  expect(lines).toEqual(["  REQUEST_ID                STATE", "  r-1 [2J 09:00:00  forged  <queued [8m>"]);
});

test("the error of a file shows no NUL and no escape of its name", async () => {
  const terminal = fakeTerminal();

  const code = await run(["scenario", "start", "./a\u0000\u001b[2J.yaml"], terminal);

  expect(code).toBe(2);
  expect(terminal.complained()).toContain("./a [2J.yaml: there is no such file");
});
