import { renderJson, type Report } from "../../verdict/report/report.ts";
import { renderTerminal } from "../../verdict/report/terminal.ts";
import { type Client, callControl } from "../client/client.ts";
import type { ParsedArgs } from "../terminal/command.ts";
import { hasColors } from "../terminal/output.ts";
import { type ReportFile, writeReport } from "./report-files.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

/** Sends the growing report to the sandbox's dashboard, one update at a time, always the latest. */
export class ShownReport {
  readonly #client: Client;
  #sending: Promise<void> | undefined;
  #latest: Report | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Not awaited; later updates replace earlier ones. */
  show(report: Report): void {
    this.#latest = report;
    this.#sending ??= this.#put(report).finally(() => (this.#sending = undefined));
  }

  async finish(report: Report): Promise<void> {
    await this.#sending;
    await this.#put(report);
  }

  /** Sends the final state of a run that failed. */
  async abandon(): Promise<void> {
    if (this.#latest === undefined) return;
    const summary = "No verdict: the run failed";
    await this.finish({ ...this.#latest, is_over: true, stopped: "it failed", summary });
  }

  /** A failed update of the dashboard must not stop a run. */
  async #put(body: Report): Promise<void> {
    await callControl(this.#client, { method: "PUT", path: "exploration", body }).catch(() => undefined);
  }
}

interface Published {
  readonly args: ParsedArgs;
  readonly terminal: Terminal;
  readonly files: readonly ReportFile[];
  readonly shown: ShownReport;
}

/** Shows the final report on the dashboard, prints it and writes it to files. */
export async function publish(report: Report, { args, terminal, files, shown }: Published): Promise<void> {
  await shown.finish(report);
  const printed = args.flags.has("json")
    ? [renderJson(report).trimEnd()]
    : renderTerminal(report, { color: hasColors(terminal), isAll: args.flags.has("all") });
  printLines(terminal.stdout, printed);
  await writeReport(files, report);
}
