import * as fc from "fast-check";
import type { Operation } from "../domain/order.ts";
import { type Cell, cellOf, type PlacedFault } from "./cell.ts";

export interface RandomOptions<Run> {
  readonly courses: number;
  readonly seed: number;
  readonly operations: readonly Operation[];
  /** The faults that can affect the requests of an order of each operation. */
  readonly faults: readonly PlacedFault[];
  readonly run: (cells: readonly Cell[]) => Promise<Run>;
  readonly isBroken: (run: Run) => boolean;
  /** Whether no new course may start. */
  readonly isOver: () => boolean;
  readonly onCourse: () => void;
}

/** The most orders at the same time. */
const MOST_ORDERS = 4;

/** Runs random courses of several parallel orders with faults. Resolves to the smallest course with a defect, if any. */
export async function playRandom<Run>(options: RandomOptions<Run>): Promise<Run | undefined> {
  const { courses, seed, run, isBroken, isOver, onCourse } = options;
  let smallest: Run | undefined;
  let obstacle: { readonly error: unknown } | undefined;
  const property = fc.asyncProperty(anyCourse(options), async (cells) => {
    if (obstacle !== undefined || isOver()) return true;
    try {
      const isRight = !isBroken(await run(cells));
      // A defect counts only if it is seen twice.
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

/** Generates a course of a few orders. Shrinking removes orders and faults. */
function anyCourse({
  operations,
  faults,
}: Pick<RandomOptions<unknown>, "operations" | "faults">): fc.Arbitrary<Cell[]> {
  return fc.array(
    fc.constantFrom(...operations).chain((operation) => anyOrder(operation, faults)),
    { minLength: 1, maxLength: MOST_ORDERS },
  );
}

function anyOrder(operation: Operation, faults: readonly PlacedFault[]): fc.Arbitrary<Cell> {
  const own = faults.filter(({ point }) => point.operation === operation);
  return fc.subarray([...own], { maxLength: 2 }).map((some) => cellOf(operation, some));
}
