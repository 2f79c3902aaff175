import { parse } from "yaml";
import { readShipped } from "../adapters/shipped-files.ts";
import type { Course } from "../rehearsal/fuzz/course.ts";
import type { WrittenRehearsal } from "../rehearsal/fuzz/write-course.ts";
import { Halt } from "./halt.ts";
import { findRehearsal, REHEARSALS, shippedRehearsals } from "./rehearsal-files.ts";
import { applicationOf, withoutApplication } from "./rehearse-ground.ts";
import { checkUrl } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Said } from "./verb.ts";

/** What is rehearsed again and again, its scenario apart. */
export interface FuzzBase {
  readonly name: string;
  /** Its URL, where a receiver alone is tried. */
  readonly receiver?: string;
  readonly write: (course: Course) => WrittenRehearsal;
}

const ONE = "say one rehearsal FILE, or the URL of a receiver";

/** Wall time in which a receiver's own books must have followed, each time. */
const PATIENCE = "1s";

/** What to fuzz: a rehearsal, whose drive and checks stay, or a receiver alone. Halts at anything else. */
export function fuzzBase(said: Said, terminal: Terminal): FuzzBase {
  const [target, second] = said.words;
  if (target === undefined) throw new Halt(2, `--fuzz: nothing to rehearse; ${ONE}`);
  if (second !== undefined) throw new Halt(2, `--fuzz: ${second} is one too many; ${ONE}`);
  return /^https?:\/\//i.test(target) ? receiverBase(checkUrl(target, "the receiver"), said) : fileBase(target, said, terminal);
}

function fileBase(word: string, said: Said, terminal: Terminal): FuzzBase {
  const found = findRehearsal(word, terminal.files);
  if ("problems" in found) throw new Halt(2, found.problems.join("\n"));
  const homeless = withoutApplication(found, applicationOf(said, terminal));
  if (homeless.length > 0) throw new Halt(2, homeless.join("\n"));
  if (found.rehearsal.clock.mode !== "manual")
    throw new Halt(
      2,
      `${found.file} clock: --fuzz waits for days of the account's time; write "clock: manual", and "advance: all" in drive`,
    );
  if (said.flags.has("books")) throw new Halt(2, "--books is for a receiver's URL; write a reconcile check into the file");
  const { seed: _seed, ...written } = parse(textOf(word, terminal));
  return { name: found.file, write: () => ({ ...written, expect: written.expect.map(impatient) }) };
}

/** The file has been read before, so it is there. */
function textOf(word: string, { files }: Terminal): string {
  if (shippedRehearsals().includes(word)) return readShipped(REHEARSALS, word);
  const content = files.read(word);
  return "text" in content ? content.text : "";
}

/** A check that fails is asked again until its time is over: too long for hundreds of runs. */
function impatient(check: Readonly<Record<string, object>>): object {
  const asked = (["probe", "reconcile"] as const).find((kind) => kind in check);
  return asked === undefined ? check : { ...check, [asked]: { ...check[asked], within: PATIENCE, every: "50ms" } };
}

/** The sandbox's own orders, and a receiver that must take what comes. */
function receiverBase(url: string, said: Said): FuzzBase {
  const books = said.flags.get("books");
  const total = said.flags.get("total") ?? "$.total";
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
