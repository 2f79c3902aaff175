import type { JSX } from "preact";
import { isOfKredo } from "../../../../gateway/account/readings/answer.ts";
import { describeExcess } from "../../../../gateway/account/readings/describe-sale.ts";
import { timeOfDay } from "../../../base/format.ts";
import { hrefOf } from "../../../base/route.ts";
import { type Row, saleOf, withoutOtherRequests } from "../../../live/sales.ts";
import { accountNow } from "../../../live/store.ts";
import { BackendAndCustomer, backendAndCustomerOf } from "../list/backend-and-customer.tsx";
import { filter } from "../list/found.ts";
import { answerWords, callbackWords } from "../list/words.ts";

/** What the backend knows of a sale, and what really happened, in sum; then its requests, if there are several. */
export function Truths({ row }: { readonly row: Row }): JSX.Element | null {
  const truths = backendAndCustomerOf(row);
  if (truths === undefined) return null;
  const sale = saleOf(row);
  return (
    <section class="stack close" aria-label="What happened">
      {sale.isSoldTwice && (
        <p class="truths bad">
          <strong>{describeExcess(sale.requests, sale)}</strong>
        </p>
      )}
      {isOfKredo(row.request.event) ? (
        <p class="truths">
          Sent from this page or by a command of Kredo. The customer got: <strong>{truths.got}</strong>. You paid:{" "}
          <strong>{truths.paid}</strong>.
        </p>
      ) : (
        <BackendAndCustomer {...truths} />
      )}
      {row.sale.length > 1 && <Orders row={row} />}
    </section>
  );
}

/** The requests of a sale, each with what it got and what was told of it. */
function Orders({ row }: { readonly row: Row }): JSX.Element {
  return (
    <ol class="list" aria-label="Requests of this sale">
      {row.sale.map((one) => {
        const { requestId, at } = one.request;
        const alone = withoutOtherRequests(one);
        const [got, told] = [answerWords(alone), callbackWords(alone, accountNow.value)];
        return (
          <li key={requestId} class="row">
            <a
              href={hrefOf({ view: "requests", item: requestId, query: { ...filter.value } })}
              aria-current={requestId === row.request.requestId ? "true" : undefined}
            >
              {timeOfDay(at)}
            </a>
            <span class={got.tone}>{got.text}</span>
            <span>{backendAndCustomerOf(alone)?.got}</span>
            {told !== undefined && <span class={told.tone}>{told.text}</span>}
          </li>
        );
      })}
    </ol>
  );
}
