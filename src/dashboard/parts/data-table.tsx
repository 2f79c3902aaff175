import type { ComponentChildren, JSX } from "preact";

interface DataTableProps {
  readonly label: string;
  /** The titles of the columns. */
  readonly heads: readonly string[];
  /** The heads of columns of numbers, whose cells have the class `number`. */
  readonly numbers: readonly string[];
  /** The widths of the columns, unless CSS gives them. */
  readonly widths?: string;
  readonly count: number;
  /** `TableRows` */
  readonly children: ComponentChildren;
}

/** A header above scrolling rows. */
export function DataTable({ label, heads, numbers, widths, count, children }: DataTableProps): JSX.Element {
  return (
    <div class="table" style={{ "--columns": widths }} role="table" aria-label={label} aria-rowcount={count + 1}>
      <div role="rowgroup" class="table-head">
        <div role="row" aria-rowindex={1} class="table-row">
          {heads.map((title) => (
            <span key={title} role="columnheader" class={numbers.includes(title) ? "number" : undefined}>
              {title}
            </span>
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}
