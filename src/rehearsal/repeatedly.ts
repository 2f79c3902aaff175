import type { Instant } from "../domain/time.ts";
import type { Repetition } from "./rehearsal.ts";
import type { Stage } from "./stage.ts";

/** Does something as often as it is to be done; the answers come in the order of the counts, which begin with 1. */
export async function repeatedly<Answer>(
  { repeat, parallel, spacing }: Repetition,
  stage: Pick<Stage, "clock" | "pause" | "interruption">,
  once: (count: number) => Promise<Answer>,
): Promise<Answer[]> {
  const starts = new Starts(spacing, stage);
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

/** Lets one begin after the other, never closer together than the spacing. */
class Starts {
  readonly #spacing: number;
  readonly #stage: Pick<Stage, "clock" | "pause" | "interruption">;
  #turn: Promise<void> = Promise.resolve();
  #notBefore: Instant = Number.NEGATIVE_INFINITY;

  constructor(spacing: number, stage: Pick<Stage, "clock" | "pause" | "interruption">) {
    this.#spacing = spacing;
    this.#stage = stage;
  }

  next(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#wait());
    return this.#turn;
  }

  async #wait(): Promise<void> {
    const { clock, pause, interruption } = this.#stage;
    const left = this.#notBefore - clock.now();
    if (left > 0) await pause(left, interruption);
    this.#notBefore = clock.now() + this.#spacing;
  }
}
