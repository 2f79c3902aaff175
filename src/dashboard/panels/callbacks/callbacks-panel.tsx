import { computed, signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { CALLBACK_STATES } from "../../../gateway/account/readings/callback-status.ts";
import { isUnsettled } from "../../../gateway/account/transaction.ts";
import { formatInstant, type Instant } from "../../../gateway/domain/time.ts";
import { accountClient } from "../../api/sandbox.ts";
import { fromLocalText, phone, zoneWords } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import { RowReading } from "../../live/row-reading.ts";
import { attempt } from "../../parts/notices.tsx";
import { Badge, Empty, FirstCommand, Moment, Panel } from "../../parts/parts.tsx";
import { TableRows } from "../../parts/table-rows.tsx";
import { hrefOf, route, setQuery } from "../../route.ts";
import { accountKey, accountNow, account } from "../../store.ts";
import { CALLBACK_WORDS, callbackQuestion, callbackWords, OPERATION_WORDS } from "../../views/requests/words.ts";
import { Count, Pills } from "../../parts/controls.tsx";

const wanted = computed(() => route.value.query["state"] ?? "");

const reading = computed(() => new RowReading(callbackQuestion(wanted.value)));

/** The matching callbacks, newest first, and the number in each state. */
const sorted = computed(() => {
  const { value } = reading;
  const { reading: current } = account.value ?? {};
  if (current !== undefined) value.refresh(current, accountNow.value);
  const counts = value.counts("state");
  return { shown: value.rows, counts, total: counts.get("") ?? 0 };
});

/** The request_ids of the selected rows. */
const selected = signal<ReadonlySet<string>>(new Set());

/** Lists every callback of the account with its outcome, and resends them. */
export function CallbacksPanel(): JSX.Element {
  const { shown, counts, total } = sorted.value;
  return (
    <Panel title="Callbacks" tools={<Count shown={shown.length} all={total} one="callback" />}>
      <div class="callbacks">
        <Pills
          label="State"
          options={[
            { value: "", title: "All", count: counts.get("") },
            ...CALLBACK_STATES.map((state) => ({
              value: state,
              title: CALLBACK_WORDS[state].word,
              count: counts.get(state) ?? 0,
            })),
          ]}
          chosen={route.value.query["state"] ?? ""}
          onChoose={(state) => setQuery({ state })}
        />
        {total > 0 && <ResendBar shown={shown} />}
        {total === 0 ? (
          <NoCallbacks />
        ) : shown.length === 0 ? (
          <p class="empty">No callback is in this state.</p>
        ) : (
          <Table shown={shown} />
        )}
      </div>
    </Panel>
  );
}

function NoCallbacks(): JSX.Element {
  return (
    <Empty title="No callbacks yet">
      <p>Each accepted request ends in a callback with its result. Buy airtime to see one:</p>
      <FirstCommand />
    </Empty>
  );
}

/** Resends the selected callbacks, or all that have not been delivered since a moment. */
function ResendBar({ shown }: { readonly shown: readonly Row[] }): JSX.Element {
  const isUnderWay = useSignal(false);
  const chosen =
    selected.value.size === 0
      ? []
      : shown.filter((row) => selected.value.has(row.request.requestId) && isResendable(row));
  const resend = async (what: object): Promise<void> => {
    isUnderWay.value = true;
    const isDone = await attempt(async () => {
      await accountClient(accountKey.value ?? "").post("callbacks/resend", what);
    }, "Callbacks resent.");
    if (isDone) selected.value = new Set();
    isUnderWay.value = false;
  };
  return (
    <div class="spread">
      <button
        type="button"
        class="button small"
        disabled={chosen.length === 0 || isUnderWay.value}
        onClick={() => void resend({ request_ids: chosen.map(({ request }) => request.requestId) })}
      >
        Resend {chosen.length === 0 ? "selected" : `${chosen.length.toLocaleString("en")} selected`}
      </button>
      <UndeliveredForm
        isUnderWay={isUnderWay.value}
        onSubmit={(since) => void resend({ undelivered_since: formatInstant(since) })}
      />
    </div>
  );
}

function UndeliveredForm({
  isUnderWay,
  onSubmit,
}: {
  readonly isUnderWay: boolean;
  readonly onSubmit: (since: Instant) => void;
}): JSX.Element {
  const since = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    onSubmit(fromLocalText(since.current?.value ?? "") ?? THE_BEGINNING);
  };
  return (
    <form class="row" onSubmit={submit}>
      <button
        type="submit"
        class="button small"
        disabled={isUnderWay || (account.value?.reading.undelivered.size ?? 0) === 0}
      >
        Resend all undelivered
      </button>
      <label class="row callbacks-since">
        <span>settled since</span>
        <input ref={since} type="datetime-local" step="1" aria-label={`Settled since, ${zoneWords()}; empty for all`} />
      </label>
    </form>
  );
}

