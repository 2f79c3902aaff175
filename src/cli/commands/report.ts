import { askControl, type Client, clientFor, callControl, expectSuccess, printAnswer } from "../client/client.ts";
import type { Command } from "../terminal/command.ts";
import { reportShape } from "../../verdict/report/report.ts";
import { renderTerminal } from "../../verdict/report/terminal.ts";
import { exitCodeFor, FAIL_ON_FLAG } from "../rehearsal/fail-on.ts";
import { reportFiles, writeEach } from "../rehearsal/report-files.ts";
import { CONTROL_FLAGS } from "../client/target.ts";
import { hasColors } from "../terminal/output.ts";
import { printLines } from "../terminal/terminal.ts";

export const command: Command = {
  name: "report",
  about: [
    "Print a report on the account: what its traffic shows, with the requests and callbacks that prove it.",
    "Each FILE gets the whole report: .html, .xml (JUnit) or .json. Exit code 1 with a defect, 3 if no request arrived.",
  ].join(" "),
  arguments: ["[FILE...]"],
  flags: [FAIL_ON_FLAG, ...CONTROL_FLAGS],
  examples: ["kredo report", "kredo report report.html report.xml"],
  docs: "checks",
  async run(args, terminal) {
    const files = await reportFiles(args.words, "FILE");
    const client = await clientFor(args, terminal);
    const json = await callControl(client, { method: "GET", path: "report?format=json" });
    const report = reportShape.parse(json.json);
    printAnswer(client, json, renderTerminal(report, { color: hasColors(terminal), isAll: true }));
    await writeEach(files, (format) => (format === "json" ? Promise.resolve(json.text) : readText(format, client)));
    printLines(
      terminal.stderr,
      files.map(({ path }) => `wrote ${path}`),
    );
    return exitCodeFor(report, args, terminal);
  },
};

async function readText(format: string, client: Client): Promise<string> {
  const answer = await askControl(client, { method: "GET", path: `report?format=${format}` });
  if (answer.status >= 400) expectSuccess(client, answer);
  return answer.text;
}
