import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { isUnsettled } from "../../../../account/transaction.ts";
import { accountClient } from "../../../api/sandbox.ts";
import type { Row } from "../../../live/book.ts";
import { attempt } from "../../../notices.ts";
import { CopyButton } from "../../../parts/parts.tsx";
import { hrefOf } from "../../../route.ts";
import { accountKey, book } from "../../../store.ts";
import { asCurl } from "../as-curl.ts";

/** What can be done with a request. */
export function Actions({ row: { request, transaction } }: { readonly row: Row }): JSX.Element {
  const { consumerSecret = "" } = book.value?.book.state?.settings ?? {};
  const caller = { origin: location.origin, consumerKey: accountKey.value ?? "", consumerSecret };
  return (
    <div class="row" role="group" aria-label="Actions">
      {transaction !== undefined && !isUnsettled(transaction.progress) && <Resend requestId={request.requestId} />}
      <CopyButton text={asCurl(request, caller)} label="as curl">
        Copy as curl
      </CopyButton>
      <CopyButton text={request.requestId} label="request_id">
        Copy request_id
      </CopyButton>
      {request.order !== undefined && (
        <a class="button small" href={hrefOf({ panel: "phones", item: request.order.phoneNumber })}>
          Open the phone
        </a>
      )}
    </div>
  );
}

function Resend({ requestId }: { readonly requestId: string }): JSX.Element {
  const isUnderWay = useSignal(false);
  const resend = async (): Promise<void> => {
    isUnderWay.value = true;
    const path = `transactions/${encodeURIComponent(requestId)}/resend`;
    await attempt(() => accountClient(accountKey.value ?? "").post(path, {}), "The callback is sent again.");
    isUnderWay.value = false;
  };
  return (
    <button type="button" class="button small primary" disabled={isUnderWay.value} onClick={() => void resend()}>
      Resend callback
    </button>
  );
}
