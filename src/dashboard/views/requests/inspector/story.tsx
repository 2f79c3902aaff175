import type { JSX } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { accountTime } from "../../../../gateway/account/clock.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import type { TransactionDetail } from "../../../../control/client/shapes.ts";
import type { Instant } from "../../../../gateway/domain/time.ts";
import type { NearMiss } from "../../../../gateway/scenario/effects.ts";
import { moneyOf } from "../../../format.ts";
import { Badge, Moment } from "../../../parts/parts.tsx";
import { hrefOf } from "../../../route.ts";
import { accountNow, account } from "../../../store.ts";
import { acknowledgmentWords } from "../words.ts";
import { type Step, stepsOf } from "./steps.ts";
import { type Axis, axisOf, lengthWords, type Span, spansOf } from "./waterfall.ts";
import type { ExchangeReading } from "./wire-views.tsx";
import { MissingUrl } from "./callbacks-view.tsx";

/** Shows how long each part took. Bars in progress grow. */
export function Waterfall({
  transaction,
  exchange,
}: {
  transaction: Transaction;
  exchange: ExchangeReading;
}): JSX.Element {
  const known = typeof exchange === "object" ? exchange : undefined;
  const state = account.value?.reading.state;
  const wall = Date.now();
  const now = state === undefined ? accountNow.value : accountTime(state.clock, wall, state.latest);
  const spans = spansOf(transaction, known, { now, wall });
  useRedraw(spans.some(({ isLasting, due = 0 }) => isLasting || due > now));
  const axis = axisOf(spans);
  return (
    <table class="waterfall" aria-label="Waterfall">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Begins after</th>
          <th scope="col">Lasts</th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {spans.map((span) => (
          <SpanRow key={span.name} span={span} axis={axis} begin={transaction.accepted.at} />
        ))}
      </tbody>
    </table>
  );
}

/** Wall-clock milliseconds between two steps of a growing bar. */
const STEP = 50;

/** Redraws regularly while something is in progress. */
function useRedraw(isLasting: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isLasting) return;
    const timer = setInterval(() => redraw(undefined), STEP);
    return () => clearInterval(timer);
  }, [isLasting]);
}

function SpanRow({
  span,
  axis,
  begin,
}: {
  readonly span: Span;
  readonly axis: Axis;
  readonly begin: Instant;
}): JSX.Element {
  const { name, from, until, isLasting, due, tone, text } = span;
  const left = axis.at(from);
  const width = axis.at(until) - left;
  return (
    <tr class={`span ${tone}${isLasting ? " lasting" : ""}`}>
      <th scope="row">{name}</th>
      <td class="number quiet">+{lengthWords(from - begin)}</td>
      <td>
        <span class="visually-hidden">{lengthWords(until - from)}</span>
        <div class="span-track">
          {axis.folds.map((fold) => (
            <i
              key={fold.from}
              class="span-fold"
              title={`${lengthWords(fold.length)} without any activity`}
              style={{ insetInlineStart: `${fold.from}%`, width: `${fold.to - fold.from}%` }}
            />
          ))}
          {due !== undefined && (
            <i class="span-due" style={{ insetInlineStart: `${left}%`, width: `${axis.at(due) - left}%` }} />
          )}
          <i class="span-bar" style={{ insetInlineStart: `${left}%`, width: `${width}%` }} />
        </div>
      </td>
      <td>
        <span class="span-text">
          <Badge tone={tone}>{text}</Badge>
          <span class="quiet number" aria-hidden="true">
            {lengthWords(until - from)}
          </span>
        </span>
      </td>
    </tr>
  );
}

export function Timeline({ detail, request }: Story): JSX.Element {
  return (
    <ol aria-label="Timeline">
      {stepsOf(detail).map((step, index) => (
        <li key={index} class={`timeline-step ${toneOf(step, detail)}`}>
          <div class="spread">
            <h3>{titleOf(step)}</h3>
            {step.kind !== "coming" && <Moment at={Date.parse(step.at)} />}
          </div>
          <StepStory step={step} detail={detail} request={request} />
        </li>
      ))}
    </ol>
  );
}

const TITLES = { accepted: "Request", planned: "Plan", held: "Hold", settled: "Carrier", charged: "Charge" } as const;

