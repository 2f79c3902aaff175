import type { Instant } from "../../gateway/domain/time.ts";
import type { RehearsalEnvironment } from "./rehearsal-environment.ts";
import type { Repetition } from "./step-schema.ts";

/** Repeats an action as often as the step says, counting from 1. Returns the results in order. */
export async function repeatedly<Answer>(
  { repeat, parallel, spacing }: Repetition,
  environment: Pick<RehearsalEnvironment, "clock" | "pause" | "interruption">,
  once: (count: number) => Promise<Answer>,
): Promise<Answer[]> {
  const starts = new StartSpacing(spacing, environment);
  const answers = new Map<number, Answer>();
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < repeat) {
      begun += 1;
      const count = begun;
      await starts.next();
      answers.set(count, await once(count));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, repeat) }, work));
  return [...answers].toSorted(([one], [other]) => one - other).map(([, answer]) => answer);
}

/** Spaces out the starts of repetitions. */
class StartSpacing {
  readonly #spacing: number;
  readonly #environment: Pick<RehearsalEnvironment, "clock" | "pause" | "interruption">;
  #turn: Promise<void> = Promise.resolve();
  #notBefore: Instant = Number.NEGATIVE_INFINITY;

  constructor(spacing: number, environment: Pick<RehearsalEnvironment, "clock" | "pause" | "interruption">) {
    this.#spacing = spacing;
    this.#environment = environment;
  }

  next(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#wait());
    return this.#turn;
  }

  async #wait(): Promise<void> {
    const { clock, pause, interruption } = this.#environment;
    const left = this.#notBefore - clock.now();
    if (left > 0) await pause(left, interruption);
    this.#notBefore = clock.now() + this.#spacing;
  }
}
