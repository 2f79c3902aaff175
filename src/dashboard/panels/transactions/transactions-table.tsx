import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { VirtualList, type VirtualListControl } from "../../parts/virtual-list.tsx";
import { found } from "./found.ts";
import { holdBack } from "./hold-back.ts";
import { TransactionRow } from "./transaction-row.tsx";
import { useRowKeys } from "./use-row-keys.ts";

const COLUMNS = ["State", "Operation", "Number", "Amount or text", "Charge", "Callback", "Rules fired", "Time"] as const;

/** In pixels; rows of two lines, on narrow pages, are measured. */
const ROW_HEIGHT = 36;

/** Newest first. While one reads further down, rows that arrive wait above until one asks for them. */
export function TransactionsTable(): JSX.Element {
  const heldAt = useSignal<number | undefined>(undefined);
  const control = useRef<VirtualListControl | undefined>(undefined);
  const { shown, fresh } = holdBack(found.value.rows, heldAt.value);
  const read = (isFurtherDown: boolean): void => {
    heldAt.value = isFurtherDown ? (heldAt.value ?? shown[0]?.request.number) : undefined;
  };
  useRowKeys({ rows: shown, show: (index) => control.current?.show(index), read });
  const toNewest = (): void => {
    read(false);
    control.current?.show(0);
  };
  return (
    <div class="transactions-shown">
      <div class="table transactions-table" role="table" aria-label="Transactions, newest first" aria-rowcount={shown.length + 1}>
        <Head />
        <VirtualList
          items={shown}
          rowHeight={ROW_HEIGHT}
          keyOf={({ request }) => request.requestId}
          label="Transactions"
          inTable
          control={control}
          onScrolled={(offset) => read(offset > ROW_HEIGHT / 2)}
        >
          {(row, index) => <TransactionRow live={row} index={index} />}
        </VirtualList>
      </div>
      <Fresh count={fresh} onShow={toNewest} />
    </div>
  );
}

function Head(): JSX.Element {
  return (
    <div role="rowgroup" class="table-head">
      <div role="row" aria-rowindex={1} class="transaction">
        {COLUMNS.map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The region stands from the start, so that screen readers hear what is put into it. */
function Fresh({ count, onShow }: { readonly count: number; readonly onShow: () => void }): JSX.Element {
  return (
    <div class="transactions-fresh" role="status" aria-live="polite">
      {count > 0 && (
        <button type="button" class="button primary small" onClick={onShow}>
          {count.toLocaleString("en")} new
        </button>
      )}
    </div>
  );
}
