import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { FindingJson, ReportJson, ReportedProblem, TrialReport } from "../../../verdict/endpoints/shapes.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { clockTime } from "../../base/format.ts";
import { Badge, Copyable, Moment } from "../../parts/parts.tsx";
import { hrefOf } from "../../base/route.ts";
import { account, canBeOpened } from "../../live/store.ts";
import { backendAndCustomerOf, BackendAndCustomer } from "../requests/list/backend-and-customer.tsx";
import { OPERATION_WORDS } from "../../base/words.ts";
import { type ListedProblem, VERDICTS } from "../../live/backend-problems.ts";
import { Follows, hrefOfTrial, trialTitle } from "./opened-trial.tsx";

interface ProblemCardProps extends Pick<ReportJson, "trials"> {
  readonly problem: ListedProblem;
}

/** One problem: the sentence, the repair, the two truths, the exchanges that prove it, and the command that replays it. */
export function ProblemCard({ problem, trials }: ProblemCardProps): JSX.Element | null {
  const { is, id, sentence, reported, findings } = problem;
  const heading = useId();
  const known = reported ?? findings[0];
  if (known === undefined) return null;
  const { why, repair, assumes } = known;
  return (
    <article class="problem card stack close" aria-labelledby={heading}>
      <header class="spread">
        <h3 id={heading} dir="auto">
          <Badge tone={VERDICTS[is].tone}>{is}</Badge> {sentence}
        </h3>
        <code class="quiet">{id}</code>
      </header>
      {repair !== undefined && (
        <p dir="auto">
          <span class="quiet">How to fix it:</span> {repair}
        </p>
      )}
      {reported !== undefined && <Reported problem={reported} trials={trials} />}
      {findings.map((finding) => (
        <SeenLive key={`${finding.id} ${finding.subject}`} finding={finding} />
      ))}
      {(why ?? assumes) !== undefined && (
        <details class="quiet">
          <summary>{assumes === undefined ? "Why it matters" : "Why it matters, and what is assumed"}</summary>
          <p>
            {why} {assumes}
          </p>
        </details>
      )}
      {reported?.replay !== undefined && (
        <Copyable text={`npx ${reported.replay}`} label="the command that replays it" />
      )}
    </article>
  );
}

/** What the latest exploration or rehearsal saw, in the first of the trials that show it. */
function Reported({
  problem,
  trials,
}: Pick<ProblemCardProps, "trials"> & { readonly problem: ReportedProblem }): JSX.Element {
  const { truths, seen, exchanges, follows, trials: having } = problem;
  const first = trials.find(({ id }) => id === having[0]);
  return (
    <>
      {truths && <BackendAndCustomer verb="says" knows={truths.says} got={truths.got} paid={truths.paid} />}
      <p dir="auto">{seen}</p>
      <ul aria-label="Exchanges that prove it">
        {exchanges.slice(0, MAX_PROOFS).map((exchange, index) => (
          <li key={index} dir="auto">
            <a href={hrefOfBytes(exchange, first)}>{exchange.title}</a>
            {exchange.outcome !== undefined && ` → ${exchange.outcome}`}
          </li>
        ))}
      </ul>
      <Follows of={follows} />
      <details open={exchanges.length === 0}>
        <summary>Seen in {counted(having.length, "trial")}</summary>
        <ul>
          {having.map((id) => (
            <li key={id}>
              <a href={hrefOfTrial(id, "0")}>{trials.filter((one) => one.id === id).map(trialTitle)[0] ?? id}</a>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The most exchanges listed for a problem. Its trial shows all. */
const MAX_PROOFS = 4;

/** What live checks saw in the account's own traffic, with the two truths of each sale. */
function SeenLive({ finding }: { readonly finding: FindingJson }): JSX.Element {
  const { seen, count, last_at: lastAt, exchanges } = finding;
  const rows = exchanges.map((one) => account.value?.reading.find(one.request_id));
  return (
    <>
      <p dir="auto">{seen}</p>
      <ul aria-label="Exchanges that prove it">
        {exchanges.map((exchange, index) => {
          const row = rows[index];
          const isFirstOfSale = rows.findIndex((one) => one?.sale === row?.sale) === index;
          const truths = row && isFirstOfSale && backendAndCustomerOf(row);
          return (
            <li key={index}>
              {truths && <BackendAndCustomer {...truths} />}
              <a href={hrefOfBytes(exchange)}>
                {exchange.kind === "callback" && `callback ${exchange.attempt}: `}
                {row
                  ? `${OPERATION_WORDS[row.request.operation]} at ${clockTime(row.request.at)}`
                  : exchange.request_id}
              </a>
            </li>
          );
        })}
      </ul>
      <p class="quiet">
        Seen live {count === 1 ? "once" : `${count.toLocaleString("en")} times, last`} at{" "}
        <Moment at={Date.parse(lastAt)} isShort />
      </p>
    </>
  );
}

type Proof = ReportedProblem["exchanges"][number] | FindingJson["exchanges"][number];

/** Where the bytes of an exchange are: in the trial, even after a reset, or in the account's own traffic. Undefined if nowhere any more. */
function hrefOfBytes({ kind, attempt, request_id: requestId }: Proof, trial?: TrialReport): string | undefined {
  const isKept = account.value?.reading.find(requestId) !== undefined;
  // No trial has the bytes of a callback.
  if (trial === undefined || (isKept && kind === "callback"))
    return canBeOpened(requestId) ? hrefOf({ view: "requests", item: requestId, query: { tab: "http" } }) : undefined;
  const { exchanges } = trial;
  const place = exchanges.findIndex((one) => one.request_id === requestId && one.attempt === attempt);
  return hrefOfTrial(trial.id, String(place));
}
