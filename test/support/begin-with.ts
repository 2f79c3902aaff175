import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/** Begins with these files, in this order: a long one that began last would leave the other worker without work. */
export function beginWith(...files: readonly string[]): TestSequencerConstructor {
  const placeOf = ({ moduleId }: TestSpecification): number => {
    const place = files.findIndex((file) => moduleId.endsWith(`/${file}`));
    return place === -1 ? files.length : place;
  };
  return class extends BaseSequencer {
    override async sort(found: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(found)).toSorted((one, other) => placeOf(one) - placeOf(other));
    }
  };
}
