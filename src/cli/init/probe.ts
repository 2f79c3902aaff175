import { seededRandom } from "../../gateway/adapters/random/seeded-random.ts";
import { PRODUCTS } from "../../gateway/domain/order.ts";
import { Application } from "../../verdict/application/application.ts";
import type { PlacedOrder } from "../../verdict/application/placed-order.ts";
import { excerpt, tryParseJson, withoutSecrets } from "../../verdict/application/ask.ts";
import { parseJsonPath } from "../../verdict/application/json-path.ts";
import { newOrder } from "../../verdict/application/new-order.ts";
import { placeholdersIn } from "../../verdict/application/placeholders.ts";
import { proposePaths } from "../../verdict/application/propose-paths.ts";
import { CliError, type ExitCode } from "../terminal/cli-error.ts";
import type { ParsedArgs } from "../terminal/command.ts";
import { readAppMap } from "../rehearsal/rehearsal-files.ts";
import { ownSandbox } from "../rehearsal/rehearsal-sandbox.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

/** Places one order as an app map says, and proposes where the answers have the order's id and its status. */
export async function probe(file: string, args: ParsedArgs, terminal: Terminal): Promise<ExitCode> {
  const map = readAppMap(file, terminal.files);
  await using sandbox = await ownSandbox(args, terminal);
  const gateway = { url: sandbox?.url ?? "", consumerKey: "" };
  const application = new Application(map, { interruption: terminal.interruption(), gateway });
  const operation = PRODUCTS.find((one) => map.order[one] !== undefined) ?? "airtime";
  const [seed, startedAt] = [seededRandom().freshSeed(), terminal.clock.now()];
  const placed = await application.place(newOrder(operation, { seed, startedAt, draw: 1, map }));
  const found = await findIds(application, placed);
  const order = propose(placed.reply, found, { request: `order.${operation}.request`, path: `order.${operation}.id` });
  const status = order.isRefused
    ? NOT_ASKED
    : await probeStatus(application, { ...placed, id: placed.id ?? valuesAt(placed, found)[0] });
  const json = JSON.stringify({ id: order.paths, status: status.paths });
  printLines(terminal.stdout, args.flags.has("json") ? [json] : [...order.lines, ...status.lines]);
  return order.isRefused || status.isRefused ? 1 : 0;
}

interface Proposal {
  /** Whether the application answered with a status other than 2xx. */
  readonly isRefused: boolean;
  readonly paths: readonly string[];
  readonly lines: readonly string[];
}

const NOT_ASKED: Proposal = { isRefused: false, paths: [], lines: [] };

async function probeStatus(application: Application, order: PlacedOrder): Promise<Proposal> {
  const { status } = application.map;
  if (status === undefined) return { ...NOT_ASKED, lines: [NO_STATUS] };
  const reply = await application.look(order, status.request);
  const shown = { ...order, reply };
  const values = valuesAt(shown, pathsIn(shown));
  const paths = pathsIn(shown).filter((_, index) => values[index] !== order.id && values[index] !== order.reference);
  return propose(reply, paths, { request: "status.request", path: "status.json_path" });
}

const NO_STATUS = "The map has no status: write the request that reads an order, and probe again.";

/** More questions to find an order by would be a load test. */
const MOST_IDS = 20;

/** Returns the paths of what was not ordered, if anything in it finds the order in the application, of that alone. */
async function findIds(application: Application, placed: PlacedOrder): Promise<readonly string[]> {
  const { status } = application.map;
  const paths = pathsIn(placed).slice(0, MOST_IDS);
  if (status === undefined || !placeholdersIn(status.request).includes("id")) return paths;
  const found: string[] = [];
  for (const path of paths) {
    const [id] = valuesAt(placed, [path]);
    const reply = await application.look({ ...placed, id }, status.request);
    if (reply.kind === "answered" && isSuccess(reply.status)) found.push(path);
  }
  return found.length === 0 ? paths : found;
}

/** Says what the application answered, and which paths in it may be meant, or which request of the map it refused. */
function propose(
  reply: PlacedOrder["reply"],
  paths: readonly string[],
  keys: { readonly request: string; readonly path: string },
): Proposal {
  if (reply.kind === "silent") throw new CliError(3, `The application gave no answer (${reply.reason}).`);
  const said = `The application answered ${reply.status}${excerpt(withoutSecrets(reply.text))}`;
  if (!isSuccess(reply.status))
    return { isRefused: true, paths: [], lines: [said, `${keys.request}: correct it, and probe again`] };
  const proposals = paths.length === 0 ? "nothing in the answer may be it" : paths.join(" or ");
  return { isRefused: false, paths, lines: [said, `${keys.path}: ${proposals}`] };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function answerOf({ reply }: PlacedOrder): unknown {
  return reply.kind === "answered" && isSuccess(reply.status) ? tryParseJson(reply.text)?.value : undefined;
}

function pathsIn(placed: PlacedOrder): readonly string[] {
  return proposePaths(answerOf(placed), placed);
}

function valuesAt(placed: PlacedOrder, paths: readonly string[]): unknown[] {
  return paths.map((path) => parseJsonPath(path)?.find(answerOf(placed))[0]);
}
