import type { ComponentChildren, JSX } from "preact";

/** A list with a line between its items, which are `li` elements. */
export function List({
  label,
  children,
}: {
  readonly label?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <ul class="list" aria-label={label}>
      {children}
    </ul>
  );
}

interface FactsProps {
  /** Terms with their descriptions. One without a description is left out. */
  readonly of: readonly (readonly [term: string, description: ComponentChildren])[];
  /** `row`: beside each other, each term above its description; otherwise a line for each, in two columns. */
  readonly as?: "row" | "lines";
}

/** A definition list. */
export function Facts({ of, as = "lines" }: FactsProps): JSX.Element {
  return (
    <dl class={`facts ${as}`}>
      {of.map(
        ([term, description]) =>
          description !== undefined &&
          description !== false && (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{description}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface TableProps {
  /** What the table lists; read aloud, not shown. */
  readonly caption: string;
  readonly heads: readonly string[];
  /** `tr` elements. */
  readonly children: ComponentChildren;
}

/** A short table, which scrolls sideways if the page is narrow. `TableRows` draws long ones. */
export function Table({ caption, heads, children }: TableProps): JSX.Element {
  return (
    // A scrollable region must be reachable by keyboard.
    <div class="sideways" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
