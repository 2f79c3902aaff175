import type { JSX } from "preact";
import { Copyable, Empty } from "../../parts/parts.tsx";
import { setQuery } from "../../route.ts";
import { accountKey, book } from "../../store.ts";
import { asCurl } from "./as-curl.ts";
import { filter } from "./found.ts";

/** What to do next where nothing has come yet. */
export function NoRequests(): JSX.Element {
  const { consumerSecret = "" } = book.value?.book.state?.settings ?? {};
  const caller = { origin: location.origin, consumerKey: accountKey.value ?? "", consumerSecret };
  return (
    <Empty title="No requests yet">
      <p>Each request of this account is a row here, with all that becomes of it. Send one, and watch it arrive:</p>
      <Copyable text={asCurl(FIRST, caller)} label="the command" />
      <p class="quiet">
        Nothing arrives although your backend sends? A request with an unknown consumer key belongs to no account:{" "}
        <a href="/__admin/requests">those are listed here</a>.
      </p>
    </Empty>
  );
}

/** The first that is sent by hand; its number belongs to nobody's rule. */
const FIRST = { method: "POST", path: "/api/v2/airtime", body: '{"phone_number":"254712345678","amount":"50"}' } as const;

/** The way back from a question without an answer. */
export function NoMatch(): JSX.Element {
  const asked = Object.entries(filter.value).filter(([, value]) => value.trim() !== "");
  return (
    <Empty title="Nothing matches">
      <p>
        No request has{" "}
        {asked.map(([name, value], index) => (
          <span key={name}>
            {index > 0 && " and "}
            {name} <strong dir="auto">{value}</strong>
          </span>
        ))}
        .
      </p>
      <button type="button" class="button" onClick={clearFilter}>
        Clear the filter
      </button>
    </Empty>
  );
}

export function clearFilter(): void {
  setQuery({ state: "", operation: "", carrier: "", number: "", text: "" });
}
