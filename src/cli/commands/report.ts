import { type Client, clientFor, control, report as printAnswer } from "../client.ts";
import { CONTROL_FLAGS } from "../target.ts";
import type { Command } from "../command.ts";
import { expectWritable, reportFiles, writeEach } from "../report-files.ts";
import { printLines } from "../terminal.ts";

export const report: Command = {
  name: "report",
  about: [
    "Print a report on the account: checks, findings with their evidence, and counts.",
    "Each FILE gets the whole report, with timeline and wallet: .html, .xml (JUnit) or .json.",
  ].join(" "),
  arguments: ["[FILE...]"],
  flags: CONTROL_FLAGS,
  examples: ["kredo report", "kredo report report.html report.xml"],
  docs: "docs/findings.md",
  async run(args, terminal) {
    const files = reportFiles(args.words, "FILE");
    await expectWritable(files);
    const client = await clientFor(args, terminal);
    const json = await control(client, { method: "GET", path: "report?format=json" });
    const lines = client.isRaw ? [] : [(await reportIn("text", client)).trimEnd()];
    printAnswer(client, json, lines);
    await writeEach(files, (format) => (format === "json" ? Promise.resolve(json.text) : reportIn(format, client)));
    printLines(
      terminal.stderr,
      files.map(({ path }) => `wrote ${path}`),
    );
    return 0;
  },
};

async function reportIn(format: string, client: Client): Promise<string> {
  const { text } = await control(client, { method: "GET", path: `report?format=${format}`, isText: true });
  return text;
}
