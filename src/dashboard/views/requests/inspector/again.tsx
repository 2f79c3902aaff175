import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { CallbackWords } from "../../../../gateway/account/readings/describe-callbacks.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import type { Row } from "../../../live/sales.ts";
import { withoutOtherRequests } from "../../../live/sales.ts";
import { bodyOfRequest } from "../../../api/curl.ts";
import { postOrder } from "../../../actions/post-order.ts";
import { startFault } from "../../../actions/next-faults.ts";
import { ActionButton } from "../../../parts/form.tsx";
import { Table } from "../../../parts/lists.tsx";
import { hrefOf } from "../../../base/route.ts";
import { account, accountNow } from "../../../live/store.ts";
import { faultOf } from "../../../../verdict/faults.ts";
import { backendAndCustomerOf } from "../list/backend-and-customer.tsx";
import { callbackWords, carrierWords, answerWords } from "../list/words.ts";

/** What can go wrong when a request is sent again. */
const VARIANTS = [
  // A browser repeats a request by itself if a connection breaks before the first byte of its answer.
  { title: "a lost answer", fault: "truncate-after-accept" },
  { title: "a doubled callback", fault: "callback-twice-at-once" },
  { title: "a late callback", fault: "callback-late" },
] as const;

type Variant = (typeof VARIANTS)[number];

/** A request that was sent again. */
interface Repetition {
  readonly of: string;
  readonly variant: Variant;
  /** The number of the journal's last event before. */
  readonly after: number;
}

const REPETITION = "kredo-repetition";

/** The last request that was sent again, also before a reload. */
const repetition = signal<Repetition | undefined>(
  JSON.parse(sessionStorage.getItem(REPETITION) ?? "null") ?? undefined,
);

/** Whether the last one has not been seen yet. */
const isAwaited = signal(false);

/** Sends the same body once more, with one fault, which ends once the request has met it. */
async function sendAgain(request: RequestRow, variant: Variant): Promise<void> {
  const { order } = request;
  if (order === undefined || !(await startFault(variant.fault, order.phoneNumber))) return;
  repetition.value = { of: request.requestId, variant, after: account.peek()?.reading.version ?? 0 };
  isAwaited.value = true;
  sessionStorage.setItem(REPETITION, JSON.stringify(repetition.value));
  // What comes back is read from the journal.
  await postOrder(order.operation, bodyOfRequest(request) ?? "");
}

/** Sends the same body once more with something going wrong, which `SideBySide` compares. Only valid orders reach the scenarios. */
export function SendAgain({ request }: { readonly request: RequestRow }): JSX.Element | null {
  if (request.order === undefined) return null;
  return (
    <section class="stack close again" aria-label="Again, but…">
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
    <Shown of={again.request.requestId}>
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
    </Shown>
  );
}

/** Comes into sight, and takes the focus, once after the button was pressed. */
function Shown({ of, children }: { readonly of: string; readonly children: ComponentChildren }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isAwaited.value) return;
    isAwaited.value = false;
    place.current?.scrollIntoView({ block: "start" });
    place.current?.querySelector<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
  }, [of]);
  return (
    <div ref={place} class="side-by-side">
      {children}
    </div>
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
