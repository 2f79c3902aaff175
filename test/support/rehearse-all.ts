import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as z from "zod";
import { run } from "../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { reportShape } from "../../src/verdict/report/report.ts";
import type { Backend } from "../backends/http-shell.ts";
import { startNaiveBackend } from "../backends/naive.ts";
import { startSoundBackend } from "../backends/sound.ts";
import { rehearsalNames } from "./rehearsed.ts";
import { shopMap } from "./shop-map.ts";
import { recordingTerminal } from "./system-terminal.ts";

/** What `kredo rehearse` made of rehearsals. */
export interface Rehearsed {
  readonly names: readonly string[];
  readonly exitCode: number;
  readonly printed: string;
  readonly complained: string;
  readonly report: z.output<typeof reportShape>;
  readonly junit: string;
  readonly html: string;
}

/** Runs every shipped rehearsal, one after another, against the sound backend and a running sandbox, as a person would. */
export function rehearseSound(): Promise<Rehearsed> {
  // It waits a second before its first retry; a tenth of that grows just as well.
  return rehearse(rehearsalNames(), (access) => startSoundBackend({ ...access, backOff: 100 }));
}

/** Probes that fail wait for their limit, so these go in lanes, each with a sandbox and a naive backend. */
export function rehearseNaive(): Promise<Rehearsed[]> {
  const lanes = [0, 1, 2, 3].map((lane, _, all) => rehearsalNames().filter((_, index) => index % all.length === lane));
  // Even pauses are no back-off either, and a busy machine that stretches them a little changes nothing.
  return Promise.all(lanes.map((names) => rehearse(names, (access) => startNaiveBackend({ ...access, pause: 2_000 }))));
}

interface Access {
  readonly port: number;
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
}

async function rehearse(names: readonly string[], start: (access: Access) => Promise<Backend>): Promise<Rehearsed> {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using backend = await start({ port: 0, gateway, key, secret });
  return await rehearseAt(sandbox, shopMap(backend.url), names);
}

/** Runs shipped rehearsals against the application of an app map. */
export async function rehearseAt(
  { url: gateway }: Pick<Sandbox, "url">,
  appMap: string,
  names: readonly string[],
): Promise<Rehearsed> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-rehearsed-"));
  const files = ["json", "xml", "html"].map((form) => join(folder, `report.${form}`));
  const { terminal, ...said } = recordingTerminal();
  const map = join(folder, "kredo.app.yaml");
  writeFileSync(map, appMap);
  const flags = ["--url", gateway, "--map", map, ...files.flatMap((file) => ["--report", file])];
  const exitCode = await run(["rehearse", ...names, ...flags], terminal);
  if (exitCode > 1) throw new Error(said.complained());
  const [json = "", junit = "", html = ""] = files.map((file) => readFileSync(file, "utf8"));
  const report = reportShape.parse(JSON.parse(json));
  return { names, exitCode, printed: said.printed(), complained: said.complained(), report, junit, html };
}
