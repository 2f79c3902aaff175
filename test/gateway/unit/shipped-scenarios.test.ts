import { expect, test } from "vitest";
import type { Problem } from "../../../src/gateway/document/problem.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { shippedNames, shippedText } from "../../support/gateway/shipped.ts";

const NAMES = shippedNames();

/** A line that begins with a key: what is before it, the key, and its value. */
const KEYED = /^([ -]*)("[^"]+"|[\w$][^:#]*): ?(.*)$/;

test("at least twenty scenarios are shipped", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(20);
});

test.each(NAMES)("%s is right, and is called what its file is called", (name) => {
  const parsed = parseScenario(shippedText(name), `${name}.yaml`);

  expect(parsed).toMatchObject({ scenario: { name } });
});

test.each(NAMES)("%s names its schema for editors and its story in a sentence or two", (name) => {
  const [first] = shippedText(name).split("\n");

  expect(first).toBe("# yaml-language-server: $schema=../schema/scenario.schema.json");
  expect(shippedText(name)).toMatch(/^version: 1\nname: .+\ndescription: [A-Z].+\.$/m);
});

test.each(NAMES.filter((name) => !["bad-afternoon", "magic-numbers"].includes(name)))(
  "%s says what happens and what a good backend does",
  (name) => {
    expect(shippedText(name)).toMatch(/^#.* happens/m);
    expect(shippedText(name)).toMatch(/^# What a good backend does: /m);
  },
);

test.each(mutations(misspell))(
  "$name.yaml:$line with the key $key misspelt has its mistake in that place",
  ({ name, line, column, text }) => {
    expect(placesIn(text, name)).toContainEqual({ line, column });
  },
);

test.each(mutations(replaceValue))(
  "$name.yaml:$line with a list of lists for $key has its mistake in that line",
  ({ name, line, text }) => {
    expect(placesIn(text, name).map((place) => place.line)).toContain(line);
  },
);

interface Mutation {
  readonly name: string;
  readonly key: string;
  /** Where the key stands. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Every shipped file with one of its lines changed, each such line in turn. */
function mutations(change: (lead: string, key: string, value: string) => string | undefined): Mutation[] {
  return NAMES.flatMap((name) => {
    const lines = shippedText(name).split("\n");
    return lines.flatMap((written, index) => {
      const [, lead = "", key = "", value = ""] = KEYED.exec(written) ?? [];
      const changed = key === "" ? undefined : change(lead, key, value);
      return changed === undefined
        ? []
        : [{ name, key, line: index + 1, column: lead.length + 1, text: lines.with(index, changed).join("\n") }];
    });
  });
}

function misspell(lead: string, key: string, value: string): string {
  return `${lead}${key.endsWith('"') ? `${key.slice(0, -1)}x"` : `${key}x`}: ${value}`;
}

function replaceValue(lead: string, key: string, value: string): string | undefined {
  return value === "" ? undefined : `${lead}${key}: [[]]`;
}

function placesIn(text: string, name: string): Pick<Problem, "line" | "column">[] {
  const parsed = parseScenario(text, `${name}.yaml`);
  return "problems" in parsed ? parsed.problems.map(({ line, column }) => ({ line, column })) : [];
}
