import * as fc from "fast-check";
import type { Operation } from "../domain/order.ts";
import { type Cell, cellOf, type PlacedFault } from "./cell.ts";

export interface RandomOptions<Run> {
  readonly courses: number;
  readonly seed: number;
  readonly operations: readonly Operation[];
  /** What may go wrong with the requests of an order of each operation. */
  readonly faults: readonly PlacedFault[];
  readonly run: (cells: readonly Cell[]) => Promise<Run>;
  readonly isBroken: (run: Run) => boolean;
  /** Whether no new course may begin. */
  readonly isOver: () => boolean;
  readonly onCourse: () => void;
}

/** Orders at the same time. */
const MOST_ORDERS = 4;

/** Plays courses of several orders at once, each with faults of its own; answers the smallest that goes wrong, if one does. */
export async function playRandom<Run>(options: RandomOptions<Run>): Promise<Run | undefined> {
  const { courses, seed, run, isBroken, isOver, onCourse } = options;
  let smallest: Run | undefined;
  let obstacle: { readonly error: unknown } | undefined;
  const property = fc.asyncProperty(anyCourse(options), async (cells) => {
    if (obstacle !== undefined || isOver()) return true;
    try {
      const isRight = !isBroken(await run(cells));
      // A defect counts once it was seen twice.
      const again = isRight ? undefined : await run(cells);
      if (again === undefined || !isBroken(again)) return true;
      smallest = again;
      return false;
    } catch (error) {
      obstacle = { error };
      return true;
    } finally {
      onCourse();
    }
  });
  await fc.check(property, { numRuns: courses, seed });
  if (obstacle !== undefined) throw obstacle.error;
  return smallest;
}

/** Any course of a few orders; a smaller one has fewer orders and fewer faults. */
function anyCourse({ operations, faults }: Pick<RandomOptions<unknown>, "operations" | "faults">): fc.Arbitrary<Cell[]> {
  return fc.array(
    fc.constantFrom(...operations).chain((operation) => anyOrder(operation, faults)),
    { minLength: 1, maxLength: MOST_ORDERS },
  );
}

function anyOrder(operation: Operation, faults: readonly PlacedFault[]): fc.Arbitrary<Cell> {
  const own = faults.filter(({ point }) => point.operation === operation);
  return fc.subarray([...own], { maxLength: 2 }).map((some) => cellOf(operation, some));
}
