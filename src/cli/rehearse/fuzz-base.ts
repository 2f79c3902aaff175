import { parse } from "yaml";
import { readShipped } from "../../adapters/files/shipped-files.ts";
import type { Course } from "../../rehearsal/fuzz/course.ts";
import type { WrittenRehearsal } from "../../rehearsal/fuzz/write-course.ts";
import { CliError } from "../cli-error.ts";
import { findRehearsal, REHEARSALS, shippedRehearsals } from "./rehearsal-files.ts";
import { applicationOf, withoutApplication } from "./rehearsal-sandbox.ts";
import { checkUrl } from "../client/target.ts";
import type { Terminal } from "../terminal.ts";
import type { ParsedArgs } from "../command.ts";

/** What every run repeats, except its scenario. */
export interface FuzzBase {
  readonly name: string;
  /** The URL, if only a receiver is tested. */
  readonly receiver?: string;
  readonly write: (course: Course) => WrittenRehearsal;
}

const ONE = "write one rehearsal FILE, or the URL of a receiver";

/** Wall time that a receiver's books get to catch up in each run. */
const PATIENCE = "1s";

/** Reads what to fuzz: a rehearsal, which keeps its drive and checks, or a receiver. Throws a CliError for anything else. */
export function fuzzBase(args: ParsedArgs, terminal: Terminal): FuzzBase {
  const [target, second] = args.words;
  if (target === undefined) throw new CliError(2, `--fuzz: nothing to rehearse; ${ONE}`);
  if (second !== undefined) throw new CliError(2, `--fuzz: ${second} is one too many; ${ONE}`);
  return /^https?:\/\//i.test(target) ? receiverBase(checkUrl(target, "the receiver"), args) : fileBase(target, args, terminal);
}

function fileBase(word: string, args: ParsedArgs, terminal: Terminal): FuzzBase {
  const found = findRehearsal(word, terminal.files);
  if ("problems" in found) throw new CliError(2, found.problems.join("\n"));
  const homeless = withoutApplication(found, applicationOf(args, terminal));
  if (homeless.length > 0) throw new CliError(2, homeless.join("\n"));
  if (found.rehearsal.clock.mode !== "manual")
    throw new CliError(
      2,
      `${found.file} clock: --fuzz waits for days of the account's time; write "clock: manual", and "advance: all" in drive`,
    );
  if (args.flags.has("books")) throw new CliError(2, "--books is for a receiver's URL; write a reconcile check into the file");
  const { seed: _seed, ...written } = parse(textOf(word, terminal));
  return { name: found.file, write: () => ({ ...written, expect: written.expect.map(impatient) }) };
}

/** The file exists: it has been read before. */
function textOf(word: string, { files }: Terminal): string {
  if (shippedRehearsals().includes(word)) return readShipped(REHEARSALS, word);
  const content = files.read(word);
  return "text" in content ? content.text : "";
}

/** A failing check is repeated until its time is over, which takes too long for hundreds of runs. */
function impatient(check: Readonly<Record<string, object>>): object {
  const asked = (["probe", "reconcile"] as const).find((kind) => kind in check);
  return asked === undefined ? check : { ...check, [asked]: { ...check[asked], within: PATIENCE, every: "50ms" } };
}

/** A rehearsal in which the sandbox sends orders and the receiver gets their callbacks. */
function receiverBase(url: string, args: ParsedArgs): FuzzBase {
  const books = args.flags.get("books");
  const total = args.flags.get("total") ?? "$.total";
  const source = books === undefined ? undefined : { url: checkUrl(books, "--books") };
  return {
    name: url,
    receiver: url,
    write: ({ fates }) => ({
      version: 1,
      name: "fuzz",
      description: "Legal orderings, repeats and delays of callbacks, and results of requests that nobody made.",
      clock: "manual",
      account: { wallet: { balance: "10000.00" }, callbacks: { airtime: url, sms: url } },
      drive: [
        ...(source === undefined ? [] : [{ request: { ...source, capture: { before: total } } }]),
        { sandbox: { airtime: { phone_number: "25471200310{n}", amount: "100" }, repeat: fates.length } },
        { advance: "all" },
      ],
      expect: [
        { name: "every callback is acknowledged", callbacks: { acknowledged: "all" } },
        ...(source === undefined
          ? []
          : [
              {
                name: "the books' total has grown by what was charged",
                reconcile: { request: source, total, since: "{before}", within: PATIENCE, every: "50ms" },
              },
            ]),
      ],
    }),
  };
}
