import type { JSX } from "preact";
import { asCurl } from "../panels/transactions/as-curl.ts";
import { accountKey, book } from "../store.ts";
import { Copyable } from "./parts.tsx";

/** A line that buys airtime from the account that is shown: it works when it is pasted. */
export function FirstCommand(): JSX.Element {
  const { consumerSecret = "" } = book.value?.book.state?.settings ?? {};
  const caller = { origin: location.origin, consumerKey: accountKey.value ?? "", consumerSecret };
  return <Copyable text={asCurl(FIRST, caller)} label="the command" />;
}

/** The first that is sent by hand; its number belongs to nobody's rule. */
const FIRST = { method: "POST", path: "/api/v2/airtime", body: '{"phone_number":"254712345678","amount":"50"}' } as const;
