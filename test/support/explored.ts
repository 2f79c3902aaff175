import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { openShell, type Routes } from "../backends/http-shell.ts";
import { type Defect, type Mutant, MUTANTS } from "../backends/shops/mutants.ts";
import { SOUND_SHOPS } from "../backends/shops/sound-shops.ts";
import type { ShopOptions } from "../backends/shops/shop.ts";
import { JOINT_CHECK_IDS } from "../../src/verdict/orders/order-checks.ts";
import { type Report, reportShape } from "../../src/verdict/report/report.ts";
import { type Outcome, rehearseTexts } from "./rehearse.ts";
import { recordingTerminal } from "./system-terminal.ts";

// What the command loads when it is first used is loaded here, and not while a test waits for it.
await Promise.all([import("../../src/cli/commands/explore.ts"), import("../../src/control/control-api.ts")]);

export interface Explored {
  readonly exitCode: number;
  readonly printed: string;
  readonly complained: string;
  /** Of `--json`. */
  readonly json: Report;
}

/** An application under exploration. */
interface Explorable extends AsyncDisposable {
  readonly appMap: string;
}

export function exploreSound(shop: keyof typeof SOUND_SHOPS, flags: readonly string[]): Promise<Explored> {
  return exploreWith(SOUND_SHOPS[shop], ["--json", ...flags]);
}

export function exploreMutant(
  defect: Defect,
  flags: readonly string[],
  form: "json" | "text" = "json",
): Promise<Explored> {
  const start = SOUND_SHOPS[MUTANTS[defect].shop];
  return exploreWith((access) => start({ ...access, defect }), [...(form === "json" ? ["--json"] : []), ...flags]);
}

/** What the replay of a defect shows. */
interface Replayed {
  readonly file: string;
  /** The defects that the exploration found in its trial. */
  readonly found: readonly string[];
  /** The defects that `kredo rehearse` finds while the defect is there. */
  readonly shown: readonly string[];
  /** How `kredo rehearse` ends once it is repaired. */
  readonly repaired: number;
}

/** Explores a shop with one defect, plays again what was found, and once more with the sound shop. */
export async function replayMutant(defect: Defect, flags: readonly string[]): Promise<Replayed[]> {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  const { shop: style, map: line = "", operation }: Mutant = MUTANTS[defect];
  const other = operation === "sms" ? "airtime" : "sms";
  await using shop = await SOUND_SHOPS[style]({ gateway, key, secret, defect });
  await using repaired = await SOUND_SHOPS[style]({ gateway, key, secret });
  const mapOf = ({ appMap }: Explorable): string =>
    `${appMap.replace(new RegExp(`^ {2}${other}: .*\\n`, "m"), "")}${line}\n`;
  const folder = mkdtempSync(join(tmpdir(), "kredo-replayed-"));
  const { json } = await exploreAt(sandbox, mapOf(shop), [...flags, "--json", "--found", folder]);
  const replayed: Replayed[] = [];
  for (const file of readdirSync(folder)) {
    const trial = json.trials.find(({ id }) => file === `${id}.yaml`);
    const text = readFileSync(join(folder, file), "utf8");
    const play = (application: Explorable): Promise<Outcome> =>
      rehearseTexts([text], { map: mapOf(application), flags: ["--url", gateway] });
    const { trials } = await play(shop);
    const { exitCode } = await play(repaired);
    replayed.push({ file, found: defectIdsIn(trial), shown: defectIdsIn(trials[0]), repaired: exitCode });
  }
  return replayed;
}

/** Whether a replay shows none of the defects that the exploration found, or shows one that is repaired. */
export function isContradicted({ found, shown, repaired }: Replayed): boolean {
  const isJoint = found.some((id) => JOINT_CHECK_IDS.includes(id)) && shown.length > 0;
  return repaired !== 0 || !(isJoint || shown.some((id) => found.includes(id)));
}

function defectIdsIn(trial: Report["trials"][number] | undefined): string[] {
  return trial?.verdicts.flatMap(({ is, id }) => (is === "defect" ? [id] : [])) ?? [];
}

async function exploreWith(
  start: (access: ShopOptions) => Promise<Explorable>,
  flags: readonly string[],
): Promise<Explored> {
  await using sandbox = await createSandbox();
  await using shop = await start({ gateway: sandbox.url, key: sandbox.consumerKey, secret: sandbox.consumerSecret });
  return await exploreAt(sandbox, shop.appMap, flags);
}

interface Overrides extends Partial<Pick<Terminal, "clock" | "pause" | "interruption">> {
  readonly columns?: number;
  /** Told of all that is printed, as it is printed. */
  readonly onPrinted?: (text: string) => void;
}

/** Runs `kredo explore` as a person would, with this application and a sandbox that runs already. */
export async function exploreAt(
  { url }: Pick<Sandbox, "url">,
  appMap: string,
  flags: readonly string[],
  { columns, onPrinted, ...overrides }: Overrides = {},
): Promise<Explored> {
  const folder = mkdtempSync(join(tmpdir(), "kredo-explored-"));
  const files: Terminal["files"] = {
    read: (path) => (path === "kredo.app.yaml" ? { text: appMap } : { missing: true }),
  };
  const { terminal, ...said } = recordingTerminal({ ...overrides, files }, { columns, onPrinted });
  const exitCode = await run(["explore", "--url", url, "--seed", "7", "--found", folder, ...flags], terminal);
  const printed = said.printed();
  const json = printed.startsWith("{") ? reportShape.safeParse(JSON.parse(printed)).data : undefined;
  return {
    exitCode,
    printed,
    complained: said.complained(),
    json: json ?? NO_REPORT,
  };
}

const NO_REPORT: Report = {
  version: 1,
  name: "",
  seed: 7,
  started_at: "",
  duration_ms: 0,
  is_over: true,
  summary: "",
  doing: "",
  done: 0,
  total: 0,
  runs: 0,
  redundant: 0,
  problems: [],
  matrix: { points: [], rows: [] },
  trials: [],
  not_looked_at: [],
};

/** Returns the flags that explore these faults alone. */
export function only(faults: readonly string[]): string[] {
  return faults.flatMap((fault) => ["--fault", fault]);
}

/** Takes an order as paid where its result_code is 200, as text or as a number. */
export async function startTextShop({ url, consumerKey, consumerSecret }: Sandbox, type: "text" | "number" = "text") {
  const success = type === "text" ? '"result_code":"200"' : '"result_code":200';
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}`;
  const headers = { authorization, "content-type": "application/json" };
  let status = "open";
  const routes: Routes = {
    "POST /orders": async ({ text }) => {
      status = "open";
      await fetch(`${url}/api/v2/airtime`, { method: "POST", headers, body: text });
      return { status: 201 };
    },
    "GET /order": () => ({ status: 200, json: { status } }),
    "POST /hooks": ({ text }) => {
      status = text.includes(success) ? "paid" : "failed";
      return { status: 200 };
    },
  };
  const shop = await openShell(0, routes, () => {});
  const appMap = `version: 1
application: ${shop.url}
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "105" } } } }
status: { request: { url: "{app}/order" }, json_path: $.status, paid: paid, failed: failed, open: open }
callbacks: { airtime: "{app}/hooks" }
settle: 50ms
`;
  return { ...shop, appMap };
}

/** Returns the defects of a report. */
export function defectsIn({ problems }: Pick<Report, "problems">): Report["problems"] {
  return problems.filter(({ is }) => is === "defect");
}