function titleOf(step: Step): string {
  if (step.kind === "told" || step.kind === "coming") return step.title;
  return step.kind === "attempted" ? `Callback attempt ${step.attempt.attempt}` : TITLES[step.kind];
}

function toneOf(step: Step, detail: TransactionDetail): string {
  if (step.kind === "coming") return "warm";
  if (step.kind === "attempted") return step.attempt.acknowledged ? "good" : "bad";
  if (step.kind !== "settled") return "plain";
  return detail.state === "failed" ? "bad" : "good";
}

interface Story {
  readonly detail: TransactionDetail;
  /** The row from the page's journal; undefined if it is older than what the page keeps. */
  readonly request: RequestRow | undefined;
}

function StepStory({ step, detail, request }: Story & { readonly step: Step }): JSX.Element {
  switch (step.kind) {
    case "accepted":
      return (
        <>
          <p dir="auto">{detail.timeline[0]?.text}</p>
          <p>{acknowledgmentWords(request?.rules, detail.client_waits)}</p>
        </>
      );
    case "planned":
      return <Plan detail={detail} />;
    case "held":
      return <p>KES {moneyOf(detail.hold)} held from the wallet.</p>;
    case "settled":
      return (
        <p>
          Result <strong>{detail.result_code}</strong>: <bdi>{detail.result_desc}</bdi>
        </p>
      );
    case "charged":
      return <Charge detail={detail} />;
    case "attempted":
      return <p dir="auto">{step.attempt.explanation}</p>;
    case "told":
      return <p dir="auto">{step.text}</p>;
    case "coming":
      return <Coming text={step.text} detail={detail} />;
  }
}

function Plan({ detail: { plan } }: Pick<Story, "detail">): JSX.Element {
  const when =
    plan.settle_after_ms === null
      ? "never by itself"
      : `${plan.settle_after_ms.toLocaleString("en")} ms after acceptance`;
  return (
    <>
      <FiredRules fired={plan.rules} missed={plan.missed} />
      <p>
        Result {plan.result_code} (<bdi>{plan.result_desc}</bdi>), {when}; to be charged: KES {moneyOf(plan.charge)}.
      </p>
    </>
  );
}

function Charge({ detail: { hold, charge, account_balance: balance } }: Pick<Story, "detail">): JSX.Element {
  return (
    <p>
      KES {moneyOf(hold)} released, KES {moneyOf(charge ?? 0)} charged; KES {moneyOf(balance ?? 0)} available after it.
    </p>
  );
}

function Coming({ text, detail }: { readonly text: string } & Pick<Story, "detail">): JSX.Element {
  const { state, settles_at: settlesAt, callback, operation } = detail;
  return (
    <>
      <p>
        <bdi>{text}</bdi>{" "}
        {state === "queued" && settlesAt !== null && (
          <>
            Due at <Moment at={Date.parse(settlesAt)} />.
          </>
        )}
      </p>
      {callback.state === "none" && state !== "stuck" && <MissingUrl operation={operation} />}
    </>
  );
}

interface FiredRulesProps {
  readonly fired: readonly { readonly scenario: string; readonly rule: string }[];
  readonly missed: NearMiss | undefined;
}

export function FiredRules({ fired, missed }: FiredRulesProps): JSX.Element {
  return (
    <>
      {fired.length === 0 ? (
        <p>No rule fired.</p>
      ) : (
        <ul class="stack-s" aria-label="Rules that fired">
          {fired.map(({ scenario, rule }) => (
            <li key={`${scenario} ${rule}`}>
              Rule <strong dir="auto">{rule}</strong> of <ScenarioLink name={scenario} />
            </li>
          ))}
        </ul>
      )}
      {missed !== undefined && (
        <p class="quiet">
          Nearest rule that did not fire: <strong dir="auto">{missed.rule}</strong> of{" "}
          <ScenarioLink name={missed.scenario} />, because <bdi>{missed.difference}</bdi>.
        </p>
      )}
    </>
  );
}

function ScenarioLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a href={hrefOf({ view: "failures", item: name })}>
      <bdi>{name}</bdi>
    </a>
  );
}
