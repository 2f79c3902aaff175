import type { JSX } from "preact";
import type { CallbackWords } from "../../../../gateway/account/readings/describe-callbacks.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import type { Row } from "../../../live/sales.ts";
import { withoutOtherRequests } from "../../../live/sales.ts";
import { ActionButton } from "../../../parts/form.tsx";
import { Table } from "../../../parts/lists.tsx";
import { hrefOf } from "../../../base/route.ts";
import { account, accountNow } from "../../../live/store.ts";
import { faultOf } from "../../../../verdict/faults.ts";
import { backendAndCustomerOf } from "../list/backend-and-customer.tsx";
import { callbackWords, carrierWords, answerWords } from "../list/words.ts";
import { repetition, sendAgain, VARIANTS } from "./send-again.ts";

/** Sends the same body once more with something going wrong, which `SideBySide` compares. Only valid orders reach the scenarios. */
export function SendAgain({ request }: { readonly request: RequestRow }): JSX.Element | null {
  if (request.order === undefined) return null;
  return (
    <section class="stack close" aria-label="Again, but…">
      <h3>Again, but…</h3>
      <p class="row">
        <span>The same body once more, with</span>
        {VARIANTS.map((variant) => (
          <ActionButton key={variant.fault} class="button small" onAct={() => sendAgain(request, variant)}>
            {variant.title}
          </ActionButton>
        ))}
      </p>
    </section>
  );
}

/** Both runs, at the top of either request. */
export function SideBySide({ requestId }: { readonly requestId: string }): JSX.Element | null {
  const { value } = repetition;
  const { reading } = account.value ?? {};
  if (value === undefined || reading === undefined) return null;
  const first = reading.find(value.of);
  const again = reading.rows.findLast(
    ({ request }) =>
      request.number > value.after &&
      request.rules?.fired.some(({ scenario }) => faultOf(scenario)?.id === value.variant.fault),
  );
  if (first === undefined || again === undefined) return null;
  if (requestId !== value.of && requestId !== again.request.requestId) return null;
  const [one, other] = [factsOf(withoutOtherRequests(first)), factsOf(withoutOtherRequests(again))];
  return (
    <Table caption="Side by side" heads={["Compared", "First", `With ${value.variant.title}`]}>
      {one.map(([name, words], index) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <Cell words={words} />
          <Cell words={other[index]?.[1]} />
        </tr>
      ))}
      <tr>
        <th scope="row">Request</th>
        <LinkCell row={first} isHere={requestId === first.request.requestId} />
        <LinkCell row={again} isHere={requestId === again.request.requestId} />
      </tr>
    </Table>
  );
}

type Fact = readonly [name: string, words: CallbackWords | undefined];

function factsOf(row: Row): readonly Fact[] {
  const truths = backendAndCustomerOf(row);
  return [
    ["You got", answerWords(row)],
    ["Carrier", carrierWords(row)],
    ["Told", callbackWords(row, accountNow.value)],
    ["Your backend knows", plain(truths?.knows)],
    ["The customer got", plain(truths?.got)],
    ["You paid", plain(truths?.paid)],
  ];
}

function plain(text: string | undefined): CallbackWords | undefined {
  return text === undefined ? undefined : { text, tone: "plain" };
}

function Cell({ words }: { readonly words: CallbackWords | undefined }): JSX.Element {
  return <td class={words?.tone}>{words?.text}</td>;
}

function LinkCell({ row, isHere }: { readonly row: Row; readonly isHere: boolean }): JSX.Element {
  const { requestId } = row.request;
  return <td>{isHere ? "this one" : <a href={hrefOf({ view: "requests", item: requestId })}>Open it</a>}</td>;
}
