import type { ShippedScenario } from "../../../testing/shapes.ts";

/** The scenarios in whose name or description all the words stand. */
export function searchShipped(shipped: readonly ShippedScenario[], written: string): readonly ShippedScenario[] {
  const words = written.toLowerCase().split(/\s+/);
  return shipped.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
