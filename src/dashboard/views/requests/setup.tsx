import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { asCurl } from "../../api/curl.ts";
import { sandbox } from "../../api/sandbox.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { TEST_ORDER, bodyOfDraft } from "../../actions/draft.ts";
import { sendOrder } from "../../actions/send-order.ts";
import type { Row } from "../../live/sales.ts";
import { CallbackTestResult, CallbackUrlForm } from "../../parts/callback-url-form.tsx";
import { ActionButton } from "../../parts/form.tsx";
import { Facts, List } from "../../parts/lists.tsx";
import { BaseUrl, Copyable, CopyButton, Moment } from "../../parts/parts.tsx";
import { goTo, hrefOf } from "../../base/route.ts";
import {
  account,
  accountKey,
  caller,
  listAccounts,
  unclaimed,
  wallNow,
  accountSettingsInForce,
} from "../../live/store.ts";
import { PRODUCTS } from "../../../gateway/domain/order.ts";

/** What an integrator needs before the first request. Afterwards, what the last test of the callback URL found. */
export function Setup(): JSX.Element {
  if (account.value?.reading.rows.length !== 0) return <CallbackTestResult keys={PRODUCTS} />;
  return (
    <>
      <FirstSteps />
      <UnclaimedRequests isOpen />
    </>
  );
}

/** What is still missing once requests come, in the line below them. */
export function StillMissing(): JSX.Element {
  const urls = accountSettingsInForce()?.callbacks.urls ?? {};
  return (
    <>
      <UnclaimedRequests />
      {PRODUCTS.every((product) => urls[product] === undefined) && (
        <a href={hrefOf({ view: "account" })}>Add a callback URL to get results</a>
      )}
    </>
  );
}

function FirstSteps(): JSX.Element {
  const { origin, consumerKey, consumerSecret } = caller();
  const environment = [
    `KREDO_BASE_URL=${origin}/api/v2`,
    `KREDO_CONSUMER_KEY=${consumerKey}`,
    `KREDO_CONSUMER_SECRET=${consumerSecret}`,
  ].join("\n");
  const command = asCurl({ method: "POST", path: "/api/v2/airtime", body: bodyOfDraft(TEST_ORDER) }, caller());
  return (
    <section class="stack first-steps" aria-label="First steps">
      <div class="card stack">
        <h2>Point your backend here</h2>
        <Facts
          as="row"
          of={[
            [
              "Base URL",
              <code>
                <BaseUrl />
              </code>,
            ],
            ["Key", <code>{consumerKey}</code>],
            ["Secret", <code>{consumerSecret}</code>],
          ]}
        />
        <div>
          <CopyButton text={environment} label="base URL, key and secret">
            Copy as .env
          </CopyButton>
        </div>
        <p class="quiet">Every request that it sends appears here, with its result and its callback.</p>
      </div>
      <div class="card stack">
        <h2>Or send one order</h2>
        <Copyable text={command} label="the command" />
        <div class="row">
          <ActionButton class="button primary" busy="Sending…" onAct={() => sendOrder(TEST_ORDER)}>
            Send a test order
          </ActionButton>
          <span class="quiet">It does not count in the verdict.</span>
        </div>
      </div>
      <div class="card stack">
        <h2>Receive the results</h2>
        <Copyable text={RECEIVER} label="the receiver" />
        <CallbackUrlForm keys={PRODUCTS} label="Callback URL" />
      </div>
    </section>
  );
}

/** For Express, which many know. */
const RECEIVER = `app.post("/hooks", (req, res) => {
  res.sendStatus(200);
});`;

/** The number of the last dismissed request. */
const dismissedUpTo = signal(0);

const MAX_SHOWN = 5;

/** Requests that the gateway refused before it could tell their account, in one line that opens. */
function UnclaimedRequests({ isOpen = false }: { readonly isOpen?: boolean }): JSX.Element | null {
  void unclaimed.value?.revision.value;
  const { rows: all = [] } = unclaimed.value?.reading ?? {};
  const rows = all.filter(({ request }) => request.number > dismissedUpTo.value);
  if (rows.length === 0) return null;
  const isEveryKeyUnknown = rows.every(({ request }) => request.unknownKey !== undefined);
  const title = `${counted(rows.length, "request")} ${isEveryKeyUnknown ? "with an unknown key" : "without an account"}`;
  return (
    <details class="unclaimed" open={isOpen}>
      <summary class="warm">{title}</summary>
      <div class="card stack close">
        <List label={`${title}, newest first`}>
          {rows
            .slice(-MAX_SHOWN)
            .toReversed()
            .map((row) => (
              <UnclaimedRequest key={row.request.requestId} row={row} />
            ))}
        </List>
        <div>
          <button
            type="button"
            class="button small"
            onClick={() => void (dismissedUpTo.value = rows.at(-1)?.request.number ?? 0)}
          >
            Dismiss
          </button>
        </div>
      </div>
    </details>
  );
}

function UnclaimedRequest({ row: { request } }: { readonly row: Row }): JSX.Element {
  const { unknownKey, statusCode, method, path, hint, description, at } = request;
  return (
    <li>
      <Moment at={at} now={wallNow.value} />{" "}
      <code>
        {statusCode} {method} {path}
      </code>
      {unknownKey === undefined ? <bdi>: {hint ?? description}</bdi> : <UnknownKey name={unknownKey} />}
    </li>
  );
}

function UnknownKey({ name }: { readonly name: string }): JSX.Element {
  const open = async (): Promise<void> => {
    await sandbox().post("accounts", { consumer_key: name });
    await listAccounts();
    goTo({ view: "requests", query: { account: name } });
  };
  return (
    <>
      . No account has the key <strong dir="auto">{name}</strong>: send <code>{accountKey.value}</code>, or{" "}
      <ActionButton class="link" onAct={open}>
        open an account with this key
      </ActionButton>
    </>
  );
}