const THE_BEGINNING: Instant = 0;

/** Returns whether the callback can be resent: its transaction must have settled. */
function isResendable({ transaction }: Row): boolean {
  return transaction !== undefined && !isUnsettled(transaction.progress);
}

function Table({ shown }: { readonly shown: readonly Row[] }): JSX.Element {
  const isAll =
    shown.some(isResendable) && shown.every((row) => !isResendable(row) || selected.value.has(row.request.requestId));
  const choose = (isChosen: boolean): void => {
    const chosen = isChosen ? shown.filter(isResendable).slice(0, MOST_AT_ONCE) : [];
    selected.value = new Set(chosen.map(({ request }) => request.requestId));
  };
  return (
    <div class="table" role="table" aria-label="Callbacks, newest first" aria-rowcount={shown.length + 1}>
      <div role="rowgroup" class="table-head">
        <div role="row" aria-rowindex={1} class="table-row callback">
          <span role="columnheader">
            <Tick label="Select all that are shown" isOn={isAll} onChange={choose} />
          </span>
          {["Callback", "For", "Result", "Tries", "Request"].map((title) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
        </div>
      </div>
      <TableRows items={shown} rowHeight={40} keyOf={({ request }) => request.requestId} label="Callbacks">
        {(row, index) => <CallbackRow row={row} changedBy={row.changedBy} index={index} />}
      </TableRows>
    </div>
  );
}

/** The most that the control API resends at once. */
const MOST_AT_ONCE = 1_000;

/** Rows change in place, so `changedBy` triggers the redraw. */
function CallbackRow({
  row,
  index,
}: Pick<Row, "changedBy"> & { readonly row: Row; readonly index: number }): JSX.Element | null {
  const { request, transaction } = row;
  const { requestId, operation } = request;
  if (transaction === undefined) return null;
  const { progress, accepted } = transaction;
  const words = callbackWords(row, accountNow.value);
  const to = `${OPERATION_WORDS[operation]} to ${phone(accepted.order.phoneNumber)}`;
  const choose = (isChosen: boolean): void => {
    const others = [...selected.value].filter((other) => other !== requestId);
    selected.value = new Set(isChosen ? [...others, requestId] : others);
  };
  return (
    <div role="row" aria-rowindex={index + 2} class="table-row callback">
      <span role="cell">
        {isResendable(row) && <Tick label={`Select ${to}`} isOn={selected.value.has(requestId)} onChange={choose} />}
      </span>
      <span role="cell">{words !== undefined && <Badge tone={words.tone}>{words.text}</Badge>}</span>
      <span role="cell">
        <a href={hrefOf({ view: "requests", item: requestId, query: { tab: "callbacks" } })}>{to}</a>
      </span>
      <span role="cell" class="number">
        {isUnsettled(progress) ? "" : progress.settled.resultCode}
      </span>
      <span role="cell" class="number">
        {isUnsettled(progress) ? "" : progress.attempts.length}
      </span>
      <span role="cell">
        <Moment at={accepted.at} />
      </span>
    </div>
  );
}

function Tick({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}): JSX.Element {
  return (
    <label class="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  );
}
