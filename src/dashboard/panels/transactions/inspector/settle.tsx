import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { TransactionDetail } from "../../../../control-client/shapes.ts";
import { accountClient } from "../../../api/sandbox.ts";
import { attempt } from "../../../parts/notices.tsx";
import { Field } from "../../../parts/parts.tsx";
import { accountKey } from "../../../store.ts";

interface Ending {
  readonly result_code?: number;
  readonly result_desc?: string;
}

export function Settle({ detail }: { readonly detail: TransactionDetail }): JSX.Element {
  const isUnderWay = useSignal(false);
  const settle = async (ending: Ending): Promise<void> => {
    isUnderWay.value = true;
    const path = `transactions/${encodeURIComponent(detail.request_id)}/settle`;
    await attempt(() => accountClient(accountKey.value ?? "").post(path, ending), "Settled.");
    isUnderWay.value = false;
  };
  const { result_code: code, result_desc: words } = detail.plan;
  return (
    <section class="card stack" aria-label="Settle now">
      <h3>Settle now</h3>
      <div class="spread">
        <p>
          Planned: {code}, <bdi>{words}</bdi>
        </p>
        <button type="button" class="button primary" disabled={isUnderWay.value} onClick={() => void settle({})}>
          Settle as planned
        </button>
      </div>
      <Otherwise isUnderWay={isUnderWay.value} onSettle={(ending) => void settle(ending)} />
    </section>
  );
}

function Otherwise({ isUnderWay, onSettle }: { readonly isUnderWay: boolean; readonly onSettle: (ending: Ending) => void }): JSX.Element {
  const code = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = words.current?.value.trim() ?? "";
    onSettle({ result_code: Number(code.current?.value), ...(text !== "" && { result_desc: text }) });
  };
  return (
    <form class="transaction-settle" onSubmit={submit}>
      <Field label="Result code">
        <input ref={code} type="number" min="0" max="999999" step="1" required inputMode="numeric" placeholder="500" />
      </Field>
      <Field label="Result text">
        <input ref={words} type="text" dir="auto" autocomplete="off" placeholder="Rejected by the operator" />
      </Field>
      <button type="submit" class="button" disabled={isUnderWay}>
        Settle with this result
      </button>
    </form>
  );
}
