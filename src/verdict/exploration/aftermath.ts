import { counted } from "../../gateway/domain/counted.ts";
import { type Verdict, worstFirst, worstOf } from "../verdict.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { NoVerdict } from "../trial/environment.ts";
import type { Application } from "../application/application.ts";
import { drawnAgain } from "./confirm.ts";
import { ApplicationEnded, possibleCauses } from "./ended.ts";
import { type Experiment, experimentWith, mayHaltAfter } from "./experiment.ts";
import { mustSend } from "../orders/unsent.ts";
import { notAssessed, onlyResult, type Result, type RunResults } from "./result.ts";
import type { RunOptions } from "./run-experiments.ts";

type RunExperiments = (experiments: readonly Experiment[], options?: RunOptions) => Promise<RunResults>;

/**
 * Places a plain order after what has just run, before anything is reset. Resolves to what is wrong with it, if anything. Throws
 * `ApplicationEnded`, with what ran before as its cause, if the application has ended.
 */
export async function plainOrderAfter(
  { results }: RunResults,
  run: RunExperiments,
  isKnownToHalt = false,
): Promise<Result | undefined> {
  // Whether it only pauses was seen before.
  const isPatient = !isKnownToHalt || !results.every(({ experiment }) => mayHaltAfter(experiment));
  try {
    const after = await run(plainOrders(results), { isContinued: true, isPatient });
    return after.results.find(({ defect }) => defect !== undefined);
  } catch (error) {
    if (error instanceof ApplicationEnded) throw endedAfter(results, onlyResult(error), "stopped answering");
    throw error;
  }
}

/** Returns a plain order of each operation: what is wrong with another amount alone does not come from what ran before. */
function plainOrders(results: readonly Result[]): Experiment[] {
  const operations = new Set(results.map(({ experiment }) => experiment.operation));
  const orders = [{ faults: [], isPlain: true as const }];
  return [...operations].map((operation) => ({ ...experimentWith(operation, []), orders, judge: mustSend }));
}

/** Finds out which of the experiments that ran together makes every later order go wrong, each alone and twice. */
export class Blame {
  readonly #run: RunExperiments;
  readonly #application: Pick<Application, "map" | "act">;
  readonly #confirm: (run: RunResults) => Promise<readonly Result[]>;
  /** Whether the application was seen to send nothing more until it was restarted or reset, after what it may halt for. */
  isKnownToHalt = false;

  constructor(
    run: RunExperiments,
    application: Pick<Application, "map" | "act">,
    confirm: (run: RunResults) => Promise<readonly Result[]>,
  ) {
    this.#run = run;
    this.#application = application;
    this.#confirm = confirm;
  }

  /**
   * Returns the results of a run with the defect of what comes after them, and confirms the others. Throws `ApplicationEnded` if the
   * application does not come right again, not even after a reset or a restart.
   */
  async find(run: RunResults, seen: Result): Promise<readonly Result[]> {
    const { results } = run;
    await this.#expectCured(results, seen);
    if (results.every((result) => mayHalt(result, defectAfter(seen)))) return await this.#findHalted(results, seen);
    for (const result of results) {
      const twice = await this.#twice([result]);
      if (twice === undefined) continue;
      const blamed = withAftermath(result, twice, "");
      const rest = results.filter((other) => other !== result);
      const others = rest.length === 0 ? [] : await this.#again(rest);
      return results.map((one) => (one === result ? blamed : (others[rest.indexOf(one)] ?? one)));
    }
    const [first, ...others] = await this.#confirm(run);
    if (first === undefined) return [];
    const together = results.length > 1 ? await this.#twice(results) : undefined;
    const beside = `after ${counted(results.length, "order")} at once, and not after each alone: `;
    return [together === undefined ? withoutAftermath(first, seen) : withAftermath(first, together, beside), ...others];
  }

