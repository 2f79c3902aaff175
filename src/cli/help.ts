import type { Flag, Manual } from "./verb.ts";

/** What `kredo VERB --help` prints. */
export function formatManual({ usage, about, flags }: Manual): string {
  const [first = "", ...others] = usage;
  const calls = [`usage: kredo ${first}`, ...others.map((call) => `       kredo ${call}`)];
  const table =
    flags.length === 0 ? [] : ["", "flags:", ...formatTable(flags.map((flag) => [nameFlag(flag), describeFlag(flag)] as const))];
  return [...calls, "", about, ...table].join("\n");
}

/** Two columns, the second one aligned. */
export function formatTable(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function nameFlag({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function describeFlag({ about, variables = [] }: Flag): string {
  return variables.length === 0 ? about : `${about} [${variables.join(", ")}]`;
}
