import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import type { FindingJson, ReportJson, ReportedProblem } from "../../../verdict/endpoints/shapes.ts";
import { clockTime } from "../../base/format.ts";
import { Facts } from "../../parts/lists.tsx";
import { Badge, Copyable, Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../base/route.ts";
import { account, canBeOpened } from "../../live/store.ts";
import { backendAndCustomerOf, BackendAndCustomer } from "../requests/list/backend-and-customer.tsx";
import { OPERATION_WORDS } from "../../base/words.ts";
import { type ListedProblem, VERDICTS } from "../../live/backend-problems.ts";

interface ProblemCardProps {
  readonly problem: ListedProblem;
  readonly trials: ReportJson["trials"];
}

/** One problem: the sentence, the two truths, the exchanges that prove it, the repair, and the command that replays it. */
export function ProblemCard({ problem, trials }: ProblemCardProps): JSX.Element | null {
  const { is, id, sentence, reported, findings } = problem;
  const heading = useId();
  const known = reported ?? findings[0];
  if (known === undefined) return null;
  const { why, repair, assumes } = known;
  return (
    <article class={`problem card stack close ${is}`} aria-labelledby={heading}>
      <header class="spread">
        <h2 id={heading} dir="auto">
          <Badge tone={VERDICTS[is].tone}>{is}</Badge> {sentence}
        </h2>
        <code class="quiet">{id}</code>
      </header>
      {reported !== undefined && <Reported problem={reported} trials={trials} />}
      {findings.map((finding) => (
        <SeenLive key={`${finding.id} ${finding.subject}`} finding={finding} />
      ))}
      <Facts
        of={[
          ["Why it matters", why],
          ["How to fix it", repair],
          ["What it assumes", assumes],
        ]}
      />
      {reported?.replay !== undefined && (
        <Copyable text={`npx ${reported.replay}`} label="the command that replays it" />
      )}
    </article>
  );
}

interface ReportedProps {
  readonly problem: ReportedProblem;
  readonly trials: ReportJson["trials"];
}

/** What the latest exploration or rehearsal saw, in the first of the trials that show it. */
function Reported({ problem, trials }: ReportedProps): JSX.Element {
  const { truths, seen, exchanges, follows, trials: having } = problem;
  const [first, ...others] = having;
  return (
    <>
      {truths !== undefined && (
        <BackendAndCustomer verb="says" knows={truths.says} got={truths.got} paid={truths.paid} />
      )}
      <p dir="auto">{seen}</p>
      <ul aria-label="Exchanges that prove it">
        {exchanges.map(({ title, outcome, request_id: requestId }, index) => (
          <li key={index} dir="auto">
            <ExchangeLink requestId={requestId} trial={first}>
              {title}
            </ExchangeLink>
            {outcome !== undefined && ` → ${outcome}`}
          </li>
        ))}
      </ul>
      {follows.map((one) => (
        <p key={one.id} dir="auto">
          So also <code class="quiet">{one.id}</code>: {one.seen}
        </p>
      ))}
      {first !== undefined && <TrialLink id={first} trials={trials} />}
      {others.length > 0 && (
        <details>
          <summary>and {others.length === 1 ? "another failure" : `${others.length} other failures`}</summary>
          {others.map((id) => (
            <TrialLink key={id} id={id} trials={trials} />
          ))}
        </details>
      )}
    </>
  );
}

function TrialLink({ id, trials }: { readonly id: string; readonly trials: ReportJson["trials"] }): JSX.Element {
  const trial = trials.find((one) => one.id === id);
  const { operation, faults } = trial ?? {};
  return (
    <p>
      <a href={hrefOf({ view: "verdict", item: id })}>
        {faults === undefined ? id : operation === undefined ? faults : `${operation}: ${faults}`}
      </a>
    </p>
  );
}

/** What live checks saw in the account's own traffic, with the two truths of each sale. */
function SeenLive({ finding }: { readonly finding: FindingJson }): JSX.Element {
  const { seen, count, first_at: firstAt, last_at: lastAt, exchanges } = finding;
  return (
    <>
      <p dir="auto">{seen}</p>
      <ul aria-label="Exchanges that prove it">
        {exchanges.map((exchange, index) => {
          const { request_id: requestId } = exchange;
          const row = account.value?.reading.find(requestId);
          const isSaidLater = exchanges
            .slice(index + 1)
            .some((later) => row?.sale.some((one) => one.request.requestId === later.request_id));
          const truths = row && !isSaidLater ? backendAndCustomerOf(row) : undefined;
          return (
            <li key={index}>
              <ExchangeLink requestId={requestId}>
                {exchange.kind === "callback" && `callback ${exchange.attempt}: `}
                {row === undefined ? (
                  <code>{requestId.slice(0, 8)}</code>
                ) : (
                  `${OPERATION_WORDS[row.request.operation]} at ${clockTime(row.request.at)}`
                )}
              </ExchangeLink>
              {truths !== undefined && <BackendAndCustomer {...truths} />}
            </li>
          );
        })}
      </ul>
      <p class="quiet">
        Seen live {count === 1 ? "once" : `${count.toLocaleString("en")} times`}, {count > 1 && "first "}
        <Moment at={Date.parse(firstAt)} isShort />
        {count > 1 && (
          <>
            , last <Moment at={Date.parse(lastAt)} isShort />
          </>
        )}
      </p>
    </>
  );
}

interface ExchangeLinkProps {
  readonly requestId: string;
  /** The trial that shows the exchange even after the account was reset. */
  readonly trial?: string | undefined;
  readonly children: ComponentChildren;
}

/** Links to the request, or to the trial if the account no longer has it. */
function ExchangeLink({ requestId, trial, children }: ExchangeLinkProps): JSX.Element {
  const isKept = account.value?.reading.find(requestId) !== undefined;
  if (!isKept && trial !== undefined) return <a href={hrefOf({ view: "verdict", item: trial })}>{children}</a>;
  if (canBeOpened(requestId)) return <a href={hrefOf({ view: "requests", item: requestId })}>{children}</a>;
  return <span title={`${requestId} can no longer be looked up`}>{children}</span>;
}