  /** That an application waits for a person is only a risk, and told of all that it may halt for. What else is wrong with each is seen alone. */
  async #findHalted(results: readonly Result[], after: Result): Promise<readonly Result[]> {
    this.isKnownToHalt = true;
    const beside = results.length > 1 ? `after ${counted(results.length, "order")} at once: ` : "";
    const found: Result[] = [];
    for (const result of results) {
      // Where the application had halted before, nothing was seen of it yet.
      const first = result.unmet === undefined ? result : await this.#runAlone(result);
      found.push(withAftermath(first, { before: await this.#runAlone(result), after }, beside));
    }
    // What waited meanwhile is sent before the next experiment.
    await this.#expectCured(results, after);
    return found;
  }

  async #runAlone(result: Result): Promise<Result> {
    const run = await this.#run([drawnAgain(result)]);
    await this.#restart();
    return onlyResult(run);
  }

  /** Runs experiments again without a culprit. They are innocent only if a plain order is right after them, too. */
  async #again(results: readonly Result[]): Promise<readonly Result[]> {
    const run = await this.#run(results.map(drawnAgain));
    const after = await plainOrderAfter(run, this.#run);
    return after === undefined ? this.#confirm(run) : this.find(run, after);
  }

  /** Runs experiments again, twice if the first time shows it. Resolves to the first of them, and the plain order that went wrong after them. */
  async #twice(results: readonly Result[]): Promise<Aftermath | undefined> {
    let shown: Aftermath | undefined;
    for (const _ of ["once", "twice"]) {
      const run = await this.#run(results.map(drawnAgain));
      const after = await plainOrderAfter(run, this.#run);
      if (after === undefined) return undefined;
      await this.#expectCured(results, after);
      shown = { before: onlyResult(run), after };
    }
    return shown;
  }

  async #expectCured(results: readonly Result[], seen: Result): Promise<void> {
    if (!(await this.#isCured(results)))
      throw endedAfter(results, seen, "does not come right again, not even after a reset");
  }

  /** Restarts the application, if the map can, and resets it; twice, because the first time it may still meet an empty wallet. */
  async #isCured(results: readonly Result[]): Promise<boolean> {
    try {
      for (const _ of ["with the account of before", "with a fresh one"]) {
        await this.#restart();
        const cured = await this.#run(plainOrders(results), { isPatient: true });
        if (cured.results.every(({ defect }) => defect === undefined)) return true;
      }
      return false;
    } catch (error) {
      if (error instanceof NoVerdict || error instanceof ApplicationEnded) return false;
      throw error;
    }
  }

  async #restart(): Promise<void> {
    if (this.#application.map.restart !== undefined) await this.#application.act("restart");
  }
}

interface Aftermath {
  readonly before: Result;
  readonly after: Result;
}

/** Where some of what ran may rightly have made it halt, nothing is a defect. */
function endedAfter(results: readonly Result[], seen: Result, how: string): ApplicationEnded {
  const told = defectAfter(seen);
  const halting = results.filter((result) => mayHalt(result, told));
  const [suspects, is] = halting.length > 0 ? [halting, "risk" as const] : [results, told.is];
  return new ApplicationEnded(how, possibleCauses(suspects.map((result) => ({ result, verdict: { ...told, is } }))));
}

/** Returns a result with what comes after it, as it was seen alone. What else is wrong with it counts if both runs showed it. */
function withAftermath(result: Result, { before, after }: Aftermath, beside: string): Result {
  const told = defectAfter(after);
  const wasSeen = (one: Verdict): boolean => result.verdicts.some(({ is, id }) => is === one.is && id === one.id);
  const isHalted = mayHalt(result, told);
  // What waits in an application that has halted is sent by the person who makes it go on.
  const asWaiting = (one: Verdict): Verdict =>
    isHalted && one.id === "refused-left-open" ? { ...one, is: "risk" } : one;
  const own = before.verdicts.filter((one) => one.is !== "right" && wasSeen(one)).map(asWaiting);
  const verdict: Verdict = { ...told, is: isHalted ? "risk" : "defect", seen: `${beside}${told.seen}` };
  const verdicts = [verdict, ...own].toSorted(worstFirst);
  const defect = verdicts.find(({ is }) => is === "defect");
  return { ...before, timeline: [...before.timeline, ...after.timeline], verdict: worstOf(verdicts), verdicts, defect };
}

/** Returns a result after which a plain order went wrong only once. */
function withoutAftermath(result: Result, seen: Result): Result {
  const { verdicts } = notAssessed(result, `only once: ${defectAfter(seen).seen}`);
  const all = [...verdicts, ...result.verdicts].toSorted(worstFirst);
  return { ...result, verdict: worstOf(all), verdicts: all };
}

/** Returns whether an application may rightly send nothing more after this, until a person has looked. */
function mayHalt({ experiment }: Result, { id }: Verdict): boolean {
  return id === "taken-not-sent" && mayHaltAfter(experiment);
}

/** Says of the plain order what it shows of the application. */
function defectAfter({ defect, order: { claimed } }: Result): Verdict {
  if (defect === undefined) throw new Error("a plain order that is right shows no defect");
  const seen = `a plain order afterwards: ${defect.seen}`;
  if (claimed.claim === "no answer") {
    const { title, repair } = ORDER_CHECKS["stops-answering"];
    return { ...defect, id: "stops-answering", title, repair, seen };
  }
  if (defect.id === "taken-not-sent") return { ...defect, title: "takes orders and sends nothing any more", seen };
  return { ...defect, title: `from then on ${defect.title}`, seen };
}
