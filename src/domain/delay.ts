import type { Draws } from "./draws.ts";
import type { Millis } from "./time.ts";

/** How long something takes: constant, evenly distributed between two bounds, or lognormal like network latencies. */
export type Delay =
  | { fixed: Millis }
  | { uniform: readonly [Millis, Millis] }
  | { lognormal: { median: Millis; sigma: number } };

/** Draws a delay in whole milliseconds. */
export function drawDelay(delay: Delay, draws: Draws, purpose: string): Millis {
  if ("fixed" in delay) return delay.fixed;
  if ("uniform" in delay) {
    const [least, most] = delay.uniform;
    return Math.round(least + draws.draw(purpose) * (most - least));
  }
  const { median, sigma } = delay.lognormal;
  return Math.round(median * Math.exp(sigma * drawNormal(draws, purpose)));
}

/** Draws a standard normal number by the Box-Muller transform. */
function drawNormal(draws: Draws, purpose: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.draw(purpose)));
  return radius * Math.cos(2 * Math.PI * draws.draw(`${purpose} angle`));
}
