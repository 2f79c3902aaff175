import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Accepted } from "../../../../gateway/account/events.ts";
import { ActionButton, Field, Form } from "../../../parts/form.tsx";
import { shownClient } from "../../../live/store.ts";

/** Settles a transaction that waits for its result, now or with another one. */
export function Settle({ accepted: { requestId, plan } }: { readonly accepted: Accepted }): JSX.Element {
  const code = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLInputElement>(null);
  const settle = (ending: object): Promise<unknown> =>
    shownClient().post(`transactions/${encodeURIComponent(requestId)}/settle`, ending);
  const settleOtherwise = (): Promise<unknown> => {
    const text = words.current?.value.trim() ?? "";
    return settle({ result_code: Number(code.current?.value), ...(text !== "" && { result_desc: text }) });
  };
  return (
    <section class="stack close" aria-label="Settle now">
      <div class="row">
        <p>
          Planned result: {plan.result.resultCode}, <bdi>{plan.result.resultDesc}</bdi>
        </p>
        <ActionButton class="button small" onAct={() => settle({})} done="Settled.">
          Settle now
        </ActionButton>
      </div>
      <details>
        <summary>Settle with another result</summary>
        <Form label="Another result" submit="Settle with this result" onSubmit={settleOtherwise} done="Settled.">
          {(problem) => (
            <>
              <Field label="Result code" problem={problem}>
                <input ref={code} type="number" min="0" max="999999" step="1" required placeholder="500" />
              </Field>
              <Field label="Result text">
                <input ref={words} type="text" dir="auto" autocomplete="off" placeholder="Rejected by the operator" />
              </Field>
            </>
          )}
        </Form>
      </details>
    </section>
  );
}
