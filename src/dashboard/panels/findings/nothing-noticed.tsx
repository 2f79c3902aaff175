import type { JSX } from "preact";
import { quoted } from "../../api/quoted.ts";
import { Copyable, Empty } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { book } from "../../store.ts";
import { SEVERITIES } from "./severities.ts";

/** What to do next where nothing was noticed. */
export function NothingNoticed({ consumerKey, severity }: { readonly consumerKey: string; readonly severity: string }): JSX.Element {
  const of = SEVERITIES.find((one) => one.severity === severity);
  if (of !== undefined)
    return (
      <Empty title={`No ${of.one} noticed in this account so far`}>
        <a href={hrefOf({ panel: "findings" })}>Show all findings</a>
      </Empty>
    );
  const { consumerSecret = "" } = book.value?.book.state?.settings ?? {};
  return (
    <Empty title="Nothing noticed in this account so far">
      <p>
        While your backend calls this sandbox and takes its callbacks, detectors watch from outside. To see what a finding looks like, do
        what no backend should: send an order again because its acknowledgment was lost.
      </p>
      <Copyable text={sendTwice(`${consumerKey}:${consumerSecret}`)} label="the command" />
    </Empty>
  );
}

/** The magic number accepts, and then breaks the connection. */
function sendTwice(credentials: string): string {
  const order = quoted('{"phone_number":"254700000602","amount":"50"}');
  return [
    `for try in 1 2; do curl ${quoted(`${location.origin}/api/v2/airtime`)}`,
    `-u ${quoted(credentials)}`,
    "-H 'content-type: application/json'",
    `--data-raw ${order}; done`,
  ].join(" \\\n  ");
}
