import type * as z from "zod";

/** All that the language knows of one effect; what it does is the engine's part. */
export interface Effect<Value> {
  /** One sentence, for editors and the table of effects. */
  readonly summary: string;
  readonly schema: z.ZodType<Value>;
  /** As it stands in a file. */
  readonly print: (effect: Value) => unknown;
  /** In words that follow a rule's name: `refused with 429`. */
  readonly tell: (effect: Value) => string;
}
