import { counted } from "../../gateway/domain/counted.ts";
import type { Verdict } from "../verdict.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { NoVerdict } from "../trial/environment.ts";
import type { Application } from "../application/application.ts";
import { drawnAgain } from "./confirm.ts";
import { ApplicationEnded, possibleCauses } from "./ended.ts";
import { type Experiment, experimentWith, faultsOf } from "./experiment.ts";
import { notAssessed, onlyResult, type Result, type RunResults, withDefect } from "./result.ts";
import type { RunOptions } from "./run-experiments.ts";

type RunExperiments = (experiments: readonly Experiment[], options?: RunOptions) => Promise<RunResults>;

/** Places a plain order after what has just run, before anything is reset. Resolves to what is wrong with it, if anything. */
export async function plainOrderAfter(
  { results: [first] }: RunResults,
  run: RunExperiments,
): Promise<Result | undefined> {
  if (first === undefined) return undefined;
  const plain: Experiment = { ...experimentWith(first.experiment.operation, []), mustSend: true };
  const result = onlyResult(await run([plain], { isContinued: true, isPatient: true }));
  return result.defect === undefined ? undefined : result;
}

/** Finds out which of the experiments that ran together makes every later order go wrong, each alone and twice. */
export class Blame {
  readonly #run: RunExperiments;
  readonly #application: Pick<Application, "map" | "act">;

  constructor(run: RunExperiments, application: Pick<Application, "map" | "act">) {
    this.#run = run;
    this.#application = application;
  }

  /**
   * Returns results with the defect of what comes after them. Throws `ApplicationEnded` if the application does not come right again, not
   * even after a reset or a restart.
   */
  async find(results: readonly Result[], seen: Result): Promise<readonly Result[]> {
    const wrong = defectAfter(seen);
    for (const result of results) {
      await this.#expectCured(results, seen);
      const after = await this.#twice([result]);
      if (after === undefined) continue;
      await this.#expectCured([result], after);
      const rest = results.filter((other) => other !== result);
      const blamed = withAftermath(result, after, "");
      // The others are innocent only if a plain order is right after them, too.
      const again = rest.length === 0 ? undefined : await this.#after(rest);
      const others = again === undefined ? rest : await this.find(rest, again);
      return results.map((one) => (one === result ? blamed : (others[rest.indexOf(one)] ?? one)));
    }
    await this.#expectCured(results, seen);
    const together = results.length > 1 ? await this.#twice(results) : undefined;
    if (together !== undefined) await this.#expectCured(results, together);
    const beside = `after ${counted(results.length, "order")} at once, and not after each alone: `;
    return results.map((result, index) => {
      if (index > 0) return result;
      if (together !== undefined) return withAftermath(result, together, beside);
      const { verdicts } = notAssessed(result, `only once: ${wrong.seen}`);
      return { ...result, verdict: "not assessed", verdicts: [...verdicts, ...result.verdicts] };
    });
  }

  /** Runs experiments again, twice if the first time shows it. Resolves to the plain order that went wrong after them. */
  async #twice(results: readonly Result[]): Promise<Result | undefined> {
    const first = await this.#after(results);
    if (first === undefined) return undefined;
    await this.#expectCured(results, first);
    return this.#after(results);
  }

  async #after(results: readonly Result[]): Promise<Result | undefined> {
    return plainOrderAfter(await this.#run(results.map(drawnAgain)), this.#run);
  }

  async #expectCured(results: readonly Result[], seen: Result): Promise<void> {
    const [first] = results;
    if (first === undefined || (await this.#isCured(first))) return;
    const causes = results.map((result) => ({ result, defect: defectAfter(seen) }));
    throw new ApplicationEnded("does not come right again, not even after a reset", possibleCauses(causes));
  }

  /** Restarts the application, if the map can, and resets it. */
  async #isCured({ experiment }: Result): Promise<boolean> {
    try {
      if (this.#application.map.restart !== undefined) await this.#application.act("restart");
      const plain: Experiment = { ...experimentWith(experiment.operation, []), mustSend: true };
      return onlyResult(await this.#run([plain], { isPatient: true })).defect === undefined;
    } catch (error) {
      if (error instanceof NoVerdict || error instanceof ApplicationEnded) return false;
      throw error;
    }
  }
}

function withAftermath(result: Result, after: Result, beside: string): Result {
  const told = defectAfter(after);
  const defect: Verdict = { ...told, is: mayHalt(result, told) ? "risk" : "defect", seen: `${beside}${told.seen}` };
  const timeline = [...result.timeline, ...after.timeline];
  if (defect.is === "defect") return withDefect({ ...result, timeline }, defect);
  return { ...result, timeline, verdict: "risk", verdicts: [defect, ...result.verdicts] };
}

/** Returns whether an application may rightly send nothing more after this, until a person has looked. */
function mayHalt({ experiment }: Result, { id }: Verdict): boolean {
  const faults = faultsOf(experiment);
  return id === "taken-not-sent" && faults.length > 0 && faults.every(({ fault }) => fault.mayHalt === true);
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
